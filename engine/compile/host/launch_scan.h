#pragma once
// The launches that a CUDA source itself makes: kernel<<<grid, block, shared, stream>>>(arguments).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct ScannedLaunch {
  std::string kernel;                      // as it is written there, with template arguments: "ns::reduce<float, 4>"
  std::vector<std::string> configuration;  // grid, block, …
  std::vector<std::string> arguments;
  std::size_t offset = 0;  // of the kernel's name
  int line = 0;
};

// In order. Comments and what the preprocessor leaves out have none.
std::vector<ScannedLaunch> scan_launches(std::string_view text);

// A call of a function: cudaMalloc(&a, n). `name` is what the code calls it by, without namespaces.
struct ScannedCall {
  std::vector<std::string> arguments;
  std::size_t offset = 0;
  int line = 0;
};
std::vector<ScannedCall> scan_calls(std::string_view text, std::string_view name);

// The parts of `text` between commas outside of brackets, without the blanks around them; none of a blank text.
std::vector<std::string> split_arguments(std::string_view text);

}  // namespace lanescope::compile
