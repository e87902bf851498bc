#pragma once
// The sizes of C++'s and CUDA's types. Internal to compile/host.

#include <cstdint>
#include <string_view>

namespace lanescope::compile {

// In bytes; 0 for an unknown type. `type` has no blanks: "unsignedint", "float*".
std::int64_t size_of(std::string_view type);

}  // namespace lanescope::compile
