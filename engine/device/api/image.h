#pragma once
// Images of modules, as passed to cuModuleLoadData and the linker.

#include <cstddef>
#include <string>

#include "device/device.h"

namespace lanescope::device::api {

// What an image is for, for messages; empty where it is not known.
struct ImageUse {
  std::string file;    // that has the image
  std::string kernel;  // that is launched, as the source writes it
};

// The PTX of an image: a text, a fat binary, or its wrapper. If there is only machine code, reports it and gives
// no_kernel_image.
Status ptx_of_image(Device& device, const void* image, std::string& ptx, const ImageUse& use = {});

// Several texts as one module: the header of the first text, and the remainder of each. If another text defines what
// one declares, the definition replaces the declaration.
std::string linked(const std::vector<std::string>& texts);

}  // namespace lanescope::device::api
