#pragma once
// Contents of a module's __constant__ and __device__ variables across the launches of a run.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "job/run/job.h"

namespace lanescope::ptx {
struct Variable;  // ptx/module.h
}

namespace lanescope::job {

class ModuleVariables {
 public:
  // Call before each launch. Sets the request's symbols, each once only, because a launch may change them. A symbol
  // that the source declares but this program lacks is left for another program. same:N is the pointer of argument N.
  // Codes: argument.no_such_variable, argument.mismatch, argument.no_such, and those of make_argument().
  Diagnostics fill(const sim::Program& program, const Request& request);

  // A launch places its buffers anew, so pointers in variables are kept as a buffer of the request and an offset. Adds
  // the buffers to which they point and which a later launch does not get otherwise.
  void add_buffers(RequestedLaunch& next) const;
  // Writes the addresses that the buffers have in a launch with these parameters and arguments into the variables.
  void put_addresses(const std::vector<RequestedLaunch::Parameter>& parameters,
                     const std::vector<sim::Argument>& arguments);
  // Keeps what the launch left in the variables. Call it while the result has its arguments.
  void take(const sim::LaunchResult& result, const std::vector<RequestedLaunch::Parameter>& parameters);

  // Warns once per variable (memory.unfilled_variable).
  Diagnostics remarks(const sim::LaunchResult& result, const compile::Source& source);

  const sim::VariableContents& contents() const { return contents_; }

 private:
  struct Held {
    std::uint64_t at = 0;  // of the pointer, in the variable
    int buffer = 0;        // as in RequestedLaunch::Parameter
    std::uint64_t offset = 0;
  };
  // The contents of a variable that is to point to a buffer.
  std::optional<Diagnostic> point(const ptx::Variable& variable, const RequestedArgument& symbol,
                                  const sim::Argument& to, const Request& request);

  sim::VariableContents contents_;
  std::map<std::string, std::vector<Held>> pointers_;
  std::set<std::string> remarked_;
};

// Moves errors about the amount of constant memory to its first variable in the source; the compiler places them at a
// line of PTX.
void place_at_constants(Diagnostics& problems, const compile::Source& source);

}  // namespace lanescope::job
