#pragma once
// A GPU does not report where a kernel faulted. The interpreter may find it, because it checks every access of the
// launch.

#include <functional>

#include "job/run/job.h"

namespace lanescope::job {

// If `errors` begin with a fault of the kernel (gpu.kernel_fault), appends a note (gpu.fault_elsewhere) with the
// interpreter's finding for this launch: the line where it stops in its order of blocks, warps and lanes; else a race;
// else that it found nothing. `keep_going` is called between the orders tried.
Diagnostics with_the_interpreters_finding(
    Diagnostics errors, const Outcome& interpreted, const std::function<bool()>& keep_going = [] { return true; });

// For errors of a launch that the interpreter has completed: removes the advice to run it there. Everything that takes
// an interpreted outcome to a GPU passes its errors through this.
Diagnostics after_the_interpreter(Diagnostics errors, const Outcome& interpreted);

}  // namespace lanescope::job
