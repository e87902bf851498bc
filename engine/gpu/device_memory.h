#pragma once
// Memory on the device: a pool, pieces of it, and a launch's arguments in them. What the driver refuses is thrown, as
// LANESCOPE_CUDA does. Internal to gpu/.

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "gpu/driver_api.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

// Device memory that was used and will be again: allocating it takes longer than a short kernel. Each piece has its own
// pages.
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
  // After a lost context freeing fails, which is fine: the process goes.
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

// Device memory that goes back to the pool.
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
  // While a kernel hangs nothing may be waited for, nor given to others.
  void abandon() { pointer_ = 0; }

 private:
  MemoryPool* pool_ = nullptr;
  std::size_t bytes_ = 0;
  CUdeviceptr pointer_ = 0;
};

// The arguments of a launch on the device: buffers uploaded, values kept where cuLaunchKernel reads them.
class DeviceArguments {
 public:
  DeviceArguments(const DriverApi& api, MemoryPool& pool, const std::vector<Argument>& arguments)
      : api_(api), pool_(pool) {
    values_.resize(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument& argument = arguments[i];
      if (argument.is_buffer) {
        DeviceMemory& memory =
            buffers_.emplace_back(pool, std::max<std::size_t>(argument.bytes.size(), argument.zero_bytes));
        const CUdeviceptr address = memory.get() + argument.base_offset;
        values_[i].resize(sizeof address);
        std::copy_n(reinterpret_cast<const std::byte*>(&address), sizeof address, values_[i].data());
      } else {
        buffers_.emplace_back();
        values_[i] = argument.bytes;
      }
      if (argument.passed) pointers_.push_back(values_[i].data());
    }
    upload(arguments);
  }
  void upload(const std::vector<Argument>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].is_buffer) continue;
      if (arguments[i].zero_bytes) LANESCOPE_CUDA(api_.memset_d8(buffers_[i].get(), 0, arguments[i].zero_bytes));
      if (arguments[i].zero_bytes || arguments[i].bytes.empty()) continue;
      LANESCOPE_CUDA(api_.memcpy_h_to_d(buffers_[i].get(), arguments[i].bytes.data(), arguments[i].bytes.size()));
    }
    // A copy from pageable memory may return before it has arrived, and the kernels' stream does not wait for this one.
    LANESCOPE_CUDA(api_.ctx_synchronize());
  }
  // Copies on the device of what was uploaded, to start again from.
  void keep_originals(const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) {
      const std::size_t bytes = argument.bytes.size();
      const bool kept = argument.is_buffer && argument.restored && !argument.zero_bytes && bytes > 0 &&
                        bytes <= TimingOptions::most_restored_bytes;
      DeviceMemory& original = kept ? originals_.emplace_back(pool_, bytes) : originals_.emplace_back();
      if (kept)
        LANESCOPE_CUDA(api_.memcpy_d_to_d_async(original.get(), buffers_[originals_.size() - 1].get(), bytes, nullptr));
    }
    LANESCOPE_CUDA(api_.ctx_synchronize());
  }
  void restore(const std::vector<Argument>& arguments, CUstream stream) {
    for (std::size_t i = 0; i < originals_.size(); ++i) {
      if (!arguments[i].restored) continue;
      if (arguments[i].zero_bytes)
        LANESCOPE_CUDA(api_.memset_d8_async(buffers_[i].get(), 0, arguments[i].zero_bytes, stream));
      else if (originals_[i].get())
        LANESCOPE_CUDA(
            api_.memcpy_d_to_d_async(buffers_[i].get(), originals_[i].get(), arguments[i].bytes.size(), stream));
    }
  }
  void download(std::vector<Argument>& arguments) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i].address = buffers_[i].get();
    for (Argument& argument : arguments)
      if (argument.zero_bytes) argument.bytes.resize(argument.zero_bytes);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].is_buffer && !arguments[i].bytes.empty())
        LANESCOPE_CUDA(api_.memcpy_d_to_h(arguments[i].bytes.data(), buffers_[i].get(), arguments[i].bytes.size()));
  }
  void** pointers() { return pointers_.data(); }
  void abandon() {
    for (auto* list : {&buffers_, &originals_})
      for (DeviceMemory& memory : *list) memory.abandon();
  }
  // Where the parameter's value lies: an argument's own, or the scalar's bytes.
  void* value_of(const FurtherLaunch::Parameter& parameter) {
    if (parameter.argument >= 0) return values_.at(static_cast<std::size_t>(parameter.argument)).data();
    return const_cast<std::byte*>(parameter.bytes.data());
  }

 private:
  const DriverApi& api_;
  MemoryPool& pool_;
  std::vector<DeviceMemory> buffers_, originals_;
  std::vector<std::vector<std::byte>> values_;
  std::vector<void*> pointers_;
};

}  // namespace lanescope::gpu
