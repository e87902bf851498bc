#include "sim/write_watch.h"

#include <cstring>

namespace lanescope::sim {

void WriteWatch::begin(const GlobalMemory& memory, bool keep) {
  const std::size_t regions = memory.regions().size();
  written_ = std::make_unique<std::atomic<bool>[]>(regions);
  kept_.resize(regions);
  keep_ = keep;
}

void WriteWatch::first_write(const Region& region) {
  const std::lock_guard lock(mutex_);
  std::atomic<bool>& written = written_[region.index];
  if (written.load(std::memory_order_relaxed)) return;
  if (keep_ && region.bytes != 0) {
    BulkVector<std::byte>& kept = kept_[region.index];
    kept.resize(region.bytes);
    std::memcpy(kept.data(), region.data, region.bytes);
  }
  // Nobody writes before this, so what was copied is what the region held.
  written.store(true, std::memory_order_release);
}

void WriteWatch::restore(const GlobalMemory& memory) const {
  for (const Region& region : memory.regions())
    if (const BulkVector<std::byte>& kept = kept_[region.index]; !kept.empty())
      std::memcpy(region.data, kept.data(), kept.size());
}

}  // namespace lanescope::sim
