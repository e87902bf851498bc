#pragma once
// The container that nvcc puts into a program: PTX and machine code for several architectures. Entries may be
// compressed with LZ4 (up to CUDA 12, and with -compress-mode=speed) or Zstandard (CUDA 13). NVIDIA does not document
// the formats. This description was found with nvcc 13.0.88 and is checked by tests/unit/device/fat_binary_test.cpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::device {

struct FatEntry {
  enum class Kind : std::uint8_t { ptx, machine_code };  // machine code: also entries for the linker only
  Kind kind = Kind::ptx;
  int arch = 0;      // 75, 90
  std::string text;  // decompressed PTX without the final NUL; empty for machine code
};

// The address of the container that a program passes. `from` is the container, or the compiler's wrapper with its
// address (magic 0x466243B1). It comes from the program's own memory, so its pointers are trusted. nullptr if it is
// neither.
const std::byte* fat_binary_in(const void* from);
inline constexpr std::size_t fat_binary_header_bytes = 16;
// The bytes of header and entries together, as stated in the header. `begin` must have the magic 0xBA55ED50 and
// fat_binary_header_bytes.
std::size_t fat_binary_bytes(const std::byte* begin);

// Accepts any bytes: nothing outside of `available` is read. Codes: program.fat_binary_cut, program.fat_binary_unknown.
Result<std::vector<FatEntry>> read_fat_binary(const std::byte* begin, std::size_t available);
// The PTX that a device of this compute capability (90) would use: the one for the highest architecture that is not
// above it. Codes: program.machine_code_only, program.ptx_too_new.
Result<std::string> ptx_for(const std::vector<FatEntry>& entries, int arch);

}  // namespace lanescope::device
