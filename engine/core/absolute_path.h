#pragma once

#include <string>

namespace lanescope {

// The whole path of a file, in its normal form and with '/'; `path` as it is if the current folder cannot be told.
std::string absolute_path(const std::string& path);

}  // namespace lanescope
