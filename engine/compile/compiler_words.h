#pragma once
// Translates the compiler's English messages into Chinese.

#include <string>

#include "core/wording.h"

namespace lanescope::compile {

// In English, the message itself. In Chinese, a translation of common messages; all others are quoted as the
// compiler's.
Wording told_by_compiler(const std::string& message);

}  // namespace lanescope::compile
