#include "job/sass/same_address.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/text.h"
#include "metrics/request_cost.h"

namespace lanescope::job {
namespace {

// "red.global.add.u32" is combined by REDUX.SUM, others by the REDUX of their name; floating point is not combined.
bool joins(const MachineInstruction& instruction, const trace::Site& site) {
  if (!instruction.parts.opcode.starts_with("REDUX")) return false;
  for (const auto& [in_ptx, in_sass] : {std::pair{".add.u32", "SUM"},
                                        {".add.s32", "SUM"},
                                        {".min.", "MIN"},
                                        {".max.", "MAX"},
                                        {".and.", "AND"},
                                        {".or.", "OR"},
                                        {".xor.", "XOR"}})
    if (contains(site.opcode, in_ptx))
      return instruction.parts.has(in_sass) || (in_sass == std::string("AND") && instruction.parts.modifiers.empty());
  return false;
}

// True if ptxas combines the lanes' values first, so that only one lane accesses memory.
bool joined_before(const trace::Site& site, const SassCode& sass) {
  return std::any_of(sass.instructions.begin(), sass.instructions.end(), [&](const MachineInstruction& instruction) {
    const bool here = instruction.ptx_line != 0 ? instruction.ptx_line == site.ptx_line
                                                : instruction.line == site.line && site.line != 0;
    return here && joins(instruction, site);
  });
}

}  // namespace

std::uint64_t sectors_in_turns(const trace::Trace& trace, const trace::WarpEvent& event, const SassCode& sass) {
  const trace::Site& site = trace.sites[event.site];
  const auto addresses = trace.lane_addresses(event);
  if (joined_before(site, sass)) return metrics::sector_cost(addresses, event.executed, site.width).sectors;
  std::uint64_t sectors = 0;
  for (LaneMask left = event.executed; !left.empty();) {
    LaneMask round = LaneMask::none();
    left.for_each([&](int lane) {
      bool taken = false;
      round.for_each([&](int other) {
        taken = taken || addresses[static_cast<std::size_t>(other)] == addresses[static_cast<std::size_t>(lane)];
      });
      if (!taken) round = round | LaneMask::lane(lane);
    });
    sectors += metrics::sector_cost(addresses, round, site.width).sectors;
    left = left & ~round;
  }
  return sectors;
}

}  // namespace lanescope::job
