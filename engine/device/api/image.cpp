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

namespace {

// Adds `by` to the number after this word, if the line has the word.
void move_number(std::string& line, std::string_view word, std::size_t by) {
  const std::size_t found = line.find(word);
  if (found == std::string::npos) return;
  const std::size_t begin = line.find_first_of("0123456789", found + word.size());
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(line.find_first_not_of("0123456789", begin), line.size());
  const std::size_t number = std::strtoull(line.c_str() + begin, nullptr, 10);
  line.replace(begin, end - begin, std::to_string(number + by));
}

// Each text numbers its files from 1.
constexpr std::size_t files_of_a_text = 10'000;

}  // namespace

std::string linked(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    // The same text may have been added several times.
    const auto here = texts.begin() + (&text - texts.data());
    if (std::find(texts.begin(), here, text) != here) continue;
    const std::size_t files = static_cast<std::size_t>(&text - texts.data()) * files_of_a_text;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line(text, at, end - at);
      const bool header =
          line.starts_with(".version") || line.starts_with(".target") || line.starts_with(".address_size");
      const std::size_t first = line.find_first_not_of(" \t");
      if (files != 0 && first != std::string::npos)
        for (const std::string_view word : {".file", ".loc"})
          if (const auto rest = std::string_view(line).substr(first);
              rest.starts_with(word) && rest.find_first_of(" \t") == word.size()) {
            move_number(line, word, files);
            move_number(line, "inlined_at", files);
          }
      if (!header || files == 0) all.append(line).push_back('\n');
      at = end + 1;
    }
  }
  return all;
}

}  // namespace lanescope::device::api
