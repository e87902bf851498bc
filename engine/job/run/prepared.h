#pragma once
// A kernel that is ready to run: compiled, parsed, decoded. Internal to job/run, and to what
// checks a request before it runs.

#include <atomic>
#include <memory>
#include <string>

#include "core/result.h"
#include "job/run/job.h"
#include "sim/launch.h"

namespace lanescope::job {

// What a source and a kernel name become before a run.
struct Prepared {
  std::string ptx, mangled, compiler_name, compiler_version;
  Diagnostics warnings;
  std::shared_ptr<const sim::Program> program;
  // Registers per thread, which only cooperative launches need. 0 = not known, -1 = not computed yet. The block's
  // barriers are known with them.
  mutable std::atomic<int> registers{-1}, barriers{0};
};

// Compiles `kernel` of the request's source, or reuses a recent result for the same source, so that moving a slider
// does not compile. Errors: the compiler's, the parser's at the line of the source, and those of sim::prepare().
Result<std::shared_ptr<const Prepared>> prepare(const Request& request, const std::string& kernel,
                                                const sim::Progress* progress);

}  // namespace lanescope::job
