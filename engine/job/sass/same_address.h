#pragma once
// Atomics whose lanes have the same address. Pure. Internal to job/.

#include <cstdint>

#include "job/sass/sass_code.h"
#include "trace/trace.h"

namespace lanescope::job {

// Sectors of an atomic or reduction if the hardware serialises the lanes of one address: each round contains at most
// one lane per address. If ptxas combines the lanes' values first (REDUX), only one lane accesses memory.
std::uint64_t sectors_in_turns(const trace::Trace& trace, const trace::WarpEvent& event, const SassCode& sass);

}  // namespace lanescope::job
