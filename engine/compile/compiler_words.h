#pragma once
// Translates the compiler's messages, which are English only, into Chinese.

#include <string>

#include "core/wording.h"

namespace lanescope::compile {

// In English the message itself. In Chinese the common ones are translated, all others quoted and said to be the
// compiler's.
Wording told_by_compiler(const std::string& message);

}  // namespace lanescope::compile
