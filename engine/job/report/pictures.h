#pragma once
// Inputs of whole-run pictures that are not in the trace: names of phases from the kernel's text, sums from its
// buffers.

#include <string>
#include <string_view>

#include "diagram/views.h"
#include "job/run/job.h"

namespace lanescope::job {

// diagram::grid_phases() with the lesson's names for the phases that the request's kernel marks.
diagram::PhaseWork phase_work(const trace::Trace& trace, const Request& request);

// The kernel's own running sum from the buffer named `running`, and sums in double precision of the buffer named `in`.
// Empty unless both buffers exist and have the same length.
diagram::RunningSum running_sum(const Outcome& outcome);

// The matrix elements that each lane holds for `mma` or `wmma.mma`. `opcode` with all modifiers, as in a site. Empty
// for other instructions.
diagram::HeldMatrices held_matrices(std::string_view opcode);

}  // namespace lanescope::job
