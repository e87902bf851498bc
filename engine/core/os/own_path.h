#pragma once
// The path of this program's own file.

#include <filesystem>
#include <string>

namespace lanescope {

// Empty if it is not known.
std::filesystem::path own_path();
// The path with which this process can start itself again. If the system allows it, also after the file was replaced by
// a newer one.
std::string own_program();

}  // namespace lanescope
