#pragma once
// Checks whether a file can be a shared library. The loader trusts a library's own headers and dies with SIGBUS if the
// file is shorter than they say. Internal to compile/.

#include <string>

#include "core/wording.h"

namespace lanescope::compile {

// Why the file cannot be loaded: not a regular file, empty, unreadable, truncated. Empty if it looks valid, or if
// `path` is a bare name, which the loader looks up.
Wording why_unfit(const std::string& path);
// The same for an NVRTC and the builtins libraries beside it, which it loads too.
Wording why_unfit_with_builtins(const std::string& nvrtc_path);

}  // namespace lanescope::compile
