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

std::string with_cast(std::string_view kernel) {
  const std::string_view name = trimmed(kernel);
  if (!name.ends_with(')')) return std::string(kernel);
  int depth = 0;
  std::size_t open = name.size();
  do {
    --open;
    depth += name[open] == ')' ? 1 : name[open] == '(' ? -1 : 0;
  } while (open > 0 && depth > 0);
  const std::string_view before = trimmed(name.substr(0, open));
  if (depth != 0 || before.empty()) return std::string(kernel);
  return "(void (*)" + std::string(name.substr(open)) + ")" + std::string(before);
}

std::string as_signature(std::string_view kernel) {
  constexpr std::string_view pointer = "(void (*)(";
  const std::string_view name = without_cast(kernel), whole = trimmed(kernel);
  if (name.size() == whole.size() || !whole.starts_with(pointer)) return std::string(kernel);
  const std::string_view cast = trimmed(whole.substr(0, whole.size() - name.size()));
  return std::string(name) + std::string(cast.substr(pointer.size() - 1, cast.size() - pointer.size()));
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
