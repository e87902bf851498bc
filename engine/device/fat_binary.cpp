#include "device/fat_binary.h"

#include <cstring>
#include <optional>

#include <lz4.h>
#include <zstd.h>

#include "core/os/read_file.h"
#include "core/worded.h"

namespace lanescope::device {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243B1, container_magic = 0xBA55ED50;
constexpr std::size_t least_entry_bytes = 64;
constexpr std::uint64_t lz4_flag = 0x2000, zstd_flag = 0x8000;
constexpr std::uint16_t ptx_kind = 1;

template <typename T>
T value_at(const std::byte* from, std::size_t offset) {
  T value;
  std::memcpy(&value, from + offset, sizeof value);
  return value;
}

// The head of an entry. Its payload follows, padded to 8 bytes.
struct Head {
  std::uint16_t kind;
  std::uint64_t own_bytes, payload_bytes;
  std::uint64_t packed_bytes, whole_bytes;  // only if compressed, else 0: without padding; unpacked
  int arch;
  std::uint64_t flags;

  explicit Head(const std::byte* at)
      : kind(value_at<std::uint16_t>(at, 0)),
        own_bytes(value_at<std::uint32_t>(at, 4)),
        payload_bytes(value_at<std::uint64_t>(at, 8)),
        packed_bytes(value_at<std::uint32_t>(at, 16)),
        whole_bytes(value_at<std::uint64_t>(at, 56)),
        arch(static_cast<int>(value_at<std::uint32_t>(at, 28))),
        flags(value_at<std::uint64_t>(at, 40)) {}
};

Diagnostic cut() {
  return {Severity::error,
          "program.fat_binary_cut",
          {},
          "The program's CUDA code (its fat binary) is cut off or damaged",
          "Build the program again."};
}

Diagnostic unknown(Wording what) {
  return {Severity::error, "program.fat_binary_unknown", {}, std::move(what), "Build the program with CUDA 12 or 13."};
}

std::optional<std::string> unpacked_text(const Head& head, const std::byte* payload) {
  if (head.packed_bytes > head.payload_bytes || head.whole_bytes > most_text_bytes) return std::nullopt;
  const auto* packed = reinterpret_cast<const char*>(payload);
  std::string text;
  if (head.flags & lz4_flag) {
    // LZ4 cannot expand a block by a larger factor.
    if (head.packed_bytes > LZ4_MAX_INPUT_SIZE || head.whole_bytes > head.packed_bytes * 255) return std::nullopt;
    text.resize(head.whole_bytes);
    const int got = LZ4_decompress_safe(packed, text.data(), static_cast<int>(head.packed_bytes),
                                        static_cast<int>(head.whole_bytes));
    if (got < 0 || static_cast<std::uint64_t>(got) != head.whole_bytes) return std::nullopt;
  } else {
    if (ZSTD_getFrameContentSize(packed, head.packed_bytes) != head.whole_bytes) return std::nullopt;
    text.resize(head.whole_bytes);
    if (ZSTD_decompress(text.data(), text.size(), packed, head.packed_bytes) != head.whole_bytes) return std::nullopt;
  }
  return text;
}

// PTX with a target such as sm_90a runs only on that architecture.
bool is_for_one_architecture(const std::string& ptx) {
  std::size_t at = ptx.find("sm_", ptx.find(".target"));
  if (at == std::string::npos) return false;
  at = ptx.find_first_not_of("0123456789", at + 3);
  return at != std::string::npos && ptx[at] == 'a';
}

}  // namespace

const std::byte* fat_binary_in(const void* from) {
  const auto* at = static_cast<const std::byte*>(from);
  if (at == nullptr) return nullptr;
  if (value_at<std::uint32_t>(at, 0) == wrapper_magic) at = value_at<const std::byte*>(at, 8);
  return at != nullptr && value_at<std::uint32_t>(at, 0) == container_magic ? at : nullptr;
}

std::size_t fat_binary_bytes(const std::byte* begin) {
  return value_at<std::uint16_t>(begin, 6) + value_at<std::uint64_t>(begin, 8);
}

Result<std::vector<FatEntry>> read_fat_binary(const std::byte* begin, std::size_t available) {
  if (available < fat_binary_header_bytes) return cut();
  if (value_at<std::uint32_t>(begin, 0) != container_magic)
    return unknown("The program's CUDA code (its fat binary) has an unknown format");
  const std::uint64_t header = value_at<std::uint16_t>(begin, 6), bytes = value_at<std::uint64_t>(begin, 8);
  if (header < fat_binary_header_bytes || header > available || bytes > available - header) return cut();
  std::vector<FatEntry> entries;
  for (std::uint64_t offset = header; offset < header + bytes;) {
    const std::uint64_t left = header + bytes - offset;
    if (left < least_entry_bytes) return cut();
    const Head head(begin + offset);
    if (head.own_bytes < least_entry_bytes || head.own_bytes > left || head.payload_bytes > left - head.own_bytes)
      return cut();
    const std::byte* payload = begin + offset + head.own_bytes;
    FatEntry& entry = entries.emplace_back();
    entry.kind = head.kind == ptx_kind ? FatEntry::Kind::ptx : FatEntry::Kind::machine_code;
    entry.arch = head.arch;
    if (entry.kind == FatEntry::Kind::ptx) {
      if (head.flags & (lz4_flag | zstd_flag)) {
        std::optional<std::string> text = unpacked_text(head, payload);
        if (!text) return cut();
        entry.text = std::move(*text);
      } else {
        entry.text.assign(reinterpret_cast<const char*>(payload), head.payload_bytes);
      }
      entry.text.erase(entry.text.find_last_not_of('\0') + 1);
    }
    offset += head.own_bytes + head.payload_bytes;
  }
  return entries;
}

Result<std::string> ptx_for(const std::vector<FatEntry>& entries, int arch) {
  const FatEntry *best = nullptr, *newer = nullptr;
  for (const FatEntry& one : entries) {
    if (one.kind != FatEntry::Kind::ptx) continue;
    if (one.arch > arch || (one.arch < arch && is_for_one_architecture(one.text)))
      newer = &one;
    else if (best == nullptr || one.arch > best->arch)
      best = &one;
  }
  if (best != nullptr) return best->text;
  const Wording cure = worded("Build it with `nvcc -gencode arch=compute_{0},code=compute_{0}`.", arch);
  if (newer != nullptr)
    return Diagnostic{Severity::error,
                      "program.ptx_too_new",
                      {},
                      worded("The program has PTX for compute capability {}.{}, which a GPU of {}.{} does not take",
                             newer->arch / 10, newer->arch % 10, arch / 10, arch % 10),
                      newer->arch > arch ? worded("Imitate a GPU of sm_{1}, or build it with `nvcc -gencode "
                                                  "arch=compute_{0},code=compute_{0}`.",
                                                  arch, newer->arch)
                                         : cure};
  return Diagnostic{Severity::error,
                    "program.machine_code_only",
                    {},
                    "The program has machine code for GPUs, but no PTX, which is what is executed here",
                    cure};
}

}  // namespace lanescope::device
