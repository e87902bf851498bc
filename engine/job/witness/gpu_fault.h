#pragma once
// A GPU does not say where a kernel failed. The interpreter may: it checks every access of the same launch.

#include <functional>

#include "job/run/job.h"

namespace lanescope::job {

// When `errors` begin with a fault of the kernel itself (gpu.kernel_fault): the same, and behind them a note
// (gpu.fault_elsewhere) of what the interpreter finds in this launch, said to be its finding: the line where it stops,
// in the order of blocks, warps and lanes in which it does; else a race; else that it met nothing. `keep_going` is
// asked between the orders.
Diagnostics with_the_interpreters_finding(
    Diagnostics errors, const Outcome& interpreted, const std::function<bool()>& keep_going = [] { return true; });

// What a GPU says of a launch that the interpreter has run to its end: that it be run there is no advice any more.
// Everything that takes an interpreted outcome to a GPU says its errors so.
Diagnostics after_the_interpreter(Diagnostics errors, const Outcome& interpreted);

}  // namespace lanescope::job
