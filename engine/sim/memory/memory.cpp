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
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    regions_[i].index = static_cast<std::uint32_t>(i);
    find_before(regions_[i]);
  }
}

void GlobalMemory::find_before(Region& region) {
  if (region.allocation != nullptr) {
    if (!region.allocation->written.complete()) region.before = &region.allocation->written;
  } else if (region.written < region.bytes && (region.written_bits != nullptr || region.kind != RegionKind::heap)) {
    WrittenMap& made = before_.emplace_back(region.bytes, region.written);
    if (region.written_bits != nullptr) made.merge(*region.written_bits);
    region.before = &made;
  }
}

const Region& GlobalMemory::add_heap(Region region) {
  region.kind = RegionKind::heap;
  region.index = static_cast<std::uint32_t>(regions_.size()) + heap_indices_++;
  find_before(region);
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

std::vector<WrittenOverlay> GlobalMemory::written() const {
  std::vector<WrittenOverlay> all(regions_.size() + heap_indices_);
  const auto fill = [&](const Region& region) {
    if (region.before != nullptr) all[region.index] = WrittenOverlay(*region.before);
  };
  for (const Region& region : regions_) fill(region);
  for (const auto& [address, region] : heap_) fill(region);
  return all;
}

}  // namespace lanescope::sim
