#pragma once
// One call of the compiler with an unchanged source. Runs in the compiler's process (compile/compiler_worker.cpp).

#include <atomic>

#include "compile/nvrtc.h"
#include "compile/nvrtc_job.h"

namespace lanescope::compile {

// Runs on the calling thread, whose stack should be deep: NVRTC parses by recursion, and an ordinary stack overflows
// after a few thousand nested brackets. Once `stop` is set, NVRTC gives up at its next check, which may be many seconds
// away during a long optimisation.
NvrtcOutcome run_nvrtc(const Nvrtc& nvrtc, const NvrtcJob& job, std::atomic<bool>& stop);

}  // namespace lanescope::compile
