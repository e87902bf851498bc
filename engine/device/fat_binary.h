#pragma once
// The container that nvcc puts into a program: PTX and machine code for several architectures, each entry as it is or
// compressed: with LZ4 (up to CUDA 12, and -compress-mode=speed) or Zstandard (CUDA 13). NVIDIA documents neither; what
// stands here was found with the nvcc of 13.0.88 and is checked by tests/unit/device/fat_binary_test.cpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::device {

struct FatEntry {
  enum class Kind : std::uint8_t { ptx, machine_code };  // machine code: also what is for the linker only
  Kind kind = Kind::ptx;
  int arch = 0;      // 75, 90
  std::string text;  // PTX, decompressed, without the NUL at its end; empty for machine code
};

// Where the container lies that a program hands over: `from` is the container, or the wrapper that the compiler puts
// around its address (magic 0x466243B1). From the program's own memory, so what it points to is believed. nullptr: it
// is neither.
const std::byte* fat_binary_in(const void* from);
// Header and entries together, as the header says. `begin` has the magic 0xBA55ED50 and 16 bytes.
std::size_t fat_binary_bytes(const std::byte* begin);

// Any bytes may be given: nothing outside of `available` is read. Codes: program.fat_binary_cut,
// program.fat_binary_unknown.
Result<std::vector<FatEntry>> read_fat_binary(const std::byte* begin, std::size_t available);
// The PTX that a device of this compute capability (90) would take: that of the highest architecture up to it. Codes:
// program.machine_code_only, program.ptx_too_new.
Result<std::string> ptx_for(const std::vector<FatEntry>& entries, int arch);

}  // namespace lanescope::device
