#pragma once
// Which regions of global memory a launch writes to, and, when its blocks may have to run again, what those held before.

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/bulk_vector.h"
#include "sim/memory.h"

namespace lanescope::sim {

class WriteWatch {
 public:
  // Call once, before the launch. `keep`: keep what the regions held.
  void begin(const GlobalMemory& memory, bool keep);

  // Before any write to the region, from any thread. The first one copies the region when that is wanted; a read-only one
  // never costs anything.
  void before_write(const Region& region) {
    if (!written_[region.index].load(std::memory_order_acquire)) [[unlikely]] first_write(region);
  }
  bool written(const Region& region) const { return written_[region.index].load(std::memory_order_acquire); }

  // Puts back what was kept. No thread may run.
  void restore(const GlobalMemory& memory) const;

 private:
  void first_write(const Region& region);

  std::unique_ptr<std::atomic<bool>[]> written_;  // by region
  std::vector<BulkVector<std::byte>> kept_;
  std::mutex mutex_;                              // of kept_
  bool keep_ = false;
};

}  // namespace lanescope::sim
