// Stream-ordered memory and memory pools of the driver API.

#include "device/api/driver.h"
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
  if (to == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
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
  return driver_answer([&](Device&) { return free_in(stream, from, "cuMemFreeAsync"); }, Reports::nothing);
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* to, CUdevice number) {
  return give_pool(to, number, default_pool);
}
CUresult cuDeviceGetMemPool(CUmemoryPool* to, CUdevice number) {
  return give_pool(to, number, current_pool);
}
CUresult cuDeviceSetMemPool(CUdevice number, CUmemoryPool pool) {
  return driver_answer([&](Device&) { return number != 0 ? Status::invalid_device : set_current_pool(pool); },
                       Reports::nothing, Needs::driver);
}
CUresult cuMemPoolCreate(CUmemoryPool* to, const CUmemPoolProps* properties) {
  return driver_answer([&](Device&) {
    if (to == nullptr || properties == nullptr) return Status::invalid_value;
    auto pool = pool_of(properties->allocType, properties->location.type);
    if (!pool) return Status::invalid_value;
    if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) return Status::not_supported;
    if (!pool->on_host && properties->location.id != 0) return Status::invalid_device;
    make(to, *std::move(pool));
    return Status::success;
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_answer([&](Device&) { return destroy_pool(pool); });
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
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* list, std::size_t count) {
  return driver_answer([&](Device&) {
    if (find_pool(pool) == nullptr || (list == nullptr && count != 0)) return Status::invalid_value;
    for (std::size_t i = 0; i < count; ++i)
      if (list[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && list[i].location.id != 0)
        return Status::invalid_device;
    for (std::size_t i = 0; i < count; ++i)
      give_access(*find_pool(pool), list[i].location.type, list[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE);
    return Status::success;
  });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return driver_answer([&](Device&) {
    if (flags == nullptr || location == nullptr || find_pool(pool) == nullptr) return Status::invalid_value;
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id != 0) return Status::invalid_device;
    *flags = may_access(*find_pool(pool), location->type) ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                          : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return Status::success;
  });
}

}  // extern "C"
