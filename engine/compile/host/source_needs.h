#pragma once
// What a text asks of its compiler, told from the text alone.

#include <string>
#include <vector>

#include "compile/host/include_tree.h"
#include "compile/source.h"

namespace lanescope::compile {

// True if some code depends on an #if behind line `include` that names an undefined macro: a header that is missing
// there could define it and so change the kernels silently.
bool asks_the_preprocessor(const std::string& text, int include = 0);

// True if the sources include a header of a CUDA library that brings <cuda_fp16.h> and <cuda_bf16.h>, and name one of
// their types.
bool needs_half(const Source& source, const std::vector<IncludedFile>& files);

// True if the code has words or marks that C++17 lacks. `code`: without comments and strings (blank_non_code()).
bool is_of_cpp20(const std::string& code);

}  // namespace lanescope::compile
