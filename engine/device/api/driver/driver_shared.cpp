// Memory and events that processes share, in the driver API.

#include "device/api/driver/driver.h"
#include "device/api/shared_objects.h"

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuIpcGetMemHandle(CUipcMemHandle* to, CUdeviceptr memory) {
  return driver_answer(
      [&](Device& on) { return to == nullptr ? Status::invalid_value : share_memory(on, memory, to->reserved); });
}
CUresult cuIpcOpenMemHandle(CUdeviceptr* to, CUipcMemHandle handle, unsigned flags) {
  return driver_answer([&](Device& on) {
    std::uint64_t at = 0;
    if (to == nullptr) return Status::invalid_value;
    const Status status = open_shared_memory(on, handle.reserved, flags, "cuIpcOpenMemHandle", at);
    if (status == Status::success) *to = at;
    return status;
  });
}
CUresult cuIpcCloseMemHandle(CUdeviceptr memory) {
  return driver_answer([&](Device& on) { return close_shared_memory(on, memory); });
}
CUresult cuIpcGetEventHandle(CUipcEventHandle* to, CUevent event) {
  return driver_answer(
      [&](Device&) { return to == nullptr ? Status::invalid_value : share_event(event, to->reserved); });
}
CUresult cuIpcOpenEventHandle(CUevent* to, CUipcEventHandle handle) {
  return driver_answer([&](Device&) { return open_shared_event(handle.reserved, place_of(to)); });
}

}  // extern "C"
