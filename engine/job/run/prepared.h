#pragma once
// A kernel that is ready to run: compiled, parsed, decoded. Internal to job/run.

#include <atomic>
#include <memory>
#include <string>

#include "core/result.h"
#include "job/run/job.h"
#include "sim/launch.h"

namespace lanescope::job {

// What a source and a kernel name become before anything runs.
struct Prepared {
  std::string ptx, mangled, compiler_name, compiler_version;
  Diagnostics warnings;
  std::shared_ptr<const sim::Program> program;
  // Registers per thread; only cooperative launches ask for it. 0 = not known, -1 = not asked yet.
  mutable std::atomic<int> registers{-1};
};

// Compiles `kernel` of the request's source, or takes what was made of the same source lately: a slider moves without
// compiling. Errors: the compiler's, the parser's at their line of the source, sim::prepare()'s.
Result<std::shared_ptr<const Prepared>> prepare(const Request& request, const std::string& kernel,
                                                const sim::Progress* progress);

}  // namespace lanescope::job
