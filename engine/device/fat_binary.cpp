#include "device/fat_binary.h"

#include <cstring>

#include "core/worded.h"

namespace lanescope::device {

namespace {

constexpr std::uint32_t magic = 0xBA55ED50;
constexpr std::uint64_t compressed = 0x2000 | 0x8000;

template <typename T>
T at(const std::byte* from, std::size_t offset) {
  T value;
  std::memcpy(&value, from + offset, sizeof value);
  return value;
}

Diagnostic error(std::string code, Wording message, Wording cure) {
  return {Severity::error, std::move(code), {}, std::move(message), std::move(cure)};
}

}  // namespace

Result<std::vector<FatEntry>> read_fat_binary(const std::byte* begin, std::size_t available) {
  if (available < 16) return error("program.fat_binary_cut", "a fat binary is cut off", "Build the program again.");
  if (at<std::uint32_t>(begin, 0) != magic)
    return error("program.fat_binary_unknown", "a fat binary has an unknown format", "Build with CUDA 12 or 13.");
  const std::uint64_t header = at<std::uint16_t>(begin, 6), bytes = at<std::uint64_t>(begin, 8);
  if (bytes > available || header > available - bytes)
    return error("program.fat_binary_cut", "a fat binary is cut off", "Build the program again.");
  std::vector<FatEntry> entries;
  for (std::uint64_t offset = header; offset + 64 <= header + bytes;) {
    const std::byte* entry = begin + offset;
    const std::uint64_t own = at<std::uint32_t>(entry, 4), payload = at<std::uint64_t>(entry, 8);
    if (own < 64 || own > bytes || payload > header + bytes - offset - own)
      return error("program.fat_binary_cut", "a fat binary is cut off", "Build the program again.");
    FatEntry one;
    one.kind = at<std::uint16_t>(entry, 0) == 1 ? FatEntry::Kind::ptx : FatEntry::Kind::machine_code;
    one.arch = static_cast<int>(at<std::uint32_t>(entry, 28));
    if (one.kind == FatEntry::Kind::ptx) {
      if (at<std::uint64_t>(entry, 40) & compressed)
        return error("program.fat_binary_unknown", "a fat binary is compressed", "Build with -Xfatbin -no-compress.");
      one.text.assign(reinterpret_cast<const char*>(entry + own), payload);
      while (!one.text.empty() && one.text.back() == '\0') one.text.pop_back();
    }
    entries.push_back(std::move(one));
    offset += own + payload;
  }
  return entries;
}

Result<std::string> ptx_for(const std::vector<FatEntry>& entries, int arch) {
  const FatEntry* best = nullptr;
  for (const FatEntry& one : entries)
    if (one.kind == FatEntry::Kind::ptx && one.arch <= arch && (best == nullptr || one.arch > best->arch)) best = &one;
  if (best != nullptr) return best->text;
  return error("program.machine_code_only", "the program has no PTX for this architecture",
               "Build with nvcc -gencode arch=compute_75,code=compute_75.");
}

}  // namespace lanescope::device
