#pragma once
// The input of `parse`, `cfg` and `instrument`: PTX, or CUDA C++ that is compiled first (a file ending in .cu).

#include <functional>
#include <string>

#include "cli/input/options.h"
#include "core/result.h"
#include "ptx/module.h"

namespace lanescope::cli {

// What a stage prints for a module, or its errors. `kernel`: the mangled name of options.kernel; empty if none was
// given.
using Stage = std::function<Result<std::string>(const ptx::Module& module, const std::string& kernel)>;

// Reads options.file, compiles it if needed, and prints the stage's output or the errors with their lines. Returns the
// exit code.
int print_stage(const FileOptions& options, const Stage& stage);

}  // namespace lanescope::cli
