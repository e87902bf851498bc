#include "sim/access_sets.h"

#include "core/lane_mask.h"

namespace lanescope::sim {

AccessSets::AccessSets(const GlobalMemory& memory, const WriteWatch& writes)
    : regions_(memory.regions().size()), watched_(memory.regions().size()) {
  for (const Region& region : memory.regions()) watched_[region.index] = writes.written(region);
}

void AccessSets::mark_watched(Use use, const Region& region, const AddressPattern& pattern,
                              std::uint32_t mask, std::uint64_t width) {
  Words& words = regions_[region.index].of[static_cast<int>(use)];
  if (!words.used) {
    words.bits.assign((region.bytes + 255) / 256, 0);
    words.used = true;
  }
  const std::uint64_t base = region.address;
  const std::uint64_t last_byte = width - 1;
  if (pattern.affine && (pattern.stride == 0 ||
                         (mask == ~0u && pattern.stride == static_cast<std::int64_t>(width)))) {
    words.mark((pattern.low - base) / 4, (pattern.high - base + last_byte) / 4);
    return;
  }
  const int lowest = LaneMask{mask}.lowest();
  const auto address_of = [&](int lane) {
    return pattern.affine ? pattern.first + static_cast<std::uint64_t>(pattern.stride * (lane - lowest))
                          : pattern.lane[lane];
  };
  // Lanes side by side are marked together.
  std::uint64_t first = address_of(lowest) - base, end = first + width;
  LaneMask{mask & (mask - 1)}.for_each([&](int lane) {
    const std::uint64_t at = address_of(lane) - base;
    if (at != end) {
      words.mark(first / 4, (end - 1) / 4);
      first = at;
    }
    end = at + width;
  });
  words.mark(first / 4, (end - 1) / 4);
}

bool AccessSets::conflict(const std::vector<const AccessSets*>& workers) {
  if (workers.empty()) return false;
  for (std::size_t r = 0; r < workers[0]->regions_.size(); ++r) {
    bool written = false;
    for (const AccessSets* worker : workers)
      written |= worker->regions_[r].of[1].used || worker->regions_[r].of[2].used;
    if (!written) continue;
    std::size_t words = 0;
    for (const AccessSets* worker : workers)
      for (const Words& use : worker->regions_[r].of) words = std::max(words, use.bits.size());
    for (std::size_t i = 0; i < words; ++i) {
      // `touched` and `wrote`: by the workers so far.
      std::uint64_t touched = 0, wrote = 0, reduced = 0, clash = 0;
      for (const AccessSets* worker : workers) {
        const auto& of = worker->regions_[r].of;
        const std::uint64_t reads = of[0].used ? of[0].bits[i] : 0;
        const std::uint64_t writes = of[1].used ? of[1].bits[i] : 0;
        clash |= (writes & touched) | (reads & wrote);
        touched |= reads | writes;
        wrote |= writes;
        reduced |= of[2].used ? of[2].bits[i] : 0;
      }
      if ((clash | (reduced & touched)) != 0) return true;
    }
  }
  return false;
}

}  // namespace lanescope::sim
