#pragma once
// Inputs of whole-run pictures that are not in the trace: names of phases
// from the kernel's text, sums from its buffers.

#include <string>
#include <string_view>

#include "diagram/views.h"
#include "job/run/job.h"

namespace lanescope::job {

// diagram::grid_phases(), with the names of the phases that the request's kernel marks, as its lesson calls them.
diagram::PhaseWork phase_work(const trace::Trace& trace, const Request& request);

// The kernel's own running sum: the buffer named `running`, and the sums in double precision of the buffer named `in`.
// Empty when there are no such buffers of one length.
diagram::RunningSum running_sum(const Outcome& outcome);

// Where the elements lie that `mma` or `wmma.mma` multiplies; `opcode` as a site names it, with all its modifiers.
// Empty for other instructions.
diagram::HeldMatrices held_matrices(std::string_view opcode);

}  // namespace lanescope::job
