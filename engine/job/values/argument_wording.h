#pragma once
// How messages refer to an argument.

#include <string>

#include "core/worded.h"

namespace lanescope::job {

// "`f32[64]=iota` (argument `in`)"
Wording shown(const std::string& text, const std::string& name);

}  // namespace lanescope::job
