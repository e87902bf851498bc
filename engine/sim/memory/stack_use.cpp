#include "sim/memory/stack_use.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "core/worded.h"

namespace lanescope::sim {

void StackUse::join(const StackUse& other) {
  const auto rank = [](const StackUse& one) { return std::tuple(one.bytes, one.depth); };
  if (rank(other) > rank(*this) || (rank(other) == rank(*this) && other.place.line < place.line)) place = other.place;
  bytes = std::max(bytes, other.bytes);
  depth = std::max(depth, other.depth);
  open_ended |= other.open_ended;
}

namespace {
// "Maximum amount of local memory per thread: 512 KB" ("CUDA C++ Programming Guide", technical specifications).
constexpr std::uint64_t largest_stack = 512 << 10;
}  // namespace

std::optional<Diagnostic> beyond_the_stack(const StackUse& use, std::uint64_t limit) {
  if (!use.open_ended || use.least_bytes() <= limit) return std::nullopt;
  return Diagnostic{
      Severity::warning, "run.stack_over_limit", use.place,
      worded("calls are nested {} deep here and use at least {} bytes of stack per thread; a GPU provides {}, because "
             "the compiler cannot know the need of recursion or of calls through pointers. There the kernel may fail "
             "or overwrite other memory",
             use.depth, use.least_bytes(), limit),
      use.least_bytes() > largest_stack ? worded("Nest fewer calls: a GPU provides at most {} bytes.", largest_stack)
                                        : worded("Call cudaDeviceSetLimit(cudaLimitStackSize, {}) before the launch.",
                                                 std::min(std::bit_ceil(use.enough_bytes()), largest_stack))};
}

}  // namespace lanescope::sim
