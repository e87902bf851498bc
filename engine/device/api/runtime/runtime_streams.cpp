// Streams and events. All work is executed when it is submitted, so nothing ever waits. The time of an event is the
// host's clock when it was recorded.

#include "device/api/host_memory.h"
#include "device/api/runtime/runtime.h"
#include "device/api/streams.h"

namespace lanescope::device::api {

namespace {

template <typename Put>
cudaError_t ask(cudaStream_t stream, const void* to, Put&& put) {
  return answer([&](Device&) { return about_stream(stream, to, put); }, Tells::nothing);
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* to) {
  return answer([&](Device&) { return make_stream(place_of(to), 0, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* to, unsigned flags) {
  return answer([&](Device&) { return make_stream(place_of(to), flags, 0); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* to, unsigned flags, int priority) {
  return answer([&](Device&) { return make_stream(place_of(to), flags, priority); });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return answer([&](Device&) { return destroy_stream(stream, "cudaStreamDestroy"); }, Tells::nothing);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return answer([&](Device&) { return wait_for_stream(stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return answer([&](Device&) { return wait_for(stream, event, flags); }, Tells::nothing);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  if (callback == nullptr || flags != 0) return remember(Status::invalid_value);
  const cudaError_t before = cudaStreamSynchronize(stream);
  if (before == cudaSuccess) callback(stream, cudaSuccess, data);
  return before;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return ask(stream, flags, [&](const Stream& one) { *flags = one.flags; });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return ask(stream, priority, [&](const Stream& one) { *priority = one.priority; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return ask(stream, id, [&](const Stream& one) { *id = one.id; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* number) {
  return ask(stream, number, [&](const Stream&) { *number = 0; });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                   const cudaLaunchAttributeValue* value) {
  return answer([&](Device&) { return set_attribute_of_stream(stream, which, value); });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID which, cudaLaunchAttributeValue* value) {
  return answer([&](Device&) { return attribute_of_stream(stream, which, value); });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return answer([&](Device&) { return copy_attributes_of_stream(to, from); });
}
// No cache keeps anything between two accesses.
cudaError_t cudaCtxResetPersistingL2Cache() {
  return answer([](Device&) { return Status::success; });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* memory, std::size_t bytes, unsigned flags) {
  return answer([&](Device&) { return attach(stream, address(memory), bytes, flags); }, Tells::nothing);
}

cudaError_t cudaEventCreate(cudaEvent_t* to) {
  return cudaEventCreateWithFlags(to, 0);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* to, unsigned flags) {
  return answer([&](Device&) { return make_event(place_of(to), flags); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answer([&](Device&) { return destroy_event(event, "cudaEventDestroy"); }, Tells::nothing);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return answer([&](Device&) { return record(event, stream); }, Tells::nothing);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return answer([&](Device&) { return record(event, stream, flags); }, Tells::nothing);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return answer([&](Device&) { return wait_for_event(event); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return answer([&](Device& device) {
    device.note_times();
    return elapsed(milliseconds, from, to);
  });
}
cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return cudaEventElapsedTime(milliseconds, from, to);
}

}  // extern "C"
