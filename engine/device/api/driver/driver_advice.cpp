// Advice about managed memory in the driver API, and prefetching.

#include "device/api/driver/driver.h"
#include "device/api/host_memory.h"

using namespace lanescope::device;
using namespace lanescope::device::api;

namespace {

CUresult prefetch_in(CUstream stream, CUdeviceptr at, std::size_t bytes, std::optional<MemoryPlace> place) {
  return in_order({Reports::nothing, stream}, NodeKind::empty, [=](Device&) { return prefetch(at, bytes, place); });
}

}  // namespace

extern "C" {

CUresult cuMemPrefetchAsync(CUdeviceptr at, std::size_t bytes, CUmemLocation to, unsigned flags, CUstream stream) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return prefetch_in(stream, at, bytes, place_of(to.type, to.id));
}
CUresult cuMemAdvise(CUdeviceptr at, std::size_t bytes, CUmem_advise advice, CUmemLocation where) {
  return driver_answer([&](Device&) { return advise(at, bytes, advice, place_of(where.type, where.id)); });
}
// As before CUDA 13: with a device instead of a place.
CUresult lanescope_cuMemPrefetchAsync(CUdeviceptr at, std::size_t bytes, CUdevice to, CUstream stream) {
  return prefetch_in(stream, at, bytes, place_of(to));
}
CUresult lanescope_cuMemAdvise(CUdeviceptr at, std::size_t bytes, CUmem_advise advice, CUdevice where) {
  return driver_answer([&](Device&) { return advise(at, bytes, advice, place_of(where)); });
}
CUresult cuMemRangeGetAttribute(void* to, std::size_t size, CUmem_range_attribute which, CUdeviceptr at,
                                std::size_t bytes) {
  return driver_answer([&](Device&) { return tell_advice(to, size, which, at, bytes); });
}
CUresult cuMemRangeGetAttributes(void** to, std::size_t* sizes, CUmem_range_attribute* which, std::size_t count,
                                 CUdeviceptr at, std::size_t bytes) {
  return driver_answer([&](Device&) {
    if (to == nullptr || sizes == nullptr || which == nullptr || count == 0) return Status::invalid_value;
    Status status = Status::success;
    for (std::size_t i = 0; i < count && status == Status::success; ++i)
      status = tell_advice(to[i], sizes[i], which[i], at, bytes);
    return status;
  });
}

}  // extern "C"
