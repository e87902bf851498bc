#pragma once
// The input of `parse`, `cfg` and `instrument`: PTX, or CUDA C++ that is compiled first (a file ending in .cu).

#include <functional>
#include <string>

#include "cli/input/options.h"
#include "core/result.h"
#include "ptx/module.h"

namespace lanescope::cli {

// What a stage makes of a module, as text; or what went wrong. `kernel`: the mangled name of options.kernel, or empty
// when none was asked for.
using Stage = std::function<Result<std::string>(const ptx::Module& module, const std::string& kernel)>;

// Reads options.file, has it compiled where needed, and prints what the stage makes of it, or what went wrong with its
// line. Returns the exit code.
int print_stage(const FileOptions& options, const Stage& stage);

}  // namespace lanescope::cli
