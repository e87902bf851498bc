#pragma once
// stb_image.h and its siblings, which programs about images include with their whole implementation: 10,000 lines of
// host code with SSE2, which NVRTC refuses and a kernel cannot use.

#include <string>
#include <vector>

#include "compile/host/host_code.h"
#include "compile/host/include_tree.h"

namespace lanescope::compile {

// Replaces those among `files` by the types that a kernel's parameters may name.
void shorten_image_headers(Attempt& attempt, const std::vector<IncludedFile>& files);

// OpenCV's headers define `uchar`, with which kernels for images are written. False: `name` is none of them.
bool stand_in_for_opencv(Attempt& attempt, const std::string& name);

}  // namespace lanescope::compile
