#pragma once
// A block that is running: its warps, its shared memory, its barriers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/memory/written_map.h"
#include "sim/warp/warp.h"

namespace lanescope::sim {

// A warp has arrived when all its lanes that have not exited have arrived; then it counts as 32 threads.
struct Barrier {
  std::uint32_t expected = 0;             // threads, as stated by the first to arrive
  bool whole_block = false;               // waits for all threads that have not exited, not for a number of threads
  std::uint32_t arrived = 0;              // warps, one bit each
  std::array<std::uint32_t, 32> lanes{};  // lanes that arrived, by warp
  std::uint32_t votes = 0;                // bar.red: lanes whose predicate is true
  std::uint32_t voters = 0;
};

// A block's part of its cluster's barrier. Arrivals and waits are separate.
struct ClusterBarrier {
  std::array<std::uint32_t, 32> arrived{};  // lanes in this phase, by warp
  std::array<std::uint32_t, 32> owing{};    // lanes that arrived and have not waited yet, by warp
};

// Four warps, starting at a multiple of four, that execute each product together. Here they do it one after the other,
// since no warp needs another one's registers.
struct Warpgroup {
  struct Product {
    std::uint32_t site = no_site;
    std::array<std::uint64_t, 3> operands{};  // descriptors of A and B, and whether d is added
  };
  std::uint64_t first = 0;        // number of the first product that is kept
  std::vector<Product> products;  // products that not all four warps have reached yet
  std::array<std::uint64_t, warps_of_warpgroup> done{};
  std::array<std::vector<std::uint64_t>, warps_of_warpgroup>
      groups;               // by warp: `done` when it closed each group not yet waited for
  std::uint32_t ended = 0;  // warps that have exited
  // Of a product that is kept.
  std::uint32_t site_of(std::uint64_t number) const { return products[static_cast<std::size_t>(number - first)].site; }
};

struct BlockState {
  std::uint32_t index = 0;  // linear
  std::vector<Warp> warps;
  std::vector<std::byte> shared;
  WrittenMap shared_written;
  std::array<Barrier, 16> barriers;
  std::map<std::uint32_t, std::uint64_t> mbarriers;  // by address: the object after the last operation
  ClusterBarrier cluster_barrier;
  // The blocks of its cluster by rank, including itself, and its own rank. Empty: it is alone. The caller sets both
  // before the first block of the cluster starts.
  std::span<BlockState* const> cluster;
  std::uint32_t rank = 0;
  std::array<Warpgroup, 8> warpgroups;
  bool products_begun = false;       // some warp has reached a product of a warpgroup
  std::uint32_t begun_barriers = 0;  // one bit each: a lane has arrived since it last opened
  std::uint32_t gone = 0;            // warps whose lanes have all exited
  std::uint32_t finished_warps = 0;
  bool record = false;
  std::string printed;
  bool print_is_full = false;  // a text did not fit in printf's buffer and is not in `printed`
  bool done() const { return finished_warps == warps.size(); }
};

}  // namespace lanescope::sim
