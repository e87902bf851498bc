#pragma once
// Launches as text: those that the user writes, and those in the source itself.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dim3.h"
#include "job/request/extent_parts.h"
#include "job/run/job.h"

namespace lanescope::job {

// Adds a launch after those of the request: 'scale<<<4, 256, 0>>>(same:0, i32=1024)'. Grid, block and shared memory may
// be expressions of the source's constants, including dim3(…). Arguments are read by make_argument(). same:N is
// argument N of the whole run: first the arguments of the first launch, then the buffers that later launches added, in
// order. Codes: launch.text, launch.not_constant, and those of make_argument().
Diagnostics add_launch(Request& request, const std::string& text);

// RequestedLaunch::declared of a kernel of the request's source.
std::vector<std::string> declared_types(const Request& request, const std::string& kernel);

// The parts of a launch that the user gave. The source does not replace them.
struct GivenLaunch {
  bool grid = false, block = false, shared = false;
};

// Takes what the request lacks from the source's own launch of the kernel: the kernel's name if there is only one
// kernel, grid, block, shared memory, all arguments if none is given, and the size of an argument such as f32[]=iota.
// Notes (launch.from_source) tell what was taken. Codes: command.which_kernel, launch.not_given, launch.not_constant,
// argument.not_constant.
Diagnostics complete_from_source(Request& request, const GivenLaunch& given);

// A grid or block of the source's own launch.
struct OwnExtent {
  std::optional<Dim3> whole;
  // Without `whole`: x, y and z as the launch gives them. Empty if it does not give them one by one.
  std::vector<ExtentPart> parts;
};

// What the source's own first launch of a kernel tells, each part by itself.
struct OwnLaunch {
  int line = 0;
  std::vector<std::string> template_arguments;
  OwnExtent grid, block;
  std::optional<std::uint32_t> shared_bytes;
  std::vector<std::string> arguments;  // one per parameter, as for --arg; empty where it cannot be evaluated
};
// `kernel` without template arguments takes any launch of it. nullopt: the source does not launch it.
std::optional<OwnLaunch> own_launch(const compile::Source& source, const std::string& kernel);

}  // namespace lanescope::job
