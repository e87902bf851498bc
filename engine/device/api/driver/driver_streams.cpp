// Streams and events of the driver API.

#include "device/api/driver/driver.h"
#include "device/api/host_memory.h"
#include "device/api/streams.h"

namespace lanescope::device::api {

namespace {

template <typename Put>
CUresult query_stream(CUstream stream, const void* to, Put&& put) {
  return driver_answer([&](Device&) { return about_stream(stream, to, put); }, Reports::nothing);
}

CUresult wait_for_it(CUevent event) {
  return driver_answer([&](Device&) { return wait_for_event(event); });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuStreamCreate(CUstream* to, unsigned flags) {
  return cuStreamCreateWithPriority(to, flags, 0);
}
CUresult cuStreamCreateWithPriority(CUstream* to, unsigned flags, int priority) {
  return driver_answer([&](Device&) { return make_stream(place_of(to), flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return driver_answer([&](Device&) { return destroy_stream(stream, "cuStreamDestroy"); }, Reports::nothing,
                       Needs::driver);
}
CUresult cuStreamSynchronize(CUstream stream) {
  return driver_answer([&](Device&) { return wait_for_stream(stream); }, Reports::earlier_faults, needs_of(stream));
}
CUresult cuStreamQuery(CUstream stream) {
  return cuStreamSynchronize(stream);
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return driver_answer([&](Device&) { return wait_for(stream, event, flags); }, Reports::nothing);
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const CUresult before = cuStreamSynchronize(stream);
  if (before == CUDA_SUCCESS) callback(stream, CUDA_SUCCESS, data);
  return before;
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return query_stream(stream, flags, [&](const Stream& one) { *flags = one.flags; });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return query_stream(stream, priority, [&](const Stream& one) { *priority = one.priority; });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return query_stream(stream, id, [&](const Stream& one) { *id = one.id; });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* number) {
  return query_stream(stream, number, [&](const Stream&) { *number = 0; });
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return query_stream(stream, context,
                      [&](const Stream&) { *context = reinterpret_cast<CUcontext>(current_context()); });
}
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID which, const CUstreamAttrValue* value) {
  return driver_answer([&](Device&) { return set_attribute_of_stream(stream, static_cast<int>(which), value); });
}
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID which, CUstreamAttrValue* value) {
  return driver_answer([&](Device&) { return attribute_of_stream(stream, static_cast<int>(which), value); });
}
CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  return driver_answer([&](Device&) { return copy_attributes_of_stream(to, from); });
}
CUresult cuCtxResetPersistingL2Cache() {
  return driver_answer([](Device&) { return Status::success; });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr memory, std::size_t bytes, unsigned flags) {
  return driver_answer([&](Device&) { return attach(stream, memory, bytes, flags); }, Reports::nothing);
}

CUresult cuEventCreate(CUevent* to, unsigned flags) {
  return driver_answer([&](Device&) { return make_event(place_of(to), flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return driver_answer([&](Device&) { return destroy_event(event, "cuEventDestroy"); }, Reports::nothing);
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver_answer([&](Device&) { return record(event, stream); }, Reports::nothing);
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return driver_answer([&](Device&) { return record(event, stream, flags); }, Reports::nothing);
}
CUresult cuEventSynchronize(CUevent event) {
  return wait_for_it(event);
}
CUresult cuEventQuery(CUevent event) {
  return wait_for_it(event);
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return driver_answer([&](Device& device) {
    device.note_times();
    return elapsed(milliseconds, from, to);
  });
}
CUresult lanescope_cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return cuEventElapsedTime(milliseconds, from, to);
}

}  // extern "C"
