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
  // Pointers among the members of a symbol have their places (place_pointed_buffers).
  // Codes: argument.no_such_variable, argument.mismatch, argument.no_such, and those of make_argument().
  Diagnostics fill(const sim::Program& program, const Request& request);

  // Writes the addresses of the buffers to which symbols point. `buffers`: of the request, with their addresses.
  void put_addresses(const std::vector<sim::Argument>& buffers);
  // Does so, and adds the buffers that a later launch reaches through pointers alone, which symbols set, or which an
  // earlier launch stored in variables or in buffers of 8-byte elements or bytes.
  void add_buffers(RequestedLaunch& next, const std::vector<sim::Argument>& buffers);
  // Keeps what the launch left in the variables.
  void take(const sim::LaunchResult& result);

  // Warns once per variable (memory.unfilled_variable).
  Diagnostics remarks(const sim::LaunchResult& result, const compile::Source& source);
  // Call after the last launch. Notes the symbols that no launch's kernel can reach (argument.unused_variable).
  Diagnostics unused(const Request& request) const;

  const sim::VariableContents& contents() const { return contents_; }

 private:
  struct Pointer {
    std::uint64_t at = 0;    // in the variable
    std::size_t buffer = 0;  // as in RequestedLaunch::Parameter
    std::uint64_t offset = 0;
  };
  // The contents of a variable that is to point to a buffer.
  std::optional<Diagnostic> point(const ptx::Variable& variable, const RequestedArgument& symbol,
                                  const sim::Argument& to, const Request& request);

  sim::VariableContents contents_;
  std::map<std::string, std::vector<Pointer>> pointers_;  // whose addresses are to be written
  std::set<std::string> remarked_, used_;
};

// Moves errors about the amount of constant memory to its first variable in the source; the compiler places them at a
// line of PTX.
void place_at_constants(Diagnostics& problems, const compile::Source& source);

}  // namespace lanescope::job
