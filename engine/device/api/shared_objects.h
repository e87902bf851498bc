#pragma once
// Memory and events that a program shares with its other processes (cudaIpc…), for both APIs. A handle is 64 bytes,
// which are valid as long as the process that made it has the object.

#include <cstddef>
#include <cstdint>

#include "device/device.h"

namespace lanescope::device::api {

using SharedHandle = char[64];

// For the allocation that has this address, which must be one of cudaMalloc(). invalid_value: another kind of memory.
Status share_memory(Device& device, std::uint64_t address, SharedHandle& to);
// The same address each time, until each open has its close. invalid_context in the process that made the handle, as in
// CUDA; invalid_handle if its memory is not there.
Status open_shared_memory(Device& device, const SharedHandle& from, unsigned flags, const char* call,
                          std::uint64_t& address);
Status close_shared_memory(Device& device, std::uint64_t address);

// Events without times that were made to be shared. All work that a process has submitted has been executed, so an
// event from another process is always over.
Status share_event(const void* event, SharedHandle& to);
Status open_shared_event(const SharedHandle& from, void** to);

}  // namespace lanescope::device::api
