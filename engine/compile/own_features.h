#pragma once
// Finds whether a source needs architecture-specific features: instructions that only code for exactly one architecture
// may use, such as wgmma on sm_90a.

#include <string>

#include "compile/host/include_tree.h"

namespace lanescope::compile {

// "sm_90a" if `arch` is sm_90 and the source or one of the user's included files needs it; else `arch`. The same for
// "90" and "compute_90".
std::string with_own_features(const std::string& arch, const Source& source, const IncludeTree& included);

}  // namespace lanescope::compile
