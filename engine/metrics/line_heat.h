#pragma once
// The cost of each CUDA line: the counts shown next to the code.

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// Sums over the sites of one line: accesses, branches, barriers, shuffles, votes, guarded instructions. Block entries
// are not among them, as each stands for the lines that follow too. Exact for the whole launch. A branch's executed
// lanes are those that take it, so it counts with its executions but not in the lanes.
struct LineHeat {
  std::string file;
  std::int32_t line = 0;
  std::uint64_t executions = 0;       // warp-level, of all the line's sites
  std::uint64_t lane_executions = 0;  // warp-level, without branches
  std::uint64_t executed_lanes = 0;   // of those
  std::uint64_t divergent = 0;        // branch executions on which lanes parted
  std::uint64_t branches = 0;         // branch executions
  std::uint64_t sector_requests = 0;  // to global and local memory
  std::uint64_t sectors = 0, ideal_sectors = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
  // A generic access of this line fell in global and in shared memory: how many requests went where is not known, so
  // the ratios per request are not either.
  bool mixed = false;
  std::uint64_t atomic_requests = 0, serial_depth = 0;

  std::uint64_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
  // Ratios of nothing are NaN: show "–".
  double lanes_share() const;  // executed lanes ÷ (32 × lane_executions), 0 to 1
  double sectors_per_request() const;
  double ideal_sectors_per_request() const;
  double conflicts_per_request() const;
  double depth_per_request() const;
  double divergent_share() const;  // divergent ÷ branches, 0 to 1
};

// Lines that have a site, by file and line. Sites without a line are left out.
std::vector<LineHeat> line_heat(const trace::Trace& trace);

}  // namespace lanescope::metrics
