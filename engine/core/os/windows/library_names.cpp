#include "core/os/library_names.h"

#include <charconv>
#include <string_view>

namespace lanescope {

// NVIDIA's names: nvrtc64_130_0.dll, nvrtc-builtins64_130.dll, nvJitLink_130_0.dll. The last digit is the minor
// version.
std::optional<int> version_of_library(const std::string& file, const std::string& name) {
  std::string_view rest = file;
  if (!rest.starts_with(name) || !rest.ends_with(".dll") || rest.ends_with(".alt.dll")) return std::nullopt;
  rest.remove_prefix(name.size());
  if (rest.starts_with("64")) rest.remove_prefix(2);
  if (!rest.starts_with('_')) return std::nullopt;
  int number = 0;
  const auto [end, failed] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
  if (failed != std::errc{} || (*end != '_' && *end != '.')) return std::nullopt;
  return number / 10;
}

std::vector<std::string> names_of_library(const std::string& name, const std::vector<int>& versions) {
  std::vector<std::string> names;
  for (const int version : versions) names.push_back(name + "64_" + std::to_string(version * 10) + "_0.dll");
  return names;
}

}  // namespace lanescope
