#pragma once
// Images of modules, as passed to cuModuleLoadData and the linker.

#include <cstddef>
#include <string>
#include <string_view>

#include "device/device.h"

namespace lanescope::device::api {

// What an image is for, for messages; empty where it is not known.
struct ImageUse {
  std::string file;    // that has the image
  std::string kernel;  // that is launched, as the source writes it
};

struct ImagePtx {
  std::string text;
  Status status = Status::success;  // no_kernel_image if there is only machine code, or PTX for newer GPUs
  Diagnostics errors;               // why there is no text
};

// The PTX of an image: a text that ends with NUL, a fat binary, or its wrapper.
ImagePtx read_image(const Device& device, const void* image, const std::string& file = "");
// The same of an image that is no wrapper and may be cut off or damaged: a file's contents, for example. Nothing
// outside of `contents` is read.
ImagePtx read_image(const Device& device, const std::string& contents, const std::string& file = "");

// Reports why an image has no PTX.
void refuse(Device& device, Diagnostics errors, const ImageUse& use);

// The PTX of an image; reports why there is none.
Status ptx_of_image(Device& device, const void* image, std::string& ptx, const ImageUse& use = {});
Status ptx_of_image(Device& device, const std::string& contents, std::string& ptx, const ImageUse& use = {});

// Whether the contents are a library of machine code, usually cudadevrt; gives the PTX that stands for it. If a program
// needs anything from it besides grid.sync() and device_runtime.h, the linked PTX lacks it, and run.unresolved_function
// names it.
bool stands_for_library(std::string_view contents, std::string& ptx);

// Several texts as one module: the header of the first text, and the remainder of each. If another text defines what
// one declares, the definition replaces the declaration. Of several weak definitions the first counts.
std::string linked(const std::vector<std::string>& texts);

}  // namespace lanescope::device::api
