#pragma once
// The CUDA line of an instruction, through calls that were inlined.

#include <string_view>

#include "ptx/module.h"

namespace lanescope::ptx {

// The line of `file` that the place is in, or from which the functions around it were called; 0: of none.
int line_in(const Module& module, SourceLocation place, std::string_view file);

}  // namespace lanescope::ptx
