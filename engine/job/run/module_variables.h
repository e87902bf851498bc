#pragma once
// What the __constant__ and __device__ variables of a module hold through the launches of a run.

#include <optional>
#include <set>
#include <string>

#include "job/run/job.h"

namespace lanescope::job {

class ModuleVariables {
 public:
  // Before a launch of this program: fills in the request's symbols, each once, since a launch may change them. One
  // that the source declares and this program does not have is left for another. Codes: argument.no_such_variable,
  // argument.mismatch, and those of make_argument().
  Diagnostics fill(const sim::Program& program, const Request& request);

  // After it: keeps what it left. Warnings (memory.unfilled_variable), one for a variable.
  Diagnostics after(sim::LaunchResult& result, const compile::Source& source);

  const sim::VariableContents& contents() const { return contents_; }

 private:
  sim::VariableContents contents_;
  std::set<std::string> remarked_;
};

// What is against the amount of constant memory is shown at its first variable: the compiler's own place is a line of
// PTX.
void place_at_constants(Diagnostics& problems, const compile::Source& source);

}  // namespace lanescope::job
