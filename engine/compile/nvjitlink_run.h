#pragma once
// One call of nvJitLink. Runs in the compiler's process (compile/compiler_worker.cpp).

#include "compile/link_job.h"
#include "compile/nvjitlink.h"

namespace lanescope::compile {

LinkOutcome run_nvjitlink(const NvJitLink& linker, const LinkJob& job);

}  // namespace lanescope::compile
