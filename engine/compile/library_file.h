#pragma once
// Whether a file can be a shared library at all: the loader reads what a broken one says of itself, and ends with SIGBUS where the
// file is shorter than that. Internal to compile/.

#include <string>

#include "core/wording.h"

namespace lanescope::compile {

// Why not: no plain file, empty, not to be read, cut short. Empty when nothing speaks against it, and for a bare name, which the
// loader looks up.
Wording why_unfit(const std::string& path);
// The same of an NVRTC and of the builtins libraries beside it, which it loads too.
Wording why_unfit_with_builtins(const std::string& nvrtc_path);

}  // namespace lanescope::compile
