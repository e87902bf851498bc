#pragma once
// Reads a kernel's properties from a cubin (an ELF file for the GPU). Checks every offset: a damaged file gives no
// result.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace lanescope::compile {

struct CubinKernel {
  std::uint32_t symbol = 0;       // index in the symbol table, by which the disassembler names it
  int registers = 0;              // per thread, from .nv.info (EIATTR_REGCOUNT); 0 = unknown
  std::uint32_t stack_bytes = 0;  // per thread, in local memory (EIATTR_FRAME_SIZE)
  int barriers = 0;               // the highest number of a barrier, plus 1 (EIATTR_NUM_BARRIERS); 0 = none
  std::uint64_t code_bytes = 0;
  std::uint64_t constant_bytes = 0;  // of the file's __constant__ variables (.nv.constant3)
};
std::optional<CubinKernel> find_in_cubin(std::span<const std::uint8_t> cubin, const std::string& mangled_kernel);

}  // namespace lanescope::compile
