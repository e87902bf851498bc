#pragma once
// Launches as text: those that the user writes, and those that a source makes of its own kernels.

#include <optional>
#include <string>

#include "job/run/job.h"

namespace lanescope::job {

// Adds a launch that follows those of the request: 'scale<<<4, 256, 0>>>(same:0, i32=1024)'. Grid, block and shared
// memory may be expressions of the source's constants, dim3(…) too; arguments are as make_argument() reads them,
// same:N being argument N of the whole run: the first launch's, and behind them the buffers that launches added, in
// order. Codes: launch.text, launch.not_constant, and those of make_argument().
Diagnostics add_launch(Request& request, const std::string& text);

// The parts of a launch that the user gave, which are not taken from the source.
struct GivenLaunch {
  bool grid = false, block = false, shared = false;
};

// Takes what is missing in the request from the source's own launch of the kernel: the kernel's name where there is one
// kernel only, grid, block, shared memory; the arguments where none is given; and the size of an argument such as
// f32[]=iota. What was taken is said by notes (launch.from_source). Codes: command.which_kernel, launch.not_given,
// launch.not_constant, argument.not_constant.
Diagnostics complete_from_source(Request& request, const GivenLaunch& given);

}  // namespace lanescope::job
