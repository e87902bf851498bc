#pragma once
// The CUDA source line of an instruction, through inlined calls.

#include <string_view>

#include "ptx/module.h"

namespace lanescope::ptx {

// The line of `file` that contains `place`, or the inlined call around it; 0: none.
int line_in(const Module& module, SourceLocation place, std::string_view file);

// Whether a `.file` of the PTX names this header, with a path before it or without:
// "cooperative_groups/details/sync.h".
bool is_header(std::string_view file, std::string_view header);

}  // namespace lanescope::ptx
