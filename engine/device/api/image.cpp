#include "device/api/image.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/os/pages.h"
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

// The functions of cudadevrt for cooperative groups, as our own PTX. The handle of the grid is the address of its
// workspace, or null if the launch is not cooperative. The blocks count arrivals in its second word: each block waits
// until all have arrived as often as itself.
constexpr const char* grid_functions = R"(.version 8.0
.target sm_70
.address_size 64
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .b32 %high, %low;
  .reg .b64 %workspace;
  mov.u32 %high, %envreg1;
  mov.u32 %low, %envreg2;
  mov.b64 %workspace, {%low, %high};
  st.param.b64 [handle], %workspace;
  ret;
}
.visible .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .pred %p<3>;
  .reg .b32 %x, %y, %z, %blocks, %come, %goal, %now, %zero;
  .reg .b64 %at;
  mov.u32 %zero, 0;
  st.param.b32 [status], %zero;
  ld.param.b64 %at, [handle];
  barrier.sync 0;
  mov.u32 %x, %tid.x;
  mov.u32 %y, %tid.y;
  mov.u32 %z, %tid.z;
  or.b32 %x, %x, %y;
  or.b32 %x, %x, %z;
  setp.ne.u32 %p1, %x, 0;
  @%p1 bra MEET;
  mov.u32 %blocks, %nctaid.x;
  mov.u32 %y, %nctaid.y;
  mul.lo.u32 %blocks, %blocks, %y;
  mov.u32 %z, %nctaid.z;
  mul.lo.u32 %blocks, %blocks, %z;
  fence.acq_rel.gpu;
  atom.global.add.u32 %come, [%at+4], 1;
  div.u32 %goal, %come, %blocks;
  add.u32 %goal, %goal, 1;
  mul.lo.u32 %goal, %goal, %blocks;
WAIT:
  ld.acquire.gpu.global.u32 %now, [%at+4];
  setp.lt.u32 %p2, %now, %goal;
  @%p2 bra WAIT;
MEET:
  barrier.sync 0;
  ret;
}
)";

// PyTorch's own option for what nvcc's -gencode says.
constexpr std::string_view pytorch = "libtorch";

ImagePtx none(Status status, Diagnostics errors, const std::string& file) {
  for (Diagnostic& error : errors)
    if (error.place.file.empty()) error.place.file = file;
  return {"", status, std::move(errors)};
}

ImagePtx read_entries(const Device& device, const void* image, std::size_t available, const std::string& file) {
  const auto entries = read_fat_binary(static_cast<const std::byte*>(image), available);
  if (!entries) return none(Status::invalid_image, entries.errors(), file);
  auto found = ptx_for(*entries, std::atoi(device.settings().arch.c_str() + 3));
  if (!found) return none(Status::no_kernel_image, found.errors(), file);
  return {std::move(*found), Status::success, {}};
}

// An image that is no fat binary.
ImagePtx read_text(const char* text, const std::string& file) {
  if (std::strncmp(text, "\177ELF", 4) == 0)
    return {"",
            Status::no_kernel_image,
            {{Severity::error,
              "program.machine_code_only",
              {},
              "the program loads machine code, which the interpreter cannot run",
              "Let it load PTX: give the linker or the compiler a virtual architecture such as compute_90."}}};
  if (std::strstr(text, ".version") != nullptr) return {text, Status::success, {}};
  return {"",
          Status::invalid_image,
          {{Severity::error,
            "program.image_unknown",
            {file},
            "what the program gives as its CUDA code is neither PTX nor a fat binary",
            "Give it the text of PTX, or what `nvcc -fatbin` makes; if it is the program's own code, build the program "
            "again."}}};
}

}  // namespace

ImagePtx read_image(const Device& device, const void* image, const std::string& file) {
  const char* text = static_cast<const char*>(image);
  const bool has_four = text[0] != '\0' && text[1] != '\0' && text[2] != '\0';
  const std::uint32_t magic = has_four ? read<std::uint32_t>(image) : 0;
  if (magic == wrapper) return read_image(device, read<const void*>(image, 8), file);
  if (magic != fat_binary) return read_text(text, file);
  // What the header says, if it is there: the program may have read a file that is cut off.
  const std::size_t head = pages::count_mapped(image, fat_binary_header_bytes);
  const bool whole_head = head == fat_binary_header_bytes;
  const std::size_t bytes = whole_head ? fat_binary_bytes(static_cast<const std::byte*>(image)) : head;
  return read_entries(device, image, pages::count_mapped(image, bytes), file);
}

ImagePtx read_image(const Device& device, const std::string& contents, const std::string& file) {
  const bool has_magic = contents.size() >= sizeof fat_binary && read<std::uint32_t>(contents.data()) == fat_binary;
  return has_magic ? read_entries(device, contents.data(), contents.size(), file) : read_text(contents.c_str(), file);
}

bool stands_for_library(std::string_view contents, std::string& ptx) {
  if (!contents.starts_with("!<arch>\n")) return false;
  ptx = grid_functions;
  return true;
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

namespace {

Status refused_or(Device& device, ImagePtx read, std::string& ptx, const ImageUse& use) {
  refuse(device, std::move(read.errors), use);
  ptx = std::move(read.text);
  return read.status;
}

}  // namespace

Status ptx_of_image(Device& device, const void* image, std::string& ptx, const ImageUse& use) {
  return refused_or(device, read_image(device, image, use.file), ptx, use);
}

Status ptx_of_image(Device& device, const std::string& contents, std::string& ptx, const ImageUse& use) {
  return refused_or(device, read_image(device, contents, use.file), ptx, use);
}

}  // namespace lanescope::device::api
