#pragma once
// A CUDA file without main(), for `open`: its kernels, and the launch that each would begin with.

#include <string>

namespace lanescope::cli {

// A .cu or .cuh file that can be read and does not define main().
bool is_kernel_file(const std::string& file);

// Prints for each kernel the `trace` command that launches it. Returns the exit code.
int list_kernels(const std::string& file, bool json);

}  // namespace lanescope::cli
