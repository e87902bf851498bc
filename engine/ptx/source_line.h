#pragma once
// The CUDA source line of an instruction, through inlined calls.

#include <string_view>

#include "ptx/module.h"

namespace lanescope::ptx {

// The line of `file` that contains `place`, or the inlined call around it; 0: none.
int line_in(const Module& module, SourceLocation place, std::string_view file);

}  // namespace lanescope::ptx
