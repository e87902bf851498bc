// Memory of the runtime API: allocation, copies, fills, attributes of pointers.

#include "device/api/host_memory.h"
#include "device/api/runtime/properties_12.h"
#include "device/api/runtime/runtime.h"

#include <cstring>

namespace lanescope::device::api {

namespace {

using Side = Device::Side;
using Range = Device::Range;

Status allocate(MemoryKind kind, void** to, std::size_t bytes, unsigned flags, const char* call) {
  if (to == nullptr) return Status::invalid_value;
  if (const Status status = allowed_while_capturing(); status != Status::success) return status;
  if (bytes == 0) {
    *to = nullptr;
    return Status::success;
  }
  Allocation* made = device().memory().allocate(kind, bytes, call);
  if (made == nullptr) return Status::memory_allocation;
  made->flags = flags;
  made->context = current_context();
  *to = pointer(made->address);
  return Status::success;
}

Status release_memory(void* from, bool host, const char* call) {
  if (const Status status = allowed_while_capturing(); status != Status::success) return status;
  return from == nullptr ? Status::success : device().free(address(from), host, call);
}

Status copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* call) {
  if (bytes == 0) return Status::success;
  Sides sides;
  if (const Status status = sides_of(kind, sides); status != Status::success) return status;
  return device().copy({address(to), bytes, sides.to}, {address(from), bytes, sides.from}, call);
}

Status check_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* call) {
  if (bytes == 0) return Status::success;
  Sides sides;
  Status status = sides_of(kind, sides);
  if (status == Status::success) status = check_later({address(to), bytes, sides.to}, call);
  return status == Status::success ? check_later({address(from), bytes, sides.from}, call) : status;
}

Status copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
               std::size_t height, cudaMemcpyKind kind, const char* call) {
  if (width == 0 || height == 0) return Status::success;
  Sides sides;
  if (const Status status = sides_of(kind, sides); status != Status::success) return status;
  if (width > to_pitch || width > from_pitch) return height == 1 ? Status::invalid_value : Status::invalid_pitch;
  return device().copy_rows({address(to), width, sides.to}, to_pitch, {address(from), width, sides.from}, from_pitch,
                            height, call);
}

// `by_host` is the direction in which the call copies if the other side is the host.
Status copy_symbol(const void* symbol, cudaMemcpyKind by_host, const void* other, std::size_t bytes, std::size_t offset,
                   cudaMemcpyKind kind, const char* call) {
  if (bytes == 0) return Status::success;
  if (kind != by_host && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return Status::invalid_memcpy_direction;
  Status status = Status::success;
  const Allocation* variable = variable_of(symbol, status);
  if (variable == nullptr) return status;
  const std::uint64_t at = variable->address + offset;
  if (offset > variable->bytes) return Status::invalid_value;
  if (by_host == cudaMemcpyHostToDevice) return copy(pointer(at), other, bytes, kind, call);
  return copy(const_cast<void*>(other), pointer(at), bytes, kind, call);
}

Status fill_rows(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height, const char* call) {
  if (width > pitch && height > 1) return Status::invalid_value;
  for (std::size_t row = 0; row < height; ++row)
    if (const Status status =
            device().fill(address(at) + row * pitch, static_cast<unsigned char>(value), 1, width, call);
        status != Status::success)
      return status;
  return Status::success;
}

}  // namespace

Status fill_as_told(const cudaMemsetParams& what, const char* call) {
  if (what.elementSize != 1 && what.elementSize != 2 && what.elementSize != 4) return Status::invalid_value;
  for (std::size_t row = 0; row < what.height; ++row)
    if (const Status status =
            device().fill(address(what.dst) + row * what.pitch, what.value, what.elementSize, what.width, call);
        status != Status::success)
      return status;
  return Status::success;
}

namespace {

Status fill_3d(const cudaPitchedPtr& at, int value, const cudaExtent& extent, const char* call) {
  if (extent.depth > 1 && extent.height > at.ysize) return Status::invalid_value;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    void* layer = pointer(address(at.ptr) + z * at.ysize * at.pitch);
    if (const Status status = fill_rows(layer, at.pitch, value, extent.width, extent.height, call);
        status != Status::success)
      return status;
  }
  return Status::success;
}

constexpr std::size_t pitch_alignment = 512;

Status allocate_pitched(void** to, std::size_t* pitch, std::size_t width, std::size_t height, const char* call) {
  if (pitch == nullptr || width > ~std::size_t{0} / 2) return Status::invalid_value;
  *pitch = height == 0 ? 0 : (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  if (*pitch != 0 && height > ~std::size_t{0} / *pitch) return Status::invalid_value;
  return allocate(MemoryKind::device, to, *pitch * height, 0, call);
}

Status pointer_attributes(cudaPointerAttributes* to, const void* of) {
  if (to == nullptr) return Status::invalid_value;
  *to = {};
  to->device = 0;
  const Allocation* one = device().memory().find(address(of));
  if (one == nullptr) {
    to->type = cudaMemoryTypeUnregistered;
    to->device = cudaInvalidDeviceId;
    to->hostPointer = const_cast<void*>(of);
    return Status::success;
  }
  to->type = one->kind == MemoryKind::managed ? cudaMemoryTypeManaged
             : one->on_host()                 ? cudaMemoryTypeHost
                                              : cudaMemoryTypeDevice;
  to->devicePointer = const_cast<void*>(of);
  if (one->on_host()) to->hostPointer = const_cast<void*>(of);
  return Status::success;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaMalloc(void** to, std::size_t bytes) {
  return answer([&](Device&) { return allocate(MemoryKind::device, to, bytes, 0, "cudaMalloc"); });
}
cudaError_t cudaFree(void* from) {
  return answer([&](Device&) { return release_memory(from, false, "cudaFree"); });
}
cudaError_t cudaMallocHost(void** to, std::size_t bytes) {
  return answer([&](Device&) { return allocate(MemoryKind::pinned, to, bytes, 0, "cudaMallocHost"); });
}
cudaError_t cudaHostAlloc(void** to, std::size_t bytes, unsigned flags) {
  if ((flags & ~7u) != 0) return remember(Status::invalid_value);
  return answer([&](Device&) { return allocate(MemoryKind::pinned, to, bytes, flags, "cudaHostAlloc"); });
}
cudaError_t cudaFreeHost(void* from) {
  return answer([&](Device&) { return release_memory(from, true, "cudaFreeHost"); });
}
cudaError_t cudaMallocManaged(void** to, std::size_t bytes, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return remember(Status::invalid_value);
  return answer([&](Device&) { return allocate(MemoryKind::managed, to, bytes, flags, "cudaMallocManaged"); });
}
cudaError_t cudaMallocPitch(void** to, std::size_t* pitch, std::size_t width, std::size_t height) {
  return answer([&](Device&) { return allocate_pitched(to, pitch, width, height, "cudaMallocPitch"); });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* to, cudaExtent extent) {
  return answer([&](Device&) {
    if (to == nullptr) return Status::invalid_value;
    to->xsize = extent.width;
    to->ysize = extent.height;
    return allocate_pitched(&to->ptr, &to->pitch, extent.width, extent.height * extent.depth, "cudaMalloc3D");
  });
}
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  return answer([&](Device&) { return register_host(memory, bytes, flags, "cudaHostRegister"); });
}
cudaError_t cudaHostUnregister(void* memory) {
  return answer([&](Device&) { return unregister_host(memory); });
}
cudaError_t cudaHostGetDevicePointer(void** to, void* host, unsigned flags) {
  return answer([&](Device& on) {
    const Allocation* one = on.memory().find(address(host));
    if (to == nullptr || flags != 0 || one == nullptr || !one->on_host() || one->kind == MemoryKind::managed)
      return Status::invalid_value;
    *to = host;
    return Status::success;
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return answer([&](Device&) { return flags_of_host(host, flags); });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* to, const void* of) {
  return answer_after_a_fault([&](Device&) { return pointer_attributes(to, of); });
}
cudaError_t cudaPointerGetAttributes_of_12(PointerAttributesOfCuda12* to, const void* of) {
  return answer([&](Device&) {
    cudaPointerAttributes found;
    const Status status = pointer_attributes(to == nullptr ? nullptr : &found, of);
    if (status == Status::success) *to = {found.type, found.device, found.devicePointer, found.hostPointer};
    return status;
  });
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return answer([&](Device& on) {
    if (free != nullptr) *free = on.memory().total() - on.memory().used();
    if (total != nullptr) *total = on.memory().total();
    return Status::success;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return answer_after_a_fault([](Device&) { return Status::success; });
  return in_legacy_stream([&](Device&) { return copy(to, from, bytes, kind, "cudaMemcpy"); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(
      stream, NodeKind::memcpy, [=](Device&) { return copy(to, from, bytes, kind, "cudaMemcpyAsync"); },
      [=] { return check_copy(to, from, bytes, kind, "cudaMemcpyAsync"); });
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  if (to_device != 0 || from_device != 0) return remember(Status::invalid_device);
  return in_legacy_stream([&](Device&) { return copy(to, from, bytes, cudaMemcpyDeviceToDevice, "cudaMemcpyPeer"); });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t) {
  return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  return in_legacy_stream(
      [&](Device&) { return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2D"); });
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memcpy, [=](Device&) {
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2DAsync");
  });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
  return in_legacy_stream([&](Device&) {
    return copy_symbol(symbol, cudaMemcpyHostToDevice, from, bytes, offset, kind, "cudaMemcpyToSymbol");
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memcpy, [=](Device&) {
    return copy_symbol(symbol, cudaMemcpyHostToDevice, from, bytes, offset, kind, "cudaMemcpyToSymbolAsync");
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return in_legacy_stream([&](Device&) {
    return copy_symbol(symbol, cudaMemcpyDeviceToHost, to, bytes, offset, kind, "cudaMemcpyFromSymbol");
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memcpy, [=](Device&) {
    return copy_symbol(symbol, cudaMemcpyDeviceToHost, to, bytes, offset, kind, "cudaMemcpyFromSymbolAsync");
  });
}
cudaError_t cudaGetSymbolAddress(void** to, const void* symbol) {
  return answer([&](Device&) {
    Status status = Status::success;
    const Allocation* variable = variable_of(symbol, status);
    if (to == nullptr) return Status::invalid_value;
    if (variable != nullptr) *to = pointer(variable->address);
    return status;
  });
}
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return answer([&](Device&) {
    Status status = Status::success;
    const Allocation* variable = variable_of(symbol, status);
    if (bytes == nullptr) return Status::invalid_value;
    if (variable != nullptr) *bytes = variable->bytes;
    return status;
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr at, int value, cudaExtent extent) {
  return in_legacy_stream([&](Device&) { return fill_3d(at, value, extent, "cudaMemset3D"); });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr at, int value, cudaExtent extent, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memset, [=](Device&) { return fill_3d(at, value, extent, "cudaMemset3DAsync"); });
}
cudaError_t cudaMemset(void* at, int value, std::size_t bytes) {
  return in_legacy_stream([&](Device&) { return fill_rows(at, bytes, value, bytes, 1, "cudaMemset"); });
}
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memset,
                   [=](Device&) { return fill_rows(at, bytes, value, bytes, 1, "cudaMemsetAsync"); });
}
cudaError_t cudaMemset2D(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return in_legacy_stream([&](Device&) { return fill_rows(at, pitch, value, width, height, "cudaMemset2D"); });
}
cudaError_t cudaMemset2DAsync(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  return in_stream(stream, NodeKind::memset,
                   [=](Device&) { return fill_rows(at, pitch, value, width, height, "cudaMemset2DAsync"); });
}

}  // extern "C"
