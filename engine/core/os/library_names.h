#pragma once
// Names of shared libraries on this system.

#include <optional>
#include <string>
#include <vector>

namespace lanescope {

// The version N of a file of library NAME: 13 for libnvrtc.so.13 and nvrtc64_130_0.dll. nullopt for other files.
std::optional<int> version_of_library(const std::string& file, const std::string& name);

// The names under which the loader may find it in its search path, in the order of `versions`. The name without a
// version is last.
std::vector<std::string> names_of_library(const std::string& name, const std::vector<int>& versions);

}  // namespace lanescope
