#pragma once
// A CUDA file without main(), for `open`: its kernels, and the launch that each would begin with.

#include <string>

#include "core/diagnostic.h"
#include "core/wording.h"

namespace lanescope::cli {

struct OpenOptions;   // cli/input/options.h
struct TraceOptions;  // cli/input/options.h

// A .cu or .cuh file that can be read and does not define main().
bool is_kernel_file(const std::string& file);

// Prints for each kernel the `trace` command that launches it. Returns the exit code.
int list_kernels(const OpenOptions& options);

// The command that runs the file's kernel, or that lists such commands if it has several. For a file without main().
Wording how_to_run_kernels(const std::string& file);

// For a `trace` whose options and file do not tell the whole launch, as `problems` say: notes with a command that does,
// what was given among it, and how a program is run whole. Empty for other problems.
Diagnostics command_to_begin_with(const TraceOptions& options, const Diagnostics& problems);

}  // namespace lanescope::cli
