#pragma once
// Contents of a module's __constant__ and __device__ variables across the launches of a run.

#include <optional>
#include <set>
#include <string>

#include "job/run/job.h"

namespace lanescope::job {

class ModuleVariables {
 public:
  // Call before each launch. Sets the request's symbols, each once only, because a launch may change them. A symbol
  // that the source declares but this program lacks is left for another program. Codes: argument.no_such_variable,
  // argument.mismatch, and those of make_argument().
  Diagnostics fill(const sim::Program& program, const Request& request);

  // Call after each launch. Keeps the contents. Warns once per variable (memory.unfilled_variable).
  Diagnostics after(sim::LaunchResult& result, const compile::Source& source);

  const sim::VariableContents& contents() const { return contents_; }

 private:
  sim::VariableContents contents_;
  std::set<std::string> remarked_;
};

// Moves errors about the amount of constant memory to its first variable in the source; the compiler places them at a
// line of PTX.
void place_at_constants(Diagnostics& problems, const compile::Source& source);

}  // namespace lanescope::job
