#include "sim/memory/memory.h"

#include <algorithm>
#include <limits>

namespace lanescope::sim {

void GlobalMemory::add(Region region) {
  regions_.push_back(std::move(region));
}

void GlobalMemory::sort(const std::function<void(Region&)>& name) {
  if (name)
    for (Region& region : regions_) name(region);
  std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) { return a.address < b.address; });
  for (std::size_t i = 0; i < regions_.size(); ++i) regions_[i].index = static_cast<std::uint32_t>(i);
}

const Region* GlobalMemory::find(std::uint64_t address) const {
  auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                [](std::uint64_t a, const Region& r) { return a < r.address; });
  if (after == regions_.begin()) return nullptr;
  const Region& region = *(after - 1);
  return address < region.end() ? &region : nullptr;
}

const Region* GlobalMemory::nearest(std::uint64_t address) const {
  const Region* best = nullptr;
  std::uint64_t best_distance = std::numeric_limits<std::uint64_t>::max();
  for (const Region& region : regions_) {
    const std::uint64_t distance = address < region.address ? region.address - address
                                   : address < region.end() ? 0
                                                            : address - region.end();
    if (distance < best_distance) {
      best_distance = distance;
      best = &region;
    }
  }
  return best;
}

std::vector<WrittenMap> GlobalMemory::written() const {
  std::vector<WrittenMap> maps(regions_.size());
  for (const Region& region : regions_)
    if (region.allocation != nullptr) {
      maps[region.index] = region.allocation->written;
    } else if (region.written < region.bytes) {
      maps[region.index].reset(region.bytes, region.written);
      if (region.written_bits != nullptr) maps[region.index].merge(*region.written_bits);
    }
  return maps;
}

}  // namespace lanescope::sim
