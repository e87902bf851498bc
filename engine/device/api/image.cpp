#include "device/api/image.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/worded.h"
#include "device/fat_binary.h"

namespace lanescope::device::api {

namespace {

constexpr std::uint32_t wrapper = 0x466243b1, fat_binary = 0xBA55ED50;

template <typename T>
T read(const void* from, std::size_t offset = 0) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(from) + offset, sizeof value);
  return value;
}

// PyTorch's own option for what nvcc's -gencode says.
constexpr std::string_view pytorch = "libtorch";

Status refuse(Device& device, const Diagnostics& errors, Status status, const ImageUse& use) {
  const std::string_view name = std::string_view(use.file).substr(use.file.find_last_of('/') + 1);
  for (Diagnostic error : errors) {
    if (error.place.file.empty()) error.place.file = use.file;
    if (status == Status::no_kernel_image && !use.kernel.empty())
      error.message = worded("{}; kernel {} is wanted from it", error.message, use.kernel);
    if (status == Status::no_kernel_image && name.starts_with(pytorch))
      error.cure =
          "Let torch.compile make the kernels, which it does as PTX, or build PyTorch with "
          "TORCH_CUDA_ARCH_LIST=9.0+PTX.";
    device.observer().said(error);
  }
  return status;
}

}  // namespace

Status ptx_of_image(Device& device, const void* image, std::string& ptx, const ImageUse& use) {
  const char* text = static_cast<const char*>(image);
  if (std::strncmp(text, "\177ELF", 4) == 0) {
    device.say("program.machine_code_only", "the program loads machine code, which the interpreter cannot run",
               "Let it load PTX: give the linker or the compiler a virtual architecture such as compute_90.");
    return Status::no_kernel_image;
  }
  const bool has_four = text[0] != '\0' && text[1] != '\0' && text[2] != '\0';
  const std::uint32_t magic = has_four ? read<std::uint32_t>(image) : 0;
  if (magic == wrapper) return ptx_of_image(device, read<const void*>(image, 8), ptx, use);
  if (magic != fat_binary) {
    ptx = text;
    return ptx.find(".version") == std::string::npos ? Status::invalid_image : Status::success;
  }
  const auto entries = read_fat_binary(static_cast<const std::byte*>(image),
                                       read<std::uint64_t>(image, 8) + read<std::uint16_t>(image, 6));
  if (!entries) return refuse(device, entries.errors(), Status::invalid_image, use);
  auto found = ptx_for(*entries, std::atoi(device.settings().arch.c_str() + 3));
  if (!found) return refuse(device, found.errors(), Status::no_kernel_image, use);
  ptx = std::move(*found);
  return Status::success;
}

}  // namespace lanescope::device::api
