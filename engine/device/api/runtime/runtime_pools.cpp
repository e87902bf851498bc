// Stream-ordered memory and memory pools of the runtime API.

#include "device/api/pools.h"
#include "device/api/runtime/runtime.h"

namespace lanescope::device::api {

namespace {

cudaError_t allocate(void** to, std::size_t bytes, const void* stream, const void* pool, const char* call) {
  if (to == nullptr) return remember(Status::invalid_value);
  return answer(
      [&](Device&) {
        std::uint64_t at = 0;
        const Status status = allocate_in(stream, pool == nullptr ? current_pool() : find_pool(pool), bytes, call, at);
        if (status == Status::success) *to = pointer(at);
        return status;
      },
      Tells::nothing);
}

cudaError_t give_pool(cudaMemPool_t* to, int number, MemoryPool* (*which)(), Status of_other_devices) {
  return answer([&](Device&) {
    if (to == nullptr) return Status::invalid_value;
    if (number != 0) return of_other_devices;
    *to = reinterpret_cast<cudaMemPool_t>(which());
    return Status::success;
  });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaMallocAsync(void** to, std::size_t bytes, cudaStream_t stream) {
  return allocate(to, bytes, stream, nullptr, "cudaMallocAsync");
}
cudaError_t cudaMallocFromPoolAsync(void** to, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (pool == nullptr) return remember(Status::invalid_value);
  return allocate(to, bytes, stream, pool, "cudaMallocFromPoolAsync");
}
cudaError_t cudaFreeAsync(void* from, cudaStream_t stream) {
  return answer([&](Device&) { return free_in(stream, address(from), "cudaFreeAsync"); }, Tells::nothing);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* to, int number) {
  return give_pool(to, number, default_pool, Status::invalid_device);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* to, int number) {
  return give_pool(to, number, current_pool, Status::invalid_value);
}
cudaError_t cudaDeviceSetMemPool(int number, cudaMemPool_t pool) {
  return answer([&](Device&) { return number != 0 ? Status::invalid_value : set_current_pool(pool); });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* to, const cudaMemPoolProps* properties) {
  return answer([&](Device&) {
    if (to == nullptr || properties == nullptr) return Status::invalid_value;
    const PoolLocation at{static_cast<int>(properties->location.type), properties->location.id};
    MemoryPool pool;
    const Status status = pool_of(properties->allocType, at, static_cast<int>(properties->handleTypes), pool);
    pool.most_bytes = properties->maxSize;
    if (status == Status::success) make(to, std::move(pool));
    return status;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return answer([&](Device&) { return destroy_pool(pool); });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  return answer([&](Device&) { return set_attribute(find_pool(pool), which, value); });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  return answer([&](Device&) { return attribute_of(find_pool(pool), which, value); });
}
// A pool keeps no unused memory, so there is nothing to trim.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return answer([&](Device&) { return find_pool(pool) == nullptr ? Status::invalid_value : Status::success; });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, std::size_t count) {
  return answer([&](Device&) { return give_access(pool, list, count); });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return answer([&](Device&) { return access_to(pool, location, flags); });
}
// No pool can be made that has handles for other processes.
cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, cudaMemAllocationHandleType, unsigned) {
  return answer([](Device&) { return Status::invalid_value; });
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData*, void*) {
  return answer([](Device&) { return Status::invalid_value; });
}
cudaError_t cudaDeviceGetGraphMemAttribute(int number, cudaGraphMemAttributeType which, void* value) {
  return answer([&](Device&) {
    if (number != 0) return Status::invalid_device;
    return value == nullptr ? Status::invalid_value : graph_memory(which, *static_cast<std::uint64_t*>(value));
  });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int number, cudaGraphMemAttributeType which, void* value) {
  return answer([&](Device&) {
    if (number != 0) return Status::invalid_device;
    return value == nullptr ? Status::invalid_value : reset_graph_memory(which, *static_cast<std::uint64_t*>(value));
  });
}
cudaError_t cudaDeviceGraphMemTrim(int number) {
  return answer([&](Device&) { return number == 0 ? Status::success : Status::invalid_device; });
}

}  // extern "C"
