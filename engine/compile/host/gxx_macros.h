#pragma once
// The macros that g++ predefines. nvcc runs g++'s preprocessor over each file, so kernels see them; NVRTC does not
// define them.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

// #define lines for the macros that `texts` name; empty if they name none. __GNUC__ is not among them, because CUDA's
// headers would assume an unsupported compiler. Sizes are those of NVRTC on this system.
std::string gxx_definitions(const std::vector<std::string_view>& texts);

// A name of the same length that replaces __GNUC__ in the user's files only; gxx_definitions() defines it.
inline constexpr std::string_view gnuc = "__GNUC__", gnuc_of_user = "__GNUX__";

// Replaces gnuc by gnuc_of_user.
void replace_gnuc(std::string& text);

}  // namespace lanescope::compile
