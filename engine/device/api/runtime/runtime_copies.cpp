// Copies of the runtime API with three dimensions or with an array.

#include <optional>

#include "device/api/runtime/runtime.h"
#include "device/api/texture_objects.h"

namespace lanescope::device::api {

using Side = Device::Side;

Status sides_of(cudaMemcpyKind kind, Sides& sides) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      sides = {Side::host, Side::host};
      return Status::success;
    case cudaMemcpyHostToDevice:
      sides = {Side::device, Side::host};
      return Status::success;
    case cudaMemcpyDeviceToHost:
      sides = {Side::host, Side::device};
      return Status::success;
    case cudaMemcpyDeviceToDevice:
      sides = {Side::device, Side::device};
      return Status::success;
    case cudaMemcpyDefault:
      sides = {};
      return Status::success;
  }
  return Status::invalid_memcpy_direction;
}

namespace {

// The bytes of an element: the unit of extents and positions if an array takes part, else 1.
std::uint64_t element_of(const cudaMemcpy3DParms& what) {
  for (const cudaArray_t handle : {what.dstArray, what.srcArray})
    if (const Array* array = device().textures().array(handle)) return array->texels.texel_bytes();
  return 1;
}

Device::Block block_of(const Array& array, std::uint64_t at) {
  return {at, array.texels.pitch(), array.texels.pitch() * array.texels.rows(), Side::device};
}

// A single row needs no pitch.
Status check_pitched(const cudaPitchedPtr& memory, const cudaPos& at, std::uint64_t width, const cudaExtent& extent) {
  const bool one_row = extent.height == 1 && extent.depth == 1;
  if (one_row && memory.pitch == 0) return Status::success;
  if (width > memory.pitch) return one_row ? Status::invalid_value : Status::invalid_pitch;
  if (extent.depth > 1 && extent.height > memory.ysize) return Status::invalid_pitch;
  const bool fits = at.x + width <= memory.pitch && at.y + extent.height <= memory.ysize;
  return fits ? Status::success : Status::invalid_value;
}

Status end_of(cudaArray_t handle, const cudaPitchedPtr& memory, const cudaPos& at, Side side, std::uint64_t width,
              const cudaExtent& extent, const char* call, Device::Block& to) {
  if (handle != nullptr) {
    const Array* array = device().textures().array(handle);
    if (array == nullptr || memory.ptr != nullptr) return Status::invalid_value;
    const std::uint64_t from =
        box_of(*array, {at.x * array->texels.texel_bytes(), at.y, at.z}, {width, extent.height, extent.depth}, call);
    to = block_of(*array, from);
    return from == 0 ? Status::invalid_value : Status::success;
  }
  if (width == 0 || extent.height == 0 || extent.depth == 0) return to = {}, Status::success;
  if (const Status status = check_pitched(memory, at, width, extent); status != Status::success) return status;
  const std::uint64_t slice = memory.pitch * memory.ysize;
  to = {address(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x, memory.pitch, slice, side};
  return Status::success;
}

// A rectangle in an array of one or two dimensions.
struct Rectangle {
  const void* array = nullptr;
  std::size_t x = 0, y = 0;
};
Status block_of(const Rectangle& what, std::size_t width, std::size_t height, const char* call, Device::Block& to) {
  const Array* array = device().textures().array(what.array);
  if (array == nullptr) return Status::invalid_handle;
  const std::uint64_t from = box_of(*array, {what.x, what.y, 0}, {width, height, 1}, call);
  to = block_of(*array, from);
  return from == 0 ? Status::invalid_value : Status::success;
}

Status to_array(const Rectangle& to, const void* from, std::size_t pitch, std::size_t width, std::size_t height,
                cudaMemcpyKind kind, const char* call) {
  Sides sides;
  if (const Status status = sides_of(kind, sides); status != Status::success) return status;
  if (sides.to == Side::host) return Status::invalid_memcpy_direction;
  if (width > pitch) return height == 1 ? Status::invalid_value : Status::invalid_pitch;
  Device::Block block;
  if (const Status status = block_of(to, width, height, call, block); status != Status::success) return status;
  return device().copy_block(block, {address(from), pitch, 0, sides.from}, width, height, 1, call);
}

Status from_array(void* to, std::size_t pitch, const Rectangle& from, std::size_t width, std::size_t height,
                  cudaMemcpyKind kind, const char* call) {
  Sides sides;
  if (const Status status = sides_of(kind, sides); status != Status::success) return status;
  if (sides.from == Side::host) return Status::invalid_memcpy_direction;
  if (width > pitch) return height == 1 ? Status::invalid_value : Status::invalid_pitch;
  Device::Block block;
  if (const Status status = block_of(from, width, height, call, block); status != Status::success) return status;
  return device().copy_block({address(to), pitch, 0, sides.to}, block, width, height, 1, call);
}

Status between_arrays(const Rectangle& to, const Rectangle& from, std::size_t width, std::size_t height,
                      cudaMemcpyKind kind, const char* call) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return Status::invalid_memcpy_direction;
  if (to.array == nullptr || from.array == nullptr) return Status::invalid_value;
  Device::Block target, source;
  Status status = block_of(to, width, height, call, target);
  if (status == Status::success) status = block_of(from, width, height, call, source);
  return status == Status::success ? device().copy_block(target, source, width, height, 1, call) : status;
}

// A run of bytes that may continue in the next row: the rows of an array are contiguous.
std::optional<std::uint64_t> run_of(const Rectangle& what, std::size_t bytes, const char* call) {
  const Array* array = device().textures().array(what.array);
  if (array == nullptr) return std::nullopt;
  const std::uint64_t from = array->find(what.x, what.y, 0, 0, 0, 0);
  const bool fits = from != 0 && from - array->address() + bytes <= array->texels.bytes();
  if (!fits) box_of(*array, {what.x, what.y, 0}, {bytes, 1, 1}, call);  // says it
  return fits ? std::optional(from) : std::nullopt;
}

Status run_to_array(const Rectangle& to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* call) {
  Sides sides;
  if (const Status status = sides_of(kind, sides); status != Status::success) return status;
  const std::optional<std::uint64_t> at = run_of(to, bytes, call);
  if (!at) return Status::invalid_value;
  return device().copy({*at, bytes, Side::device}, {address(from), bytes, sides.from}, call);
}

Status run_from_array(void* to, const Rectangle& from, std::size_t bytes, cudaMemcpyKind kind, const char* call) {
  Sides sides;
  if (const Status status = sides_of(kind, sides); status != Status::success) return status;
  const std::optional<std::uint64_t> at = run_of(from, bytes, call);
  if (!at) return Status::invalid_value;
  return device().copy({address(to), bytes, sides.to}, {*at, bytes, Side::device}, call);
}

Status run_between_arrays(const Rectangle& to, const Rectangle& from, std::size_t bytes, const char* call) {
  const std::optional<std::uint64_t> target = run_of(to, bytes, call), source = run_of(from, bytes, call);
  if (!target || !source) return Status::invalid_value;
  return device().copy({*target, bytes, Side::device}, {*source, bytes, Side::device}, call);
}

cudaMemcpy3DParms of_peers(const cudaMemcpy3DPeerParms& what) {
  return {what.srcArray, what.srcPos, what.srcPtr, what.dstArray,
          what.dstPos,   what.dstPtr, what.extent, cudaMemcpyDeviceToDevice};
}

}  // namespace

Status copy_as_told(const cudaMemcpy3DParms& what, const char* call, Doing doing) {
  Sides sides;
  if (const Status status = sides_of(what.kind, sides); status != Status::success) return status;
  const std::uint64_t width = what.extent.width * element_of(what);
  Device::Block to, from;
  Status status = end_of(what.dstArray, what.dstPtr, what.dstPos, sides.to, width, what.extent, call, to);
  if (status == Status::success)
    status = end_of(what.srcArray, what.srcPtr, what.srcPos, sides.from, width, what.extent, call, from);
  if (status != Status::success) return status;
  if (doing == Doing::all_of_it)
    return device().copy_block(to, from, width, what.extent.height, what.extent.depth, call);
  status = check_block_later(to, width, what.extent.height, what.extent.depth, call);
  if (status != Status::success) return status;
  return check_block_later(from, width, what.extent.height, what.extent.depth, call);
}

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  if (what == nullptr) return remember(Status::invalid_value);
  return in_legacy_stream([&](Device&) { return copy_as_told(*what, "cudaMemcpy3D"); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  if (what == nullptr) return remember(Status::invalid_value);
  return in_stream(stream, NodeKind::memcpy,
                   [told = *what](Device&) { return copy_as_told(told, "cudaMemcpy3DAsync"); });
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* what) {
  if (what == nullptr) return remember(Status::invalid_value);
  if (what->srcDevice != 0 || what->dstDevice != 0) return remember(Status::invalid_device);
  return in_legacy_stream([&](Device&) { return copy_as_told(of_peers(*what), "cudaMemcpy3DPeer"); });
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* what, cudaStream_t stream) {
  if (what == nullptr) return remember(Status::invalid_value);
  if (what->srcDevice != 0 || what->dstDevice != 0) return remember(Status::invalid_device);
  return in_stream(stream, NodeKind::memcpy,
                   [told = of_peers(*what)](Device&) { return copy_as_told(told, "cudaMemcpy3DPeerAsync"); });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return in_legacy_stream([&](Device&) {
    return to_array({to, x, y}, from, pitch, width, height, kind, "cudaMemcpy2DToArray");
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memcpy, [=](Device&) {
    return to_array({to, x, y}, from, pitch, width, height, kind, "cudaMemcpy2DToArrayAsync");
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return in_legacy_stream([&](Device&) {
    return from_array(to, pitch, {from, x, y}, width, height, kind, "cudaMemcpy2DFromArray");
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return in_stream(stream, NodeKind::memcpy, [=](Device&) {
    return from_array(to, pitch, {from, x, y}, width, height, kind, "cudaMemcpy2DFromArrayAsync");
  });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                     std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind) {
  return in_legacy_stream([&](Device&) {
    return between_arrays({to, to_x, to_y}, {from, x, y}, width, height, kind, "cudaMemcpy2DArrayToArray");
  });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                   std::size_t x, std::size_t y, std::size_t bytes, cudaMemcpyKind) {
  return in_legacy_stream([&](Device&) {
    return run_between_arrays({to, to_x, to_y}, {from, x, y}, bytes, "cudaMemcpyArrayToArray");
  });
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                              cudaMemcpyKind kind) {
  return in_legacy_stream([&](Device&) { return run_to_array({to, x, y}, from, bytes, kind, "cudaMemcpyToArray"); });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memcpy, [=](Device&) {
    return run_to_array({to, x, y}, from, bytes, kind, "cudaMemcpyToArrayAsync");
  });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                cudaMemcpyKind kind) {
  return in_legacy_stream([&](Device&) {
    return run_from_array(to, {from, x, y}, bytes, kind, "cudaMemcpyFromArray");
  });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, NodeKind::memcpy, [=](Device&) {
    return run_from_array(to, {from, x, y}, bytes, kind, "cudaMemcpyFromArrayAsync");
  });
}

}  // extern "C"
