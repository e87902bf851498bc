#pragma once
// Compares the interpreter's events with the events that the kernel recorded on a GPU, one by one.

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
  std::uint64_t equal = 0;                      // paired: same site, block, warp, masks, addresses, source lanes
  std::uint64_t dropped = 0;                    // did not fit the device buffer
  std::uint32_t launches = 1;  // that recording took: more than one where the buffer held a range of blocks at a time,
                               // or had to be larger than foreseen
  // Sites where they differ: "line 12, ld.shared.f32: 49 interpreted, 41 recorded, 40 equal", at most 20.
  std::vector<Wording> differences;
  // Source lines of the sites where one has more events than the other, in order, each once.
  std::vector<int> lines_that_part;
  // Sites where only the lane grouping differs; and sites where some lane did something else. In order, each once.
  std::vector<std::uint32_t> regrouped_sites, changed_sites;
  // They differ only in lane grouping: each lane made the same accesses (or entries, or operations), equally often.
  bool only_regrouped = false;
  bool agrees() const { return interpreted == recorded && equal == interpreted && dropped == 0; }
};

// Whether a pass records this event. Parameters are not memory accesses of the program: no pass does.
bool belongs_to(const trace::WarpEvent& event, instrument::Pass pass);

// Only blocks in [first_block, first_block + block_count) are compared. Events of one site, block and warp are compared
// as a multiset, since the order of a warp's divergent paths is not defined. Addresses are compared within their
// argument's buffer; elsewhere (shared, local, constant, the module's variables) up to one constant distance a space, a
// multiple of 128 bytes, since the two place their memory differently. Of local accesses only the masks are compared.
// `interpreter`: where the arguments lie there; if empty, in the trace's buffers. Of a launch with such ranges each
// event in constant memory has a distance of its own, since its module's variables do not lie as they do on the GPU.
RecordComparison compare_records(const trace::Trace& interpreted, const trace::Trace& recorded, instrument::Pass pass,
                                 std::uint32_t first_block, std::uint32_t block_count,
                                 std::span<const DeviceRange> device, std::span<const DeviceRange> interpreter = {});

}  // namespace lanescope::job
