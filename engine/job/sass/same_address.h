#pragma once
// Atomics of lanes with the same address. Pure. Internal to job/.

#include <cstdint>

#include "job/sass/sass_code.h"
#include "trace/trace.h"

namespace lanescope::job {

// Sectors of an atomic or reduction when the hardware takes the lanes of one address one after another: each round has
// at most one lane of an address. Where ptxas joins the lanes' values first (REDUX), one lane alone goes to memory.
std::uint64_t sectors_in_turns(const trace::Trace& trace, const trace::WarpEvent& event, const SassCode& sass);

}  // namespace lanescope::job
