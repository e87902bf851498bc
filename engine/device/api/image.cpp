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

ImagePtx none(Status status, Diagnostics errors, const std::string& file) {
  for (Diagnostic& error : errors)
    if (error.place.file.empty()) error.place.file = file;
  return {"", status, std::move(errors)};
}

}  // namespace

ImagePtx read_image(const Device& device, const void* image, const std::string& file) {
  const char* text = static_cast<const char*>(image);
  if (std::strncmp(text, "\177ELF", 4) == 0)
    return {"",
            Status::no_kernel_image,
            {{Severity::error,
              "program.machine_code_only",
              {},
              "the program loads machine code, which the interpreter cannot run",
              "Let it load PTX: give the linker or the compiler a virtual architecture such as compute_90."}}};
  const bool has_four = text[0] != '\0' && text[1] != '\0' && text[2] != '\0';
  const std::uint32_t magic = has_four ? read<std::uint32_t>(image) : 0;
  if (magic == wrapper) return read_image(device, read<const void*>(image, 8), file);
  if (magic != fat_binary) {
    const bool is_ptx = std::strstr(text, ".version") != nullptr;
    return {text, is_ptx ? Status::success : Status::invalid_image, {}};
  }
  const auto entries = read_fat_binary(static_cast<const std::byte*>(image),
                                       read<std::uint64_t>(image, 8) + read<std::uint16_t>(image, 6));
  if (!entries) return none(Status::invalid_image, entries.errors(), file);
  auto found = ptx_for(*entries, std::atoi(device.settings().arch.c_str() + 3));
  if (!found) return none(Status::no_kernel_image, found.errors(), file);
  return {std::move(*found), Status::success, {}};
}

void refuse(Device& device, Diagnostics errors, const ImageUse& use) {
  const std::string_view name = std::string_view(use.file).substr(use.file.find_last_of('/') + 1);
  for (Diagnostic& error : errors) {
    const bool no_image = error.code == "program.ptx_too_new" || error.code == "program.machine_code_only";
    if (no_image && !use.kernel.empty())
      error.message = worded("{}; kernel {} is wanted from it", error.message, use.kernel);
    if (no_image && name.starts_with(pytorch))
      error.cure =
          "Let torch.compile make the kernels, which it does as PTX, or build PyTorch with "
          "TORCH_CUDA_ARCH_LIST=9.0+PTX.";
    device.observer().said(error);
  }
}

Status ptx_of_image(Device& device, const void* image, std::string& ptx, const ImageUse& use) {
  ImagePtx read = read_image(device, image, use.file);
  refuse(device, std::move(read.errors), use);
  ptx = std::move(read.text);
  return read.status;
}

}  // namespace lanescope::device::api
