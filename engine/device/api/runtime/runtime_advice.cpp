// Advice about managed memory in the runtime API, and prefetching.

#include "device/api/host_memory.h"
#include "device/api/runtime/runtime.h"

using namespace lanescope::device;
using namespace lanescope::device::api;

namespace {

cudaError_t prefetch_in(cudaStream_t stream, const void* at, std::size_t bytes, std::optional<MemoryPlace> place) {
  return in_stream(stream, NodeKind::empty, [=](Device&) { return prefetch(address(at), bytes, place); });
}

}  // namespace

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* at, std::size_t bytes, cudaMemLocation to, unsigned flags,
                                 cudaStream_t stream) {
  if (flags != 0) return remember(Status::invalid_value);
  return prefetch_in(stream, at, bytes, place_of(to.type, to.id));
}
cudaError_t cudaMemPrefetchAsync_of_12(const void* at, std::size_t bytes, int to, cudaStream_t stream) {
  return prefetch_in(stream, at, bytes, place_of(to));
}
cudaError_t cudaMemPrefetchAsync_v2(const void* at, std::size_t bytes, cudaMemLocation to, unsigned flags,
                                    cudaStream_t stream) {
  return cudaMemPrefetchAsync(at, bytes, to, flags, stream);
}
cudaError_t cudaMemAdvise(const void* at, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation where) {
  return answer([&](Device&) { return advise(address(at), bytes, advice, place_of(where.type, where.id)); });
}
cudaError_t cudaMemAdvise_of_12(const void* at, std::size_t bytes, cudaMemoryAdvise advice, int where) {
  return answer([&](Device&) { return advise(address(at), bytes, advice, place_of(where)); });
}
cudaError_t cudaMemAdvise_v2(const void* at, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation where) {
  return cudaMemAdvise(at, bytes, advice, where);
}
cudaError_t cudaMemRangeGetAttribute(void* to, std::size_t size, cudaMemRangeAttribute which, const void* at,
                                     std::size_t bytes) {
  return answer([&](Device&) { return tell_advice(to, size, which, address(at), bytes); });
}
cudaError_t cudaMemRangeGetAttributes(void** to, std::size_t* sizes, cudaMemRangeAttribute* which, std::size_t count,
                                      const void* at, std::size_t bytes) {
  return answer([&](Device&) {
    if (to == nullptr || sizes == nullptr || which == nullptr || count == 0) return Status::invalid_value;
    Status status = Status::success;
    for (std::size_t i = 0; i < count && status == Status::success; ++i)
      status = tell_advice(to[i], sizes[i], which[i], address(at), bytes);
    return status;
  });
}

}  // extern "C"
