#pragma once
// A launch of a program (device/kept_launch.h), prepared for a GPU. Its memory has other addresses there: each address,
// in parameters and in memory, is translated to the GPU's before the run and back after it.
//
// Eight bytes count as an address if they point into an allocation. A number that looks like an address by chance is
// changed for the kernel too; the result then differs from the interpreter's, and this is reported.

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/gpu.h"
#include "job/run/job.h"
#include "job/witness/record_comparison.h"

namespace lanescope::job {

struct KeptOnGpu {
  std::vector<sim::Argument> before;  // the parameters, then the memory that the launch can reach
  std::vector<gpu::Argument> given;   // the same for gpu::Session
  std::size_t parameters = 0;         // number of parameters in both lists
  std::vector<DeviceRange> ranges;    // the interpreter's ranges of that memory, by index in both lists
};

// Codes: gpu.texture_argument (the kernel reads textures or surfaces),
// gpu.stored_address (memory holds addresses of functions, or more than `most_addresses`).
inline constexpr std::size_t most_addresses = 100'000;
Result<KeptOnGpu> kept_on_gpu(const Outcome& interpreted);
// After a run: replaces the GPU's addresses by the interpreter's.
void put_back_addresses(const std::vector<DeviceRange>& ranges, std::vector<gpu::Argument>& after);

// The interpreter's memory after the launch, by index in KeptOnGpu::given, which has `count` elements. Empty where it
// was not kept.
std::vector<std::span<const std::byte>> expected_of_kept(const Outcome& interpreted,
                                                         const std::vector<DeviceRange>& ranges, std::size_t count);

// The first place where the GPU's memory after the launch differs from the interpreter's; empty if there is none.
Wording first_difference_of_kept(const Outcome& interpreted, const std::vector<DeviceRange>& ranges,
                                 const std::vector<sim::Argument>& after);
// The interpreter's arguments with the contents of the GPU's memory.
std::vector<sim::Argument> arguments_of_kept(const Outcome& interpreted, const std::vector<DeviceRange>& ranges,
                                             const std::vector<sim::Argument>& after);

}  // namespace lanescope::job
