#pragma once
// One call of the compiler with the source unchanged. In the compiler's process (compile/compiler_worker.cpp).

#include <atomic>

#include "compile/nvrtc.h"
#include "compile/nvrtc_job.h"

namespace lanescope::compile {

// On this thread, whose stack should be deep: NVRTC parses by recursion, and the stack of an ordinary thread overflows
// on a few thousand nested brackets. Once `stop` is set NVRTC gives up at its next check, which in a long optimisation
// may be many seconds away.
NvrtcOutcome run_nvrtc(const Nvrtc& nvrtc, const NvrtcJob& job, std::atomic<bool>& stop);

}  // namespace lanescope::compile
