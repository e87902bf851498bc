#pragma once
// A grid or block as it is written in a launch.

#include <string>

#include "core/dim3.h"

namespace lanescope {

// "(8, 4, 2)", "(8, 4)" or "8", as between <<< and >>>: trailing extents of 1 are left out.
std::string launch_extent(const Dim3& size);

}  // namespace lanescope
