#pragma once
// Where this program's own file lies.

#include <filesystem>
#include <string>

namespace lanescope {

// Empty when the system does not say.
std::filesystem::path own_path();
// By which this process starts itself; also after the file was replaced by a newer one, where the system can.
std::string own_program();

}  // namespace lanescope
