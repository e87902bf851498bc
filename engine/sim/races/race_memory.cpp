// What the race detector keeps of the accesses, for later ones to be compared with.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/races/races.h"

namespace lanescope::sim {

// Whether no access after this one can race with an earlier one that is in order, and not with this one too.
bool RaceDetector::takes_the_place_of(const Mine& mine, const ShadowAccess& earlier) {
  return !mine.access.strong && mine.access.writes() && !earlier.pending && (earlier.bytes & ~mine.access.bytes) == 0;
}

void RaceDetector::drop_settled(const Mine& mine, ShadowCell& cell) {
  std::uint32_t lane = 0;
  const auto settled = [&](const ShadowAccess& earlier) {
    return earlier.kind != ShadowAccess::none && takes_the_place_of(mine, earlier) && ordered(mine, earlier, lane);
  };
  if (settled(cell.write)) cell.write = {};
  if (settled(cell.read)) cell.read = {};
  if (cell.more == nullptr) return;
  std::size_t dropped = 0;
  for (auto* list : {&cell.more->writes, &cell.more->reads, &cell.more->strong})
    dropped += std::erase_if(*list, settled);
  budget_.left += static_cast<std::int64_t>(dropped * sizeof(ShadowAccess));
}

ShadowMore* RaceDetector::more(ShadowCell& cell) {
  if (cell.more == nullptr && budget_.take(sizeof(ShadowMore))) cell.more = std::make_unique<ShadowMore>();
  return cell.more.get();
}

void RaceDetector::insert(Mine& mine, ShadowCell& cell) {
  const ShadowAccess& access = mine.access;
  if (access.strong) {
    add(cell, &ShadowMore::strong, mine);
    return;
  }
  ShadowAccess& place = access.writes() ? cell.write : cell.read;
  std::uint32_t lane = 0;
  if (place.kind != ShadowAccess::none && place.same_as(access)) {
    place.lanes |= access.lanes;
  } else if (place.kind == ShadowAccess::none ||
             (!access.writes() && (place.bytes & ~access.bytes) == 0 && ordered(mine, place, lane))) {
    place = access;
  } else {
    add(cell, access.writes() ? &ShadowMore::writes : &ShadowMore::reads, mine);
  }
}

bool RaceDetector::add(ShadowCell& cell, std::vector<ShadowAccess> ShadowMore::*which, const Mine& mine) {
  ShadowMore* const more = this->more(cell);
  if (more == nullptr) {
    ++report_.unwatched;
    return false;
  }
  std::vector<ShadowAccess>& list = more->*which;
  const ShadowAccess& access = mine.access;
  if (!list.empty()) {
    ShadowAccess& last = list.back();
    if (last.same_as(access)) {
      last.lanes |= access.lanes;
      return true;
    }
    // The same lane and the same instruction again: program order.
    if (last.warp == access.warp && last.lanes == access.lanes && last.site == access.site &&
        last.bytes == access.bytes && !last.pending && !access.pending) {
      last = access;
      return true;
    }
  }
  if (which == &ShadowMore::strong && !list.empty())
    more->mixed |= access.narrow || list.front().narrow || list.front().unit != access.unit;
  if (list.size() >= more->prune_at) {
    prune(mine, list);
    more->prune_at = std::max<std::size_t>(32, list.size() * 2);
  }
  if (!budget_.take(sizeof(ShadowAccess))) {
    more->incomplete = true;
    ++report_.unwatched;
    return false;
  }
  list.push_back(access);
  return true;
}

// Drops earlier accesses if every later access that races with them also races with this one.
void RaceDetector::prune(const Mine& mine, std::vector<ShadowAccess>& list) {
  const std::size_t before = list.size();
  std::erase_if(list, [&](const ShadowAccess& earlier) {
    const ShadowAccess& access = mine.access;
    if ((earlier.bytes & ~access.bytes) != 0 || (earlier.writes() && !access.writes())) return false;
    if (access.strong && (!earlier.strong || earlier.unit != access.unit || earlier.narrow != access.narrow))
      return false;
    std::uint32_t lane = 0;
    return ordered(mine, earlier, lane);
  });
  budget_.left += static_cast<std::int64_t>((before - list.size()) * sizeof(ShadowAccess));
}

}  // namespace lanescope::sim
