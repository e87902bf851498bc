#pragma once
// The data members of a struct as its declaration gives them, without compiling.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::job {

// One declaration per member, in order: "float* elements". Empty if `type` is not a struct or class of `text`, or its
// layout does not follow from the types of its members alone: it has a base, a virtual function, a bit-field, an array,
// a struct in it, or its own alignment. `text`: as compile::blank_non_code() gives it.
std::vector<std::string> struct_members(std::string_view text, std::string_view type);

}  // namespace lanescope::job
