// Memory of the driver API.

#include <algorithm>

#include "device/api/driver.h"

namespace lanescope::device::api {

namespace {

using Side = Device::Side;

Status allocate(CUdeviceptr* to, MemoryKind kind, std::size_t bytes, unsigned flags, const char* call) {
  if (to == nullptr || bytes == 0) return Status::invalid_value;
  Allocation* made = device().memory().allocate(kind, bytes, call);
  if (made == nullptr) return Status::memory_allocation;
  made->flags = flags;
  *to = made->address;
  return Status::success;
}

CUresult allocate_on_host(void** to, std::size_t bytes, unsigned flags, const char* call) {
  CUdeviceptr at = 0;
  const CUresult result = driver_answer([&](Device&) { return allocate(&at, MemoryKind::pinned, bytes, flags, call); });
  if (result == CUDA_SUCCESS) *to = reinterpret_cast<void*>(at);
  return result;
}

CUresult copy(std::uint64_t to, Side to_side, std::uint64_t from, Side from_side, std::size_t bytes, const char* call,
              Reports reports) {
  return driver_answer(
      [&](Device& on) {
        return bytes == 0 ? Status::success : on.copy({to, bytes, to_side}, {from, bytes, from_side}, call);
      },
      reports);
}

constexpr Reports waits = Reports::earlier_faults, goes_on = Reports::nothing;

CUresult fill(CUdeviceptr at, std::size_t pitch, std::uint32_t value, std::uint32_t bytes, std::size_t width,
              std::size_t height, const char* call, Reports reports) {
  return driver_answer(
      [&](Device& on) {
        if (at % bytes != 0 || (height > 1 && width * bytes > pitch)) return Status::invalid_value;
        for (std::size_t row = 0; row < height; ++row)
          if (const Status status = on.fill(at + row * pitch, value, bytes, width, call); status != Status::success)
            return status;
        return Status::success;
      },
      reports);
}

struct Pitched {
  std::uint64_t address = 0, pitch = 0;
  Side side = Side::either;
};
Status pitched(CUmemorytype type, const void* host, CUdeviceptr on_device, std::size_t pitch, Pitched& to) {
  to.pitch = pitch;
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      to.address = place(host);
      to.side = Side::host;
      return Status::success;
    case CU_MEMORYTYPE_DEVICE:
      to.address = on_device;
      to.side = Side::device;
      return Status::success;
    case CU_MEMORYTYPE_UNIFIED:
      to.address = on_device;
      return Status::success;
    default:  // arrays
      return Status::not_supported;
  }
}

CUresult copy_2d(const CUDA_MEMCPY2D* what, const char* call, Reports reports) {
  return driver_answer(
      [&](Device& on) {
        if (what == nullptr) return Status::invalid_value;
        Pitched to, from;
        Status status = pitched(what->dstMemoryType, what->dstHost, what->dstDevice, what->dstPitch, to);
        if (status == Status::success)
          status = pitched(what->srcMemoryType, what->srcHost, what->srcDevice, what->srcPitch, from);
        if (status != Status::success) return status;
        const std::size_t width = what->WidthInBytes;
        if (to.pitch == 0) to.pitch = width;
        if (from.pitch == 0) from.pitch = width;
        if (width > to.pitch || width > from.pitch) return Status::invalid_value;
        return on.copy_rows({to.address + what->dstY * to.pitch + what->dstXInBytes, width, to.side}, to.pitch,
                            {from.address + what->srcY * from.pitch + what->srcXInBytes, width, from.side}, from.pitch,
                            what->Height, call);
      },
      reports);
}

CUresult copy_3d(const CUDA_MEMCPY3D* what, const char* call, Reports reports) {
  return driver_answer(
      [&](Device& on) {
        if (what == nullptr) return Status::invalid_value;
        Pitched to, from;
        Status status = pitched(what->dstMemoryType, what->dstHost, what->dstDevice, what->dstPitch, to);
        if (status == Status::success)
          status = pitched(what->srcMemoryType, what->srcHost, what->srcDevice, what->srcPitch, from);
        for (std::size_t z = 0; z < what->Depth && status == Status::success; ++z) {
          const std::uint64_t to_row = (what->dstZ + z) * what->dstHeight + what->dstY,
                              from_row = (what->srcZ + z) * what->srcHeight + what->srcY;
          status =
              on.copy_rows({to.address + to_row * to.pitch + what->dstXInBytes, what->WidthInBytes, to.side}, to.pitch,
                           {from.address + from_row * from.pitch + what->srcXInBytes, what->WidthInBytes, from.side},
                           from.pitch, what->Height, call);
        }
        return status;
      },
      reports);
}

template <typename T>
Status put(void* to, T value) {
  *static_cast<T*>(to) = value;
  return Status::success;
}

Status ask(void* to, CUpointer_attribute which, CUdeviceptr at) {
  const Allocation* one = device().memory().find(at);
  if (to == nullptr) return Status::invalid_value;
  if (one == nullptr) return Status::invalid_value;
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return put<void*>(to, current_context());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put<unsigned>(
          to, one->on_host() && one->kind != MemoryKind::managed ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return put<CUdeviceptr>(to, at);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!one->on_host()) return Status::invalid_value;
      return put<CUdeviceptr>(to, at);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return put<unsigned long long>(to, one->address);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return put<unsigned>(to, one->kind == MemoryKind::managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return put<int>(to, 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return put<CUdeviceptr>(to, one->address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return put<std::size_t>(to, one->bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return put<int>(to, 1);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return put<int>(to, 0);
    default:
      return Status::not_supported;
  }
}

Status register_host(void* memory, std::size_t bytes) {
  if (memory == nullptr || bytes == 0) return Status::invalid_value;
  Memory& all = device().memory();
  for (const sim::DeviceAllocation* one : all.all())
    if (place(memory) < one->end() && one->address < place(memory) + bytes)
      return Status::host_memory_already_registered;
  return all.take_host(memory, bytes) == nullptr ? Status::not_supported : Status::success;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  return driver_answer([&](Device& on) {
    if (free != nullptr) *free = on.memory().total() - on.memory().used();
    if (total != nullptr) *total = on.memory().total();
    return Status::success;
  });
}
CUresult cuMemAlloc(CUdeviceptr* to, std::size_t bytes) {
  return driver_answer([&](Device&) { return allocate(to, MemoryKind::device, bytes, 0, "cuMemAlloc"); });
}
CUresult lanescope_cuMemAllocAsync(CUdeviceptr* to, std::size_t bytes, CUstream) {
  return driver_answer([&](Device&) { return allocate(to, MemoryKind::device, bytes, 0, "cuMemAllocAsync"); }, goes_on);
}
CUresult cuMemAllocManaged(CUdeviceptr* to, std::size_t bytes, unsigned flags) {
  return driver_answer([&](Device&) { return allocate(to, MemoryKind::managed, bytes, flags, "cuMemAllocManaged"); });
}
CUresult cuMemAllocPitch(CUdeviceptr* to, std::size_t* pitch, std::size_t width, std::size_t height, unsigned) {
  return driver_answer([&](Device&) {
    if (pitch == nullptr) return Status::invalid_value;
    *pitch = (width + 511) / 512 * 512;
    return allocate(to, MemoryKind::device, *pitch * height, 0, "cuMemAllocPitch");
  });
}
CUresult cuMemAllocHost(void** to, std::size_t bytes) {
  return allocate_on_host(to, bytes, 0, "cuMemAllocHost");
}
CUresult cuMemHostAlloc(void** to, std::size_t bytes, unsigned flags) {
  return allocate_on_host(to, bytes, flags, "cuMemHostAlloc");
}
CUresult cuMemFree(CUdeviceptr from) {
  return driver_answer([&](Device& on) { return from == 0 ? Status::success : on.free(from, false, "cuMemFree"); });
}
CUresult lanescope_cuMemFreeAsync(CUdeviceptr from, CUstream) {
  return driver_answer([&](Device& on) { return from == 0 ? Status::success : on.free(from, false, "cuMemFreeAsync"); },
                       goes_on);
}
CUresult cuMemFreeHost(void* from) {
  return driver_answer([&](Device& on) { return on.free(place(from), true, "cuMemFreeHost"); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* to, void* host, unsigned) {
  return driver_answer([&](Device& on) {
    const Allocation* one = on.memory().find(place(host));
    if (to == nullptr || one == nullptr || !one->on_host()) return Status::invalid_value;
    *to = place(host);
    return Status::success;
  });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  return driver_answer([&](Device& on) {
    const Allocation* one = on.memory().find(place(host));
    if (flags == nullptr || one == nullptr || one->kind != MemoryKind::pinned) return Status::invalid_value;
    *flags = one->flags;
    return Status::success;
  });
}
CUresult cuMemHostRegister(void* memory, std::size_t bytes, unsigned) {
  return driver_answer([&](Device&) { return register_host(memory, bytes); });
}
CUresult cuMemHostUnregister(void* memory) {
  return driver_answer([&](Device& on) {
    Allocation* one = on.memory().find(place(memory));
    if (one == nullptr || one->kind != MemoryKind::registered || one->address != place(memory))
      return Status::host_memory_not_registered;
    on.memory().release(one);
    return Status::success;
  });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr at) {
  return driver_answer([&](Device& on) {
    const Allocation* one = on.memory().find(at);
    if (one == nullptr) return Status::not_found;
    if (base != nullptr) *base = one->address;
    if (bytes != nullptr) *bytes = one->bytes;
    return Status::success;
  });
}
CUresult cuPointerGetAttribute(void* to, CUpointer_attribute which, CUdeviceptr at) {
  return driver_answer([&](Device&) { return ask(to, which, at); });
}
// What an attribute does not have is 0, and no error.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* which, void** to, CUdeviceptr at) {
  return driver_answer([&](Device&) {
    for (unsigned i = 0; i < count; ++i)
      if (ask(to[i], which[i], at) != Status::success) {
        const bool wide = which[i] == CU_POINTER_ATTRIBUTE_CONTEXT || which[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                          which[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
                          which[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
                          which[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE || which[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID;
        std::fill_n(static_cast<std::byte*>(to[i]), wide ? 8 : 4, std::byte{0});
      }
    return Status::success;
  });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(to, Side::either, from, Side::either, bytes, "cuMemcpy", waits);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return copy(to, Side::either, from, Side::either, bytes, "cuMemcpyAsync", goes_on);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy(to, Side::device, place(from), Side::host, bytes, "cuMemcpyHtoD", waits);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
  return copy(to, Side::device, place(from), Side::host, bytes, "cuMemcpyHtoDAsync", goes_on);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy(place(to), Side::host, from, Side::device, bytes, "cuMemcpyDtoH", waits);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return copy(place(to), Side::host, from, Side::device, bytes, "cuMemcpyDtoHAsync", goes_on);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyDtoD", waits);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyDtoDAsync", goes_on);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyPeer", waits);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes, CUstream) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyPeerAsync", goes_on);
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what) {
  return copy_2d(what, "cuMemcpy2D", waits);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* what) {
  return copy_2d(what, "cuMemcpy2DUnaligned", waits);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream) {
  return copy_2d(what, "cuMemcpy2DAsync", goes_on);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* what) {
  return copy_3d(what, "cuMemcpy3D", waits);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* what, CUstream) {
  return copy_3d(what, "cuMemcpy3DAsync", goes_on);
}

CUresult cuMemsetD8(CUdeviceptr at, unsigned char value, std::size_t count) {
  return fill(at, 0, value, 1, count, 1, "cuMemsetD8", waits);
}
CUresult cuMemsetD16(CUdeviceptr at, unsigned short value, std::size_t count) {
  return fill(at, 0, value, 2, count, 1, "cuMemsetD16", waits);
}
CUresult cuMemsetD32(CUdeviceptr at, unsigned value, std::size_t count) {
  return fill(at, 0, value, 4, count, 1, "cuMemsetD32", waits);
}
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream) {
  return fill(at, 0, value, 1, count, 1, "cuMemsetD8Async", goes_on);
}
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count, CUstream) {
  return fill(at, 0, value, 2, count, 1, "cuMemsetD16Async", goes_on);
}
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream) {
  return fill(at, 0, value, 4, count, 1, "cuMemsetD32Async", goes_on);
}
CUresult cuMemsetD2D8(CUdeviceptr at, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
  return fill(at, pitch, value, 1, width, height, "cuMemsetD2D8", waits);
}
CUresult cuMemsetD2D16(CUdeviceptr at, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
  return fill(at, pitch, value, 2, width, height, "cuMemsetD2D16", waits);
}
CUresult cuMemsetD2D32(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return fill(at, pitch, value, 4, width, height, "cuMemsetD2D32", waits);
}

}  // extern "C"
