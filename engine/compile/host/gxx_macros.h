#pragma once
// The macros that g++ has before the first line. nvcc runs it over each file, so kernels see them; NVRTC does not
// define them.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

// #define lines for those that `texts` name; empty where they name none. All of them without __GNUC__, which CUDA's own
// headers would take for a compiler that they do not support.
std::string gxx_definitions(const std::vector<std::string_view>& texts);

// A name of the same length that stands for __GNUC__ in the user's files alone; gxx_definitions() knows it.
inline constexpr std::string_view gnuc = "__GNUC__", gnuc_of_user = "__GNUX__";

// Puts gnuc_of_user for gnuc.
void replace_gnuc(std::string& text);

}  // namespace lanescope::compile
