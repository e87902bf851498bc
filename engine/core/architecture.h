#pragma once
// The resources of a multiprocessor per GPU architecture. Source: CUDA C++ Programming Guide, "Compute Capabilities",
// table of technical specifications. Shared memory is allocated to blocks in units of 128 bytes (256 before sm_80).
// From sm_80 on each block takes one more KiB for the system. Barriers: CUDA's own occupancy calculation (which counts
// them from sm_90 on), and an H200.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope {

struct MultiprocessorLimits {
  int warps = 0, blocks = 0;             // the most that can be resident at once
  int registers = 0;                     // 32 bits each
  std::uint64_t shared_bytes = 0;        // for all blocks together
  std::uint64_t block_shared_bytes = 0;  // the most that one block may request, with the opt-in if there is one
  std::uint64_t reserved_shared_bytes = 0, shared_unit = 1;
  int barriers = 0;  // the barriers (`bar.sync`) of all blocks together; 0: they limit nothing

  // The bytes allocated for a block that requests `asked` bytes.
  std::uint64_t shared_bytes_taken(std::uint64_t asked) const {
    return (asked + reserved_shared_bytes + shared_unit - 1) / shared_unit * shared_unit;
  }
};

// The limits of a real architecture ("sm_90", "sm_90a"); nullopt if it is not in the table.
std::optional<MultiprocessorLimits> multiprocessor_limits(const std::string& arch);

// "90" and "a" of "sm_90a", "compute_90a" and "90a". Of any other text, what is left without such a prefix: its leading
// digits, perhaps none, and the rest.
struct ArchitectureName {
  std::string_view digits, suffix;  // parts of the text
};
ArchitectureName parts_of_architecture(std::string_view text);
// "sm_90" for "sm_90", "compute_90" and "90", with the suffix of sm_90a; empty for any other text.
std::string real_architecture(std::string_view text);

// The GPU that the interpreter imitates if a kernel or a launch asks for a GPU's size: an NVIDIA H200. Source: its
// driver (cudaDeviceProp: multiProcessorCount, maxThreadsPerMultiProcessor), as in assets/recordings.
namespace imitated_gpu {
inline constexpr const char* arch = "sm_90";
inline constexpr std::uint32_t multiprocessors = 132;
// The most that can be resident at once on all multiprocessors.
inline constexpr std::uint32_t resident_threads = multiprocessors * 2048;
}  // namespace imitated_gpu

// The oldest architectures that the compilers of a CUDA version support, as compute capability × 10. Source: release
// notes of CUDA 12.0, which dropped Kepler, and of CUDA 13.0, which dropped Maxwell, Pascal and Volta.
inline constexpr int oldest_of_cuda_12 = 50;
inline constexpr int oldest_of_cuda_13 = 75;

}  // namespace lanescope
