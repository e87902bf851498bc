// Several copies in one call of the runtime API. The order of the copies of a batch is not specified; here it is that
// of the lists.

#include <algorithm>

#include "device/api/runtime/runtime.h"

namespace lanescope::device::api {

namespace {

// A batch needs a stream that is not the legacy one.
Status check_stream(cudaStream_t stream) {
  constexpr std::uintptr_t legacy = 1;
  if (const Status known = expect_stream(stream); known != Status::success) return known;
  return reinterpret_cast<std::uintptr_t>(stream) <= legacy ? Status::invalid_value : Status::success;
}

bool is_order(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

// Each attribute counts from its first copy on.
bool are_attributes(const cudaMemcpyAttributes* list, const std::size_t* first, std::size_t count, std::size_t copies) {
  if (list == nullptr || first == nullptr || count == 0 || count > copies || first[0] != 0) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_order(list[i].srcAccessOrder) || first[i] >= copies || (i > 0 && first[i] <= first[i - 1])) return false;
  return true;
}

Status copies(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
              const cudaMemcpyAttributes* attributes, const std::size_t* first, std::size_t attribute_count,
              cudaStream_t stream, std::size_t& at) {
  at = ~std::size_t{0};  // not a single copy is at fault
  if (const Status status = check_stream(stream); status != Status::success) return status;
  if (to == nullptr || from == nullptr || bytes == nullptr || count == 0) return Status::invalid_value;
  if (!are_attributes(attributes, first, attribute_count, count)) return Status::invalid_value;
  for (at = 0; at < count; ++at)
    if (bytes[at] == 0 || to[at] == nullptr || from[at] == nullptr) return Status::invalid_value;
  for (at = 0; at < count; ++at) {
    const std::uint64_t target = address(to[at]), source = address(from[at]), size = bytes[at];
    const Status status = do_or_note(device(), stream, NodeKind::memcpy, [=](Device& on) {
      return on.copy({target, size}, {source, size}, "cudaMemcpyBatchAsync");
    });
    if (status != Status::success) return status;
  }
  return Status::success;
}

// Rows and layers of a pointer are in elements: those of the array on the other side, otherwise bytes.
bool put_end(const cudaMemcpy3DOperand& from, std::size_t element, const cudaExtent& extent, cudaArray_t& array,
             cudaPos& position, cudaPitchedPtr& memory) {
  if (from.type == cudaMemcpyOperandTypeArray) {
    array = from.op.array.array;
    position = {from.op.array.offset.x, from.op.array.offset.y, from.op.array.offset.z};
    return array != nullptr;
  }
  if (from.type != cudaMemcpyOperandTypePointer || from.op.ptr.ptr == nullptr) return false;
  const std::size_t row = from.op.ptr.rowLength != 0 ? from.op.ptr.rowLength : extent.width;
  const std::size_t rows = from.op.ptr.layerHeight != 0 ? from.op.ptr.layerHeight : extent.height;
  if (row < extent.width || rows < extent.height) return false;
  memory = {from.op.ptr.ptr, row * element, row, rows};
  return true;
}

std::size_t element_of_operand(const cudaMemcpy3DOperand& of) {
  if (of.type != cudaMemcpyOperandTypeArray) return 1;
  const Array* array = device().textures().array(of.op.array.array);
  return array == nullptr ? 1 : array->texels.texel_bytes();
}

Status boxes(std::size_t count, const cudaMemcpy3DBatchOp* list, unsigned long long flags, cudaStream_t stream,
             std::size_t& at) {
  at = ~std::size_t{0};
  if (const Status status = check_stream(stream); status != Status::success) return status;
  if (count == 0 || list == nullptr || flags != 0) return Status::invalid_value;
  for (at = 0; at < count; ++at) {
    const cudaMemcpy3DBatchOp& one = list[at];
    cudaMemcpy3DParms what{};
    const std::size_t element = std::max(element_of_operand(one.src), element_of_operand(one.dst));
    what.extent = one.extent;
    what.kind = cudaMemcpyDefault;
    if (!is_order(one.srcAccessOrder) || one.extent.width == 0 || one.extent.height == 0 || one.extent.depth == 0 ||
        !put_end(one.src, element, one.extent, what.srcArray, what.srcPos, what.srcPtr) ||
        !put_end(one.dst, element, one.extent, what.dstArray, what.dstPos, what.dstPtr))
      return Status::invalid_value;
    const Status status = do_or_note(device(), stream, NodeKind::memcpy,
                                     [what](Device&) { return copy_as_told(what, "cudaMemcpy3DBatchAsync"); });
    if (status != Status::success) return status;
  }
  return Status::success;
}

// CUDA 12's functions also give the number of the copy at fault.
void put(std::size_t* to, std::size_t which, cudaError_t error) {
  if (to != nullptr && error != cudaSuccess) *to = which;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaMemcpyBatchAsync_of_12(void* const* to, const void* const* from, const std::size_t* bytes,
                                       std::size_t count, cudaMemcpyAttributes* attributes, std::size_t* first,
                                       std::size_t attribute_count, std::size_t* fault, cudaStream_t stream) {
  std::size_t at = 0;
  const cudaError_t error =
      answer([&](Device&) { return copies(to, from, bytes, count, attributes, first, attribute_count, stream, at); },
             Tells::nothing);
  put(fault, at, error);
  return error;
}
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                                 cudaMemcpyAttributes* attributes, std::size_t* first, std::size_t attribute_count,
                                 cudaStream_t stream) {
  return cudaMemcpyBatchAsync_of_12(to, from, bytes, count, attributes, first, attribute_count, nullptr, stream);
}
cudaError_t cudaMemcpy3DBatchAsync_of_12(std::size_t count, cudaMemcpy3DBatchOp* list, std::size_t* fault,
                                         unsigned long long flags, cudaStream_t stream) {
  std::size_t at = 0;
  const cudaError_t error = answer([&](Device&) { return boxes(count, list, flags, stream, at); }, Tells::nothing);
  put(fault, at, error);
  return error;
}
cudaError_t cudaMemcpy3DBatchAsync(std::size_t count, cudaMemcpy3DBatchOp* list, unsigned long long flags,
                                   cudaStream_t stream) {
  return cudaMemcpy3DBatchAsync_of_12(count, list, nullptr, flags, stream);
}

}  // extern "C"
