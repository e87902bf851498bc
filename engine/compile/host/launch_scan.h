#pragma once
// Finds the kernel launches in a CUDA source: kernel<<<grid, block, shared, stream>>>(arguments).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct ScannedLaunch {
  // As in the source, with template arguments: "ns::reduce<float, 4>". `auto k = reduce<float>; k<<<…>>>()` launches
  // "reduce<float>".
  std::string kernel;
  std::vector<std::string> configuration;  // grid, block, …
  std::vector<std::string> arguments;
  std::size_t offset = 0;  // of the kernel's name
  int line = 0;
};

// All launches in order, except those in comments or in code that the preprocessor excludes.
std::vector<ScannedLaunch> scan_launches(std::string_view text);

// A function call such as cudaMalloc(&a, n). scan_calls() compares names without namespaces.
struct ScannedCall {
  std::vector<std::string> arguments;
  std::size_t offset = 0;
  int line = 0;
};
std::vector<ScannedCall> scan_calls(std::string_view text, std::string_view name);

// The offset after the bracket that closes the one at `open`; npos if there is none.
std::size_t behind_bracket(std::string_view code, std::size_t open);

}  // namespace lanescope::compile
