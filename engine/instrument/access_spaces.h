#pragma once
// Which memory the lanes of a recorded access reached. Internal to instrument/.

#include <array>
#include <cstdint>

#include "core/cluster_shared.h"
#include "core/clusters.h"
#include "instrument/instrument.h"

namespace lanescope::instrument {

class AccessSpaces {
 public:
  AccessSpaces(const BufferHead& windows, const trace::Launch& launch);

  // Appends an access to `out`: one event per memory space that the executing lanes' addresses belong to, as in the
  // interpreter. `declared`: RecordSite::space. `lanes`: indexed by lane. In the events addresses in shared and local
  // memory are relative to their window. Those in the own block's shared memory have no rank, those in another block's
  // have the rank of that block.
  void add(trace::Trace& out, const trace::WarpEvent& access, trace::MemorySpace declared,
           const std::array<std::uint64_t, MemoryModel::lanes>& lanes) const;

 private:
  struct Place {
    trace::MemorySpace space{};
    std::uint64_t address = 0;
  };
  Place place_of(std::uint64_t address, trace::MemorySpace declared, std::uint64_t own_rank) const;
  Place in_cluster(std::uint64_t shared, std::uint64_t own_rank) const;

  BufferHead windows_;
  Clusters clusters_;
};

}  // namespace lanescope::instrument
