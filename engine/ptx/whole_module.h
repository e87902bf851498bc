#pragma once
// A module as it is loaded on a device: host code can read variables that no kernel uses.

#include "ptx/module.h"

namespace lanescope::ptx {

// As parse(), but keeps every variable that has an initial value or is managed.
Result<Module> parse_whole(std::string_view text, std::string name);

}  // namespace lanescope::ptx
