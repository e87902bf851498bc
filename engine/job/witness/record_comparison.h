#pragma once
// Compares the interpreter's events one by one with the events that the kernel recorded on a GPU.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "instrument/instrument.h"
#include "trace/trace.h"

namespace lanescope::job {

// An argument's range on the device, by its index among the kernel's arguments.
struct DeviceRange {
  std::int32_t argument = -1;
  std::uint64_t address = 0, bytes = 0;
};

struct RecordComparison {
  instrument::Pass pass{};
  std::uint64_t interpreted = 0, recorded = 0;  // events of this pass
  std::uint64_t equal = 0;    // pairs with the same site, block, warp, masks, addresses and source lanes
  std::uint64_t dropped = 0;  // did not fit the device buffer
  // Launches that recording took. More than one if the buffer held only a range of blocks at a time, or had to be
  // enlarged.
  std::uint32_t launches = 1;
  // Sites that differ, at most 20: "line 12, ld.shared.f32: 49 interpreted, 41 recorded, 40 equal".
  std::vector<Wording> differences;
  // Source lines of sites with more events on one side, ascending, each once.
  std::vector<int> lines_that_part;
  // Sites where only the lane grouping differs; sites where some lane did something else. Ascending, each once.
  std::vector<std::uint32_t> regrouped_sites, changed_sites;
  // Only the lane grouping differs: each lane made the same accesses (or entries, or operations), equally often.
  bool only_regrouped = false;
  bool agrees() const { return interpreted == recorded && equal == interpreted && dropped == 0; }
};

// True if this pass records the event. No pass records parameter accesses, which are not memory accesses of the
// program.
bool belongs_to(const trace::WarpEvent& event, instrument::Pass pass);

// Compares only blocks in [first_block, first_block + block_count). Events of one site, block and warp are compared as
// a multiset, because the order of a warp's divergent paths is not defined. Addresses are compared within their
// argument's buffer. In other memory (shared, what the system keeps of shared, local, constant, module variables) they
// may differ by one constant distance each, a multiple of 128 bytes, because the two place memory differently; if a
// site in global or constant memory differs then, by one distance of its own, because the two order variables
// differently. For local accesses only the masks are compared. `interpreter`: the arguments' ranges in the interpreter;
// if empty, the trace's buffers. With such ranges, each event in constant memory may have its own distance, because
// module variables have another layout on the GPU.
RecordComparison compare_records(const trace::Trace& interpreted, const trace::Trace& recorded, instrument::Pass pass,
                                 std::uint32_t first_block, std::uint32_t block_count,
                                 std::span<const DeviceRange> device, std::span<const DeviceRange> interpreter = {});

}  // namespace lanescope::job
