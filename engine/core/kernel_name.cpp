#include "core/kernel_name.h"

#include <cstddef>
#include <string>

#include "core/text.h"

namespace lanescope {

std::string_view without_cast(std::string_view kernel) {
  kernel = trimmed(kernel);
  if (!kernel.starts_with('(')) return kernel;
  int depth = 0;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    if (kernel[i] == '(') ++depth;
    if (kernel[i] == ')' && --depth == 0) return trimmed(kernel.substr(i + 1));
  }
  return kernel;
}

bool may_be_same_kernel(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view kernel) {
    kernel = without_cast(kernel);
    kernel = trimmed(kernel.substr(0, kernel.find('<')));
    if (kernel.starts_with("::")) kernel.remove_prefix(2);
    return "::" + std::string(kernel);
  };
  const std::string one = bare(a), other = bare(b);
  return one.ends_with(other) || other.ends_with(one);
}

}  // namespace lanescope
