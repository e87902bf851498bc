#pragma once
// Device memory: a pool, and allocations from it. A failed driver call throws CudaError (LANESCOPE_CUDA). Internal to
// gpu/.

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "gpu/driver_api.h"

namespace lanescope::gpu {

// Keeps freed device memory for reuse, because an allocation takes longer than a short kernel. No two allocations share
// a page.
class MemoryPool {
 public:
  static constexpr std::size_t page_bytes = 2u << 20, largest_kept = 64u << 20, most_kept = 1u << 30;

  explicit MemoryPool(const DriverApi& api) : api_(api) {}
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;
  ~MemoryPool() { clear(); }

  static std::size_t rounded(std::size_t bytes) {
    return std::max<std::size_t>((bytes + page_bytes - 1) / page_bytes, 1) * page_bytes;
  }

  CUdeviceptr take(std::size_t bytes) {
    if (const auto kept = free_.find(bytes); kept != free_.end() && !kept->second.empty()) {
      const CUdeviceptr pointer = kept->second.back();
      kept->second.pop_back();
      kept_bytes_ -= bytes;
      return pointer;
    }
    CUdeviceptr pointer = 0;
    if (api_.mem_alloc(&pointer, bytes) == CUDA_SUCCESS) return pointer;
    clear();
    LANESCOPE_CUDA(api_.mem_alloc(&pointer, bytes));
    return pointer;
  }
  // After the context is lost, freeing fails. That is harmless: the process ends.
  void give_back(CUdeviceptr pointer, std::size_t bytes) {
    if (bytes > largest_kept || kept_bytes_ + bytes > most_kept) {
      api_.mem_free(pointer);
      return;
    }
    free_[bytes].push_back(pointer);
    kept_bytes_ += bytes;
  }
  void clear() {
    for (const auto& [bytes, pointers] : free_)
      for (const CUdeviceptr pointer : pointers) api_.mem_free(pointer);
    free_.clear();
    kept_bytes_ = 0;
  }

 private:
  const DriverApi& api_;
  std::map<std::size_t, std::vector<CUdeviceptr>> free_;
  std::size_t kept_bytes_ = 0;
};

// An allocation that returns to the pool on destruction.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(MemoryPool& pool, std::size_t bytes)
      : pool_(&pool), bytes_(MemoryPool::rounded(bytes)), pointer_(pool.take(bytes_)) {}
  DeviceMemory(DeviceMemory&& other) noexcept { *this = std::move(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(bytes_, other.bytes_);
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~DeviceMemory() {
    if (pointer_) pool_->give_back(pointer_, bytes_);
  }
  CUdeviceptr get() const { return pointer_; }
  // While a kernel hangs, its memory must be neither freed (which waits for the kernel) nor reused.
  void abandon() { pointer_ = 0; }

 private:
  MemoryPool* pool_ = nullptr;
  std::size_t bytes_ = 0;
  CUdeviceptr pointer_ = 0;
};

}  // namespace lanescope::gpu
