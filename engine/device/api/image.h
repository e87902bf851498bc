#pragma once
// Images of modules, as cuModuleLoadData and the linker take them.

#include <cstddef>
#include <string>

#include "device/device.h"

namespace lanescope::device::api {

// The PTX of an image: a text, a fat binary, or its wrapper. Machine code alone is no_kernel_image, and said.
Status ptx_of_image(Device& device, const void* image, std::string& ptx);

// Several texts as one module: the first one's header, and of each the rest. A declaration of what another text defines
// becomes its definition.
std::string linked(const std::vector<std::string>& texts);

}  // namespace lanescope::device::api
