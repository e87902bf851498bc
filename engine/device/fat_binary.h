#pragma once
// The container that nvcc puts into a program: PTX and machine code for several architectures.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::device {

struct FatEntry {
  enum class Kind : std::uint8_t { ptx, machine_code };
  Kind kind = Kind::ptx;
  int arch = 0;      // 75, 90
  std::string text;  // PTX; empty for machine code
};

// The bytes begin with the header (magic 0xBA55ED50); its own length field says where they end; `available` bounds the
// read. Diagnostics: program.fat_binary_cut, program.fat_binary_unknown.
Result<std::vector<FatEntry>> read_fat_binary(const std::byte* begin, std::size_t available);
// The PTX that a device of this compute capability would take: highest arch <= it. program.machine_code_only with the
// nvcc option that cures it.
Result<std::string> ptx_for(const std::vector<FatEntry>& entries, int arch);

}  // namespace lanescope::device
