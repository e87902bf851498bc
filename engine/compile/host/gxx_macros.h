#pragma once
// The macros that g++ predefines. nvcc runs g++'s preprocessor over each file, so kernels see them; NVRTC does not
// define them.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

// #define lines for the macros that `texts` name; empty if they name none. The hidden ones are not among them. Sizes
// are those of NVRTC on this system.
std::string gxx_definitions(const std::vector<std::string_view>& texts);

// Names of the same length that replace __GNUC__ and __NVCC__ in the user's files only; gxx_definitions() defines them.
// CUDA's headers would assume an unsupported compiler, or that they are not compiled by NVRTC.
struct HiddenMacro {
  std::string_view name, of_user;
};
inline constexpr HiddenMacro hidden_macros[] = {{"__GNUC__", "__GNUX__"}, {"__NVCC__", "__NVCX__"}};

bool names_hidden_macro(std::string_view text);
void replace_hidden_macros(std::string& text);

}  // namespace lanescope::compile
