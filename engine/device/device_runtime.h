#pragma once
// Functions that kernels call and that CUDA's device runtime (libcudadevrt) defines, in machine code alone.

#include <string>
#include <string_view>

namespace lanescope::device {

// The PTX with a definition in place of each declaration of cudaGraphSetConditional(handle, value): a handle is the
// address of four bytes of the device, and setting it stores the value there. Line numbers stay.
std::string with_device_runtime(std::string_view ptx);

}  // namespace lanescope::device
