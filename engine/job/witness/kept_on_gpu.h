#pragma once
// A launch of a program (device/kept_launch.h) as a GPU takes it. Its memory lies elsewhere there: each address, among
// the parameters and stored in memory, becomes the GPU's on the way there, and the interpreter's on the way back.
//
// Eight bytes that lead into an allocation count as an address. A number that looks like one by chance would be changed
// for the kernel too; its result then differs from the interpreter's, which is told.

#include <cstdint>
#include <vector>

#include "gpu/gpu.h"
#include "job/run/job.h"
#include "job/witness/record_comparison.h"

namespace lanescope::job {

struct KeptOnGpu {
  std::vector<sim::Argument> before;  // the parameters, and behind them the memory that the launch can reach
  std::vector<gpu::Argument> given;   // the same, for gpu::Session
  std::size_t parameters = 0;         // how many of them come first
  std::vector<DeviceRange> ranges;    // of that memory in the interpreter, by its place in both lists
};

// Codes: gpu.texture_argument (the kernel reads textures or surfaces),
// gpu.stored_address (memory holds addresses of functions, or more than `most_addresses`).
inline constexpr std::size_t most_addresses = 100'000;
Result<KeptOnGpu> kept_on_gpu(const Outcome& interpreted);
// After a run: the interpreter's addresses for the GPU's.
void put_back_addresses(const std::vector<DeviceRange>& ranges, std::vector<gpu::Argument>& after);

// Where a GPU's memory after the launch differs first from the interpreter's; empty: nowhere.
Wording first_difference_of_kept(const Outcome& interpreted, const std::vector<DeviceRange>& ranges,
                                 const std::vector<sim::Argument>& after);
// The interpreter's arguments with what the GPU's memory holds.
std::vector<sim::Argument> arguments_of_kept(const Outcome& interpreted, const std::vector<DeviceRange>& ranges,
                                             const std::vector<sim::Argument>& after);

}  // namespace lanescope::job
