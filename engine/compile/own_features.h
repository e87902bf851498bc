#pragma once
// Whether a source needs the architecture's own features: instructions that only code for exactly this architecture may
// have, such as wgmma of sm_90a.

#include <string>

#include "compile/host/include_tree.h"

namespace lanescope::compile {

// "sm_90a" where sm_90 is asked for and the source, or a file of the user's that it includes, has need of it; else
// `arch`. "90" and "compute_90" likewise.
std::string with_own_features(const std::string& arch, const Source& source, const IncludeTree& included);

}  // namespace lanescope::compile
