#pragma once
// Writing a file so that what was there before stays until the new contents are whole.

#include <string>
#include <string_view>
#include <variant>

#include "core/result.h"

namespace lanescope::cli {

// Error: io.cannot_write, with the system's reason (a full disk among them); the old file is then untouched.
Result<std::monostate> replace_file(const std::string& path, std::string_view contents);

}  // namespace lanescope::cli
