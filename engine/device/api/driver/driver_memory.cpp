// Memory of the driver API.

#include <algorithm>
#include <set>

#include "device/api/driver/driver.h"
#include "device/api/host_memory.h"
#include "device/api/texture_objects.h"

namespace lanescope::device::api {

namespace {

using Side = Device::Side;

Status allocate(CUdeviceptr* to, MemoryKind kind, std::size_t bytes, unsigned flags, const char* call) {
  if (to == nullptr || bytes == 0) return Status::invalid_value;
  if (const Status status = allowed_while_capturing(); status != Status::success) return status;
  Allocation* made = device().memory().allocate(kind, bytes, call);
  if (made == nullptr) return Status::memory_allocation;
  made->flags = flags;
  made->context = current_context();
  *to = made->address;
  return Status::success;
}

CUresult allocate_on_host(void** to, std::size_t bytes, unsigned flags, const char* call) {
  constexpr unsigned known_flags = 7;
  if (to == nullptr || (flags & ~known_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
  CUdeviceptr at = 0;
  if (bytes == 0) return *to = nullptr, driver_answer([](Device&) { return Status::success; });
  const CUresult result = driver_answer([&](Device&) { return allocate(&at, MemoryKind::pinned, bytes, flags, call); });
  if (result == CUDA_SUCCESS) *to = reinterpret_cast<void*>(at);
  return result;
}

CUresult copy(std::uint64_t to, Side to_side, std::uint64_t from, Side from_side, std::size_t bytes, const char* call,
              Order order) {
  return in_order(order, NodeKind::memcpy, [=](Device& on) {
    return bytes == 0 ? Status::success : on.copy({to, bytes, to_side}, {from, bytes, from_side}, call);
  });
}

constexpr Order waits{};
Order goes_on(CUstream stream) {
  return {Reports::nothing, stream};
}

CUresult fill_rows(CUdeviceptr at, std::size_t pitch, std::uint32_t value, std::uint32_t bytes, std::size_t width,
                   std::size_t height, const char* call, Order order) {
  if (at % bytes != 0 || (height > 1 && (width * bytes > pitch || pitch % bytes != 0))) return CUDA_ERROR_INVALID_VALUE;
  return in_order(order, NodeKind::memset, [=](Device& on) {
    for (std::size_t row = 0; row < height; ++row)
      if (const Status status = on.fill(at + row * pitch, value, bytes, width, call); status != Status::success)
        return status;
    return Status::success;
  });
}

// One end of a two- or three-dimensional copy.
struct End {
  CUmemorytype type{};
  const void* host = nullptr;
  CUdeviceptr on_device = 0;
  CUarray array = nullptr;
  std::uint64_t pitch = 0, height = 0, x = 0, y = 0, z = 0;  // x in bytes; height: rows of a slice
};

Status block_of(const End& end, std::uint64_t width, std::uint64_t rows, std::uint64_t slices, const char* call,
                Device::Block& to) {
  if (end.type == CU_MEMORYTYPE_ARRAY) {
    const Array* array = device().textures().array(end.array);
    if (array == nullptr) return Status::invalid_value;
    const std::uint64_t pitch = array->texels.pitch();
    to = {box_of(*array, {end.x, end.y, end.z}, {width, rows, slices}, call), pitch, pitch * array->texels.rows(),
          Side::device};
    return to.address == 0 ? Status::invalid_value : Status::success;
  }
  const std::uint64_t pitch = end.pitch != 0 ? end.pitch : width;
  const std::uint64_t height = end.height != 0 ? end.height : rows;
  if (width > pitch || (slices > 1 && end.y + rows > height)) return Status::invalid_value;
  const bool on_host = end.type == CU_MEMORYTYPE_HOST;
  const std::uint64_t first = on_host ? place(end.host) : end.on_device;
  to = {first + (end.z * height + end.y) * pitch + end.x, pitch, height * pitch,
        on_host                            ? Side::host
        : end.type == CU_MEMORYTYPE_DEVICE ? Side::device
                                           : Side::either};
  return Status::success;
}

Status copy_block(const End& to, const End& from, std::uint64_t width, std::uint64_t rows, std::uint64_t slices,
                  const char* call, Doing doing = Doing::all_of_it) {
  Device::Block target, source;
  Status status = block_of(to, width, rows, slices, call, target);
  if (status == Status::success) status = block_of(from, width, rows, slices, call, source);
  if (status != Status::success) return status;
  if (doing == Doing::all_of_it) return device().copy_block(target, source, width, rows, slices, call);
  status = check_block_later(target, width, rows, slices, call);
  return status == Status::success ? check_block_later(source, width, rows, slices, call) : status;
}

CUresult copy_2d(const CUDA_MEMCPY2D* what, const char* call, Order order) {
  if (what == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return in_order(order, NodeKind::memcpy, [told = *what, call](Device&) {
    return copy_block({told.dstMemoryType, told.dstHost, told.dstDevice, told.dstArray, told.dstPitch, told.Height,
                       told.dstXInBytes, told.dstY, 0},
                      {told.srcMemoryType, told.srcHost, told.srcDevice, told.srcArray, told.srcPitch, told.Height,
                       told.srcXInBytes, told.srcY, 0},
                      told.WidthInBytes, told.Height, 1, call);
  });
}

CUresult copy_3d(const CUDA_MEMCPY3D* what, const char* call, Order order) {
  if (what == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return in_order(order, NodeKind::memcpy, [told = *what, call](Device&) { return copy_as_told(told, call); });
}

// All contexts see the same memory, so a copy between two of them is a copy.
CUresult copy_between_contexts(const CUDA_MEMCPY3D_PEER* what, const char* call, Order order) {
  if (what == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D same{};
  same.srcXInBytes = what->srcXInBytes, same.srcY = what->srcY, same.srcZ = what->srcZ;
  same.srcMemoryType = what->srcMemoryType, same.srcHost = what->srcHost;
  same.srcDevice = what->srcDevice, same.srcArray = what->srcArray;
  same.srcPitch = what->srcPitch, same.srcHeight = what->srcHeight;
  same.dstXInBytes = what->dstXInBytes, same.dstY = what->dstY, same.dstZ = what->dstZ;
  same.dstMemoryType = what->dstMemoryType, same.dstHost = what->dstHost;
  same.dstDevice = what->dstDevice, same.dstArray = what->dstArray;
  same.dstPitch = what->dstPitch, same.dstHeight = what->dstHeight;
  same.WidthInBytes = what->WidthInBytes, same.Height = what->Height, same.Depth = what->Depth;
  return copy_3d(&same, call, order);
}

// Copies between a one-dimensional array and other memory.
CUresult copy_run(CUarray array, std::size_t offset, CUmemorytype type, void* host, CUdeviceptr memory, bool to_array,
                  std::size_t bytes, const char* call, Order order) {
  return in_order(order, NodeKind::memcpy, [=](Device&) {
    const End in_array{CU_MEMORYTYPE_ARRAY, nullptr, 0, array, 0, 1, offset, 0, 0};
    const End other{type, host, memory, nullptr, bytes, 1, 0, 0, 0};
    return to_array ? copy_block(in_array, other, bytes, 1, 1, call) : copy_block(other, in_array, bytes, 1, 1, call);
  });
}

template <typename T>
Status put(void* to, T value) {
  *static_cast<T*>(to) = value;
  return Status::success;
}

// Allocations whose copies shall wait (CU_POINTER_ATTRIBUTE_SYNC_MEMOPS), as all do here. No address is used twice.
std::set<std::uint64_t>& wanted_to_wait() {
  static auto* const made = new std::set<std::uint64_t>;
  return *made;
}

Status ask(void* to, CUpointer_attribute which, CUdeviceptr at) {
  const Allocation* one = device().memory().find(at);
  if (to == nullptr) return Status::invalid_value;
  if (one == nullptr) return Status::invalid_value;
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      if (one->pool != nullptr) return put<const void*>(to, nullptr);
      return put<const void*>(to, one->context != nullptr ? one->context : current_context());
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
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return put<const void*>(to, one->pool);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return put<int>(to, 1);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return put<unsigned>(to, wanted_to_wait().contains(one->address));
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return put<unsigned long long>(to, CU_MEM_HANDLE_TYPE_NONE);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return put<int>(to, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return put<CUdeviceptr>(to, one->address);
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return put<std::size_t>(to, one->bytes);
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return put<unsigned long long>(to, one->address);
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return put<int>(to, 0);
    default:
      return Status::invalid_value;
  }
}

}  // namespace

Status copy_as_told(const CUDA_MEMCPY3D& what, const char* call, Doing doing) {
  return copy_block({what.dstMemoryType, what.dstHost, what.dstDevice, what.dstArray, what.dstPitch, what.dstHeight,
                     what.dstXInBytes, what.dstY, what.dstZ},
                    {what.srcMemoryType, what.srcHost, what.srcDevice, what.srcArray, what.srcPitch, what.srcHeight,
                     what.srcXInBytes, what.srcY, what.srcZ},
                    what.WidthInBytes, what.Height, what.Depth, call, doing);
}

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
CUresult cuMemAllocManaged(CUdeviceptr* to, std::size_t bytes, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return driver_answer([&](Device&) { return allocate(to, MemoryKind::managed, bytes, flags, "cuMemAllocManaged"); });
}
CUresult cuMemAllocPitch(CUdeviceptr* to, std::size_t* pitch, std::size_t width, std::size_t height,
                         unsigned element_bytes) {
  return driver_answer([&](Device&) {
    if (pitch == nullptr || (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
      return Status::invalid_value;
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
  return driver_answer(
      [&](Device& on) {
        if (const Status status = allowed_while_capturing(); status != Status::success) return status;
        return from == 0 ? Status::success : on.free(from, false, "cuMemFree");
      },
      Reports::earlier_faults, Needs::driver);
}
CUresult cuMemFreeHost(void* from) {
  return driver_answer(
      [&](Device& on) { return from == nullptr ? Status::success : on.free(place(from), true, "cuMemFreeHost"); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* to, void* host, unsigned flags) {
  return driver_answer([&](Device& on) {
    const Allocation* one = on.memory().find(place(host));
    if (to == nullptr || flags != 0 || one == nullptr || !one->on_host() || one->kind == MemoryKind::managed)
      return Status::invalid_value;
    *to = place(host);
    return Status::success;
  });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  return driver_answer([&](Device&) { return flags_of_host(host, flags); });
}
CUresult cuMemHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  return driver_answer([&](Device&) { return register_host(memory, bytes, flags, "cuMemHostRegister"); });
}
CUresult cuMemHostUnregister(void* memory) {
  return driver_answer([&](Device&) { return unregister_host(memory); });
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
// A property that does not apply is 0; it is not an error.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* which, void** to, CUdeviceptr at) {
  return driver_answer([&](Device&) {
    if (count == 0 || which == nullptr || to == nullptr) return Status::invalid_value;
    const auto is_known = [](CUpointer_attribute one) {
      return one >= CU_POINTER_ATTRIBUTE_CONTEXT && one <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
    };
    if (!std::all_of(which, which + count, is_known)) return Status::invalid_value;
    for (unsigned i = 0; i < count; ++i)
      if (ask(to[i], which[i], at) != Status::success) {
        const bool wide = which[i] == CU_POINTER_ATTRIBUTE_CONTEXT || which[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                          which[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
                          which[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
                          which[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE || which[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID ||
                          which[i] == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
        std::fill_n(static_cast<std::byte*>(to[i]), wide ? 8 : 4, std::byte{0});
      }
    return Status::success;
  });
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute which, CUdeviceptr at) {
  return driver_answer([&](Device& on) {
    const Allocation* one = on.memory().find(at);
    if (value == nullptr || one == nullptr || which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return Status::invalid_value;
    if (*static_cast<const unsigned*>(value) != 0)
      wanted_to_wait().insert(one->address);
    else
      wanted_to_wait().erase(one->address);
    return Status::success;
  });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(to, Side::either, from, Side::either, bytes, "cuMemcpy", waits);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy(to, Side::either, from, Side::either, bytes, "cuMemcpyAsync", goes_on(stream));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy(to, Side::device, place(from), Side::host, bytes, "cuMemcpyHtoD", waits);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return copy(to, Side::device, place(from), Side::host, bytes, "cuMemcpyHtoDAsync", goes_on(stream));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy(place(to), Side::host, from, Side::device, bytes, "cuMemcpyDtoH", waits);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy(place(to), Side::host, from, Side::device, bytes, "cuMemcpyDtoHAsync", goes_on(stream));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyDtoD", waits);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyDtoDAsync", goes_on(stream));
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyPeer", waits);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes, CUstream stream) {
  return copy(to, Side::device, from, Side::device, bytes, "cuMemcpyPeerAsync", goes_on(stream));
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what) {
  return copy_2d(what, "cuMemcpy2D", waits);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* what) {
  return copy_2d(what, "cuMemcpy2DUnaligned", waits);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream stream) {
  return copy_2d(what, "cuMemcpy2DAsync", goes_on(stream));
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* what) {
  return copy_3d(what, "cuMemcpy3D", waits);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* what, CUstream stream) {
  return copy_3d(what, "cuMemcpy3DAsync", goes_on(stream));
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* what) {
  return copy_between_contexts(what, "cuMemcpy3DPeer", waits);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* what, CUstream stream) {
  return copy_between_contexts(what, "cuMemcpy3DPeerAsync", goes_on(stream));
}

CUresult cuMemcpyHtoA(CUarray to, std::size_t offset, const void* from, std::size_t bytes) {
  return copy_run(to, offset, CU_MEMORYTYPE_HOST, const_cast<void*>(from), 0, true, bytes, "cuMemcpyHtoA", waits);
}
CUresult cuMemcpyHtoAAsync(CUarray to, std::size_t offset, const void* from, std::size_t bytes, CUstream stream) {
  return copy_run(to, offset, CU_MEMORYTYPE_HOST, const_cast<void*>(from), 0, true, bytes, "cuMemcpyHtoAAsync",
                  goes_on(stream));
}
CUresult cuMemcpyAtoH(void* to, CUarray from, std::size_t offset, std::size_t bytes) {
  return copy_run(from, offset, CU_MEMORYTYPE_HOST, to, 0, false, bytes, "cuMemcpyAtoH", waits);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, std::size_t offset, std::size_t bytes, CUstream stream) {
  return copy_run(from, offset, CU_MEMORYTYPE_HOST, to, 0, false, bytes, "cuMemcpyAtoHAsync", goes_on(stream));
}
CUresult cuMemcpyDtoA(CUarray to, std::size_t offset, CUdeviceptr from, std::size_t bytes) {
  return copy_run(to, offset, CU_MEMORYTYPE_DEVICE, nullptr, from, true, bytes, "cuMemcpyDtoA", waits);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, std::size_t offset, std::size_t bytes) {
  return copy_run(from, offset, CU_MEMORYTYPE_DEVICE, nullptr, to, false, bytes, "cuMemcpyAtoD", waits);
}

CUresult cuMemsetD8(CUdeviceptr at, unsigned char value, std::size_t count) {
  return fill_rows(at, 0, value, 1, count, 1, "cuMemsetD8", waits);
}
CUresult cuMemsetD16(CUdeviceptr at, unsigned short value, std::size_t count) {
  return fill_rows(at, 0, value, 2, count, 1, "cuMemsetD16", waits);
}
CUresult cuMemsetD32(CUdeviceptr at, unsigned value, std::size_t count) {
  return fill_rows(at, 0, value, 4, count, 1, "cuMemsetD32", waits);
}
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream stream) {
  return fill_rows(at, 0, value, 1, count, 1, "cuMemsetD8Async", goes_on(stream));
}
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count, CUstream stream) {
  return fill_rows(at, 0, value, 2, count, 1, "cuMemsetD16Async", goes_on(stream));
}
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream stream) {
  return fill_rows(at, 0, value, 4, count, 1, "cuMemsetD32Async", goes_on(stream));
}
CUresult cuMemsetD2D8(CUdeviceptr at, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
  return fill_rows(at, pitch, value, 1, width, height, "cuMemsetD2D8", waits);
}
CUresult cuMemsetD2D16(CUdeviceptr at, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
  return fill_rows(at, pitch, value, 2, width, height, "cuMemsetD2D16", waits);
}
CUresult cuMemsetD2D32(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return fill_rows(at, pitch, value, 4, width, height, "cuMemsetD2D32", waits);
}

}  // extern "C"
