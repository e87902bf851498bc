#pragma once
// Calls NVIDIA's compilers in worker processes (compile/worker.h): one process per call, at most as many at once as
// there are cores. Thread-safe. Internal to compile/.

#include <cstdint>
#include <string>

#include "compile/link_job.h"
#include "compile/nvrtc_job.h"
#include "core/result.h"

namespace lanescope::compile {

// The library at `path`, or the one that the loader finds by that name; cached. Diagnostics: toolchain.broken, with the
// reason, if it cannot be loaded or crashes the worker while loading; toolchain.no_worker.
Result<const NvrtcLibrary*> nvrtc_at(const std::string& path);

// Returns soon after *job.cancel is set or job.deadline passes.
NvrtcOutcome compile_in_worker(const NvrtcLibrary& nvrtc, const NvrtcJob& job);

inline constexpr int most_link_seconds = 300;
LinkOutcome link_ptx(const LinkJob& job);

Diagnostic worker_not_started(const Wording& reason);

// Bytes that a worker may use: 4 GiB or LANESCOPE_COMPILER_GIB, but at most three quarters of the machine's memory.
std::uint64_t most_memory();

}  // namespace lanescope::compile
