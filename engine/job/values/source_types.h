#pragma once
// C++'s and CUDA's types, written without blanks, as elements.

#include <string>
#include <string_view>
#include <utility>

namespace lanescope::job {

// "float" → "f32", as in --arg; empty if the type is not known.
std::string element_of_type(std::string_view type);
// "float4" → "float" and 4; 1 for other types.
std::pair<std::string_view, int> vector_type(std::string_view type);

}  // namespace lanescope::job
