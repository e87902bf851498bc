#pragma once
// Functions for kernels that CUDA's device runtime (libcudadevrt) defines only in machine code.

#include <string>
#include <string_view>

namespace lanescope::device {

// The PTX with a definition for each declaration of cudaGraphSetConditional(handle, value). A handle is the address of
// four bytes on the device; the function stores the value there. Line numbers do not change.
std::string with_device_runtime(std::string_view ptx);

}  // namespace lanescope::device
