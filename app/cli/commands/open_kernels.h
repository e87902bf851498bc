#pragma once
// A CUDA file without main(), for `open`: its kernels, and the launch that each would begin with.

#include <string>

#include "core/wording.h"

namespace lanescope::cli {

// A .cu or .cuh file that can be read and does not define main().
bool is_kernel_file(const std::string& file);

// Prints for each kernel the `trace` command that launches it. Returns the exit code.
int list_kernels(const std::string& file, bool json);

// The command that runs the file's kernel, or that lists such commands if it has several. For a file without main().
Wording how_to_run_kernels(const std::string& file);

}  // namespace lanescope::cli
