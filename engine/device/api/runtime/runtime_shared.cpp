// Memory and events that processes share, in the runtime API.

#include "device/api/runtime/runtime.h"
#include "device/api/shared_objects.h"

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* to, void* memory) {
  return answer([&](Device& on) {
    return to == nullptr ? Status::invalid_value : share_memory(on, address(memory), to->reserved);
  });
}
cudaError_t cudaIpcOpenMemHandle(void** to, cudaIpcMemHandle_t handle, unsigned flags) {
  return answer([&](Device& on) {
    std::uint64_t at = 0;
    if (to == nullptr) return Status::invalid_value;
    const Status status = open_shared_memory(on, handle.reserved, flags, "cudaIpcOpenMemHandle", at);
    if (status == Status::success) *to = pointer(at);
    return status;
  });
}
cudaError_t cudaIpcCloseMemHandle(void* memory) {
  return answer([&](Device& on) { return close_shared_memory(on, address(memory)); });
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* to, cudaEvent_t event) {
  return answer([&](Device&) { return to == nullptr ? Status::invalid_value : share_event(event, to->reserved); });
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* to, cudaIpcEventHandle_t handle) {
  return answer([&](Device&) { return open_shared_event(handle.reserved, place_of(to)); });
}

}  // extern "C"
