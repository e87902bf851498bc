#include "core/os/library_names.h"

#include <cstdlib>

namespace lanescope {

std::optional<int> version_of_library(const std::string& file, const std::string& name) {
  const std::string lead = "lib" + name + ".so.";
  if (!file.starts_with(lead)) return std::nullopt;
  return std::atoi(file.c_str() + lead.size());
}

std::vector<std::string> names_of_library(const std::string& name, const std::vector<int>& versions) {
  std::vector<std::string> names;
  for (const int version : versions) names.push_back("lib" + name + ".so." + std::to_string(version));
  names.push_back("lib" + name + ".so");
  return names;
}

}  // namespace lanescope
