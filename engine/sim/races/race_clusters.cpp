// Shared memory of other blocks: it exists from the start of its block to the block's end.

#include <algorithm>
#include <bit>

#include "sim/races/races.h"

namespace lanescope::sim {

// A lane may use another block's shared memory only if that block has started. The lane knows this once it is ordered
// after anything that a thread of that block has done.
void RaceDetector::check_begun(Mine& mine) {
  const Request& request = mine.request;
  const ThreadClocks* known = find(mine.block.clocks.warp(request.warp).grid[mine.lane], mine.owner);
  if (known != nullptr && std::ranges::any_of(*known, [](std::uint32_t clock) { return clock != 0; })) return;
  report(RaceKind::not_begun, RaceCure::cluster, mine, access_of(mine), mine.address - mine.base, request.width);
}

// The block's end comes after everything that each of its threads knows. So every access by another block must be known
// to at least one thread of this block.
void RaceDetector::block_exits(std::uint32_t index) {
  Block& block = of(index);
  if (!block.used_by_others) return;
  GridClock known;
  for (std::uint32_t warp = 0; warp < warps_; ++warp)
    for (const GridClock& clock : block.clocks.warp(warp).grid) known = join(known, clock);
  block.shadow.for_each([&](std::uint64_t word, const ShadowAccess& access) {
    const std::uint32_t user = access.warp / warps_;
    if (user == index) return;
    const ThreadClocks* clocks = find(known, user);
    for (std::uint32_t left = access.lanes; left != 0; left &= left - 1) {
      const std::uint32_t thread = access.warp % warps_ * 32 + static_cast<std::uint32_t>(std::countr_zero(left));
      const bool is_known = !access.pending && clocks != nullptr && (*clocks)[thread] >= access.clock;
      if (!is_known) report_end(access, thread, index, word);
    }
  });
}

void RaceDetector::report_end(const ShadowAccess& access, std::uint32_t thread, std::uint32_t owner,
                              std::uint64_t word) {
  Race* const race = place_in_report(RaceKind::may_have_ended, RaceCure::cluster, access.site, access.site);
  if (race == nullptr) return;
  race->space = trace::MemorySpace::distributed;
  race->owner = owner;
  race->offset = word * 4 + static_cast<std::uint64_t>(std::countr_zero(unsigned{access.bytes}));
  race->bytes = static_cast<std::uint32_t>(std::popcount(unsigned{access.bytes}));
  race->first = race->second = {
      access.site,        access.warp / warps_, thread,         access.writes(), access.kind == ShadowAccess::atomic,
      access.strong != 0, access.clock,         access.position};
}

}  // namespace lanescope::sim
