#pragma once
// What a multiprocessor of a GPU architecture offers.
// Source: CUDA C++ Programming Guide, "Compute Capabilities", table of technical specifications. A block takes shared
// memory in units of 128 bytes (256 before sm_80), and from sm_80 on one KiB more for the system.

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope {

struct MultiprocessorLimits {
  int warps = 0, blocks = 0;             // resident at once
  int registers = 0;                     // of 32 bits
  std::uint64_t shared_bytes = 0;        // of all blocks together
  std::uint64_t block_shared_bytes = 0;  // that one block may ask for, with the opt-in where there is one
  std::uint64_t reserved_shared_bytes = 0, shared_unit = 1;

  // What a block that asks for so many bytes takes.
  std::uint64_t shared_bytes_taken(std::uint64_t asked) const {
    return (asked + reserved_shared_bytes + shared_unit - 1) / shared_unit * shared_unit;
  }
};

// Of a real architecture ("sm_90", "sm_90a"); nullopt for one that the table does not have.
std::optional<MultiprocessorLimits> multiprocessor_limits(const std::string& arch);

// The GPU that the interpreter imitates where a kernel or a launch asks how large one is: an NVIDIA H200. Source: what
// its driver answers (cudaDeviceProp: multiProcessorCount, maxThreadsPerMultiProcessor), as in assets/recordings.
namespace imitated_gpu {
inline constexpr const char* arch = "sm_90";
inline constexpr std::uint32_t multiprocessors = 132;
inline constexpr std::uint32_t resident_threads = multiprocessors * 2048;  // at a time, by all of them
}  // namespace imitated_gpu

// The first architectures that the compilers of a CUDA version still compile for, as compute capability × 10. Source:
// release notes of CUDA 12.0, which dropped Kepler, and of CUDA 13.0, which drop Maxwell, Pascal and Volta.
inline constexpr int oldest_of_cuda_12 = 50;
inline constexpr int oldest_of_cuda_13 = 75;

}  // namespace lanescope
