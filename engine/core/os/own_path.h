#pragma once
// Where this program's own file lies.

#include <filesystem>

namespace lanescope {

// Empty when the system does not say.
std::filesystem::path own_path();

}  // namespace lanescope
