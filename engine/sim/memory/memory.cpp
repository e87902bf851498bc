#include "sim/memory/memory.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "sim/memory/address_space.h"

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

const Region& GlobalMemory::add_heap(Region region) {
  region.kind = RegionKind::heap;
  region.index = static_cast<std::uint32_t>(regions_.size()) + heap_indices_++;
  return heap_[region.address] = std::move(region);
}

const Region* GlobalMemory::find(std::uint64_t address) const {
  if (address >= address_space::heap) {
    const auto after = heap_.upper_bound(address);
    if (after == heap_.begin()) return nullptr;
    const Region& region = std::prev(after)->second;
    return address < region.end() ? &region : nullptr;
  }
  auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                [](std::uint64_t a, const Region& r) { return a < r.address; });
  if (after == regions_.begin()) return nullptr;
  const Region& region = *(after - 1);
  return address < region.end() ? &region : nullptr;
}

const Region* GlobalMemory::nearest(std::uint64_t address) const {
  const Region* best = nullptr;
  std::uint64_t best_distance = std::numeric_limits<std::uint64_t>::max();
  const auto look_at = [&](const Region& region) {
    const std::uint64_t distance = address < region.address ? region.address - address
                                   : address < region.end() ? 0
                                                            : address - region.end();
    if (distance >= best_distance) return;
    best_distance = distance;
    best = &region;
  };
  for (const Region& region : regions_) look_at(region);
  const auto after = heap_.upper_bound(address);
  if (after != heap_.begin()) look_at(std::prev(after)->second);
  if (after != heap_.end()) look_at(after->second);
  return best;
}

std::vector<WrittenMap> GlobalMemory::written() const {
  std::vector<WrittenMap> maps(regions_.size() + heap_indices_);
  const auto fill = [&](const Region& region) {
    if (region.allocation != nullptr) {
      maps[region.index] = region.allocation->written;
    } else if (region.written < region.bytes) {
      maps[region.index].reset(region.bytes, region.written);
      if (region.written_bits != nullptr) maps[region.index].merge(*region.written_bits);
    }
  };
  for (const Region& region : regions_) fill(region);
  for (const auto& [address, region] : heap_) fill(region);
  return maps;
}

}  // namespace lanescope::sim
