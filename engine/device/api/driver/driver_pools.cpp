// Stream-ordered memory and memory pools of the driver API.

#include "device/api/driver/driver.h"
#include "device/api/pools.h"

namespace lanescope::device::api {

namespace {

CUresult give_pool(CUmemoryPool* to, CUdevice number, MemoryPool* (*which)()) {
  return driver_answer(
      [&](Device&) {
        if (to == nullptr) return Status::invalid_value;
        if (number != 0) return Status::invalid_device;
        *to = reinterpret_cast<CUmemoryPool>(which());
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}

CUresult allocate_from(CUdeviceptr* to, std::size_t bytes, const void* stream, const void* pool, const char* call) {
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return driver_answer(
      [&](Device&) {
        std::uint64_t at = 0;
        const Status status = allocate_in(stream, pool == nullptr ? current_pool() : find_pool(pool), bytes, call, at);
        if (status == Status::success) *to = at;
        return status;
      },
      Reports::nothing);
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuMemAllocAsync(CUdeviceptr* to, std::size_t bytes, CUstream stream) {
  return allocate_from(to, bytes, stream, nullptr, "cuMemAllocAsync");
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* to, std::size_t bytes, CUmemoryPool pool, CUstream stream) {
  if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return allocate_from(to, bytes, stream, pool, "cuMemAllocFromPoolAsync");
}
CUresult cuMemFreeAsync(CUdeviceptr from, CUstream stream) {
  return driver_answer([&](Device&) { return free_in(stream, from, "cuMemFreeAsync"); }, Reports::nothing,
                       needs_of(stream));
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* to, CUdevice number) {
  return give_pool(to, number, default_pool);
}
CUresult cuDeviceGetMemPool(CUmemoryPool* to, CUdevice number) {
  return give_pool(to, number, current_pool);
}
CUresult cuDeviceSetMemPool(CUdevice number, CUmemoryPool pool) {
  return driver_answer([&](Device&) { return number != 0 ? Status::invalid_value : set_current_pool(pool); },
                       Reports::nothing, Needs::driver);
}
CUresult cuMemPoolCreate(CUmemoryPool* to, const CUmemPoolProps* properties) {
  return driver_answer(
      [&](Device&) {
        if (to == nullptr || properties == nullptr) return Status::invalid_value;
        const PoolLocation at{static_cast<int>(properties->location.type), properties->location.id};
        MemoryPool pool;
        const Status status = pool_of(properties->allocType, at, static_cast<int>(properties->handleTypes), pool);
        pool.most_bytes = properties->maxSize;
        if (status == Status::success) make(to, std::move(pool));
        return status;
      },
      Reports::earlier_faults, Needs::driver);
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_answer([&](Device&) { return destroy_pool(pool); }, Reports::earlier_faults, Needs::driver);
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  return driver_answer([&](Device&) { return set_attribute(find_pool(pool), which, value); });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  return driver_answer([&](Device&) { return attribute_of(find_pool(pool), which, value); });
}
// A pool keeps no unused memory, so there is nothing to trim.
CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t) {
  return driver_answer([&](Device&) { return find_pool(pool) == nullptr ? Status::invalid_value : Status::success; });
}
// No pool can be made that has handles for other processes.
CUresult cuMemPoolExportToShareableHandle(void*, CUmemoryPool, CUmemAllocationHandleType, unsigned long long) {
  return driver_answer([](Device&) { return Status::invalid_value; });
}
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData*, CUdeviceptr) {
  return driver_answer([](Device&) { return Status::invalid_value; });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* list, std::size_t count) {
  return driver_answer([&](Device&) { return give_access(pool, list, count); });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return driver_answer([&](Device&) { return access_to(pool, location, flags); });
}

}  // extern "C"
