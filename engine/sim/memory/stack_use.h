#pragma once
// The stack of a kernel's threads: the local memory of the functions that are being called.

#include <cstdint>
#include <optional>

#include "core/diagnostic.h"

namespace lanescope::sim {

// The deepest calls of a launch.
struct StackUse {
  std::uint64_t bytes = 0;  // most local memory of a thread's nested calls, the kernel's own included
  std::uint32_t depth = 0;  // most calls inside one another
  // Some call is recursive or goes through a pointer. The compiler then cannot know how much stack the kernel needs,
  // and a GPU gives a thread no more than cudaLimitStackSize.
  bool open_ended = false;
  SourcePlace place;  // of the deepest call

  // The maximum of both. The result does not depend on the order of calls.
  void join(const StackUse& other);
  // A lower bound of what a GPU needs: it also keeps a return address per call.
  std::uint64_t least_bytes() const { return bytes + std::uint64_t{16} * depth; }
  // An upper estimate: each call may also save registers there, up to 255 of 4 bytes.
  std::uint64_t enough_bytes() const { return bytes + std::uint64_t{1024} * (depth + 1); }
};

// A warning (run.stack_over_limit) if `use` is open-ended and needs more than `limit` bytes; the interpreter has no
// such limit.
std::optional<Diagnostic> beyond_the_stack(const StackUse& use, std::uint64_t limit);

}  // namespace lanescope::sim
