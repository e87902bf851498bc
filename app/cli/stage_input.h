#pragma once
// What `parse`, `cfg` and `instrument` read: PTX, or CUDA C++ that is compiled first (a file ending in .cu).

#include <functional>
#include <string>

#include "cli/options.h"
#include "ptx/module.h"

namespace lanescope::cli {

// `kernel`: the mangled name of options.kernel, or empty when none was asked for. Returns what went wrong.
using UseModule = std::function<Diagnostics(const ptx::Module& module, const std::string& kernel)>;

// Reads options.file, has it compiled where needed, and hands on what was understood. Prints what went wrong, there or in
// `use`, with its line, and returns the exit code.
int with_module(const FileOptions& options, const UseModule& use);

}  // namespace lanescope::cli
