#pragma once
// Modules that a program loads by itself, in both APIs: CUmodule, CUlibrary and cudaLibrary_t are one address. Only PTX
// can be loaded, plain or in a fat binary.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.h"

namespace lanescope::device::api {

// nullptr if the handle is invalid.
Module* module_at(const void* handle);
// Those in its PTX, in their order.
std::vector<std::string> kernels_of(const Module& module);

Status load_image(Device& device, void** to, const void* image);
Status load_file(Device& device, void** to, const char* path);  // file_not_found
Status unload_module(Device& device, const void* handle);
// not_found if there is none of this name.
Status find_kernel(void** to, const void* handle, const char* name);
// `to` and `bytes` may be null. `managed`: only a managed variable is looked for.
Status find_variable(std::uint64_t* to, std::size_t* bytes, const void* handle, const char* name, bool managed);
Status count_kernels(unsigned* count, const void* handle);
Status list_kernels(void** to, unsigned count, const void* handle);

}  // namespace lanescope::device::api
