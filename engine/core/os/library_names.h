#pragma once
// What shared libraries are called here.

#include <optional>
#include <string>
#include <vector>

namespace lanescope {

// The N of a file of the library NAME in version N: 13 of libnvrtc.so.13, of nvrtc64_130_0.dll; nothing for other
// files.
std::optional<int> version_of_library(const std::string& file, const std::string& name);

// By which the loader finds one in the places that it knows, the first wish first; without a version last.
std::vector<std::string> names_of_library(const std::string& name, const std::vector<int>& versions);

}  // namespace lanescope
