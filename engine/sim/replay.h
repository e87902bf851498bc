#pragma once
// Answers about a launch by running it once more on this thread: what registers and memory held at a step, and who
// wrote a place last. Nothing of the run before is needed but its request, whose device memory stays as it is. What is
// kept does not grow with the run.
//
// A request that cannot run, and one that is cancelled by its `progress`, gives the diagnostics of run(). A step that
// the launch does not come to is run.no_such_event. Deterministic, and in the order of sim::run() with any `threads`.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>

#include "sim/launch.h"

namespace lanescope::sim {

// An event: trace::WarpEvent's place.
struct Step {
  std::uint32_t block = 0, warp = 0, sequence = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

struct StepState {
  std::uint32_t site = 0;
  LaneMask active, executed;
  bool done = false;  // false: it waits for other threads, or ends in a fault; then `after` is what was before
  std::vector<RegisterValues> before, after;  // those that the function uses, in its order
  // Of a memory access.
  trace::MemorySpace space{};
  std::array<std::uint64_t, 32> addresses{};  // of executed lanes, as in the event; of local memory the lane's own
  using Bytes = std::array<std::byte, 32>;    // as many as the site is wide
  bool memory_known = false;                  // false: parameters, and no access
  std::array<Bytes, 32> memory_before{}, memory_after{};
};
Result<StepState> state_at(const Program& program, const LaunchRequest& request, const Step& step);

// Bytes of global, shared or distributed memory.
struct WatchedBytes {
  trace::MemorySpace space = trace::MemorySpace::global;
  std::uint32_t block = 0;  // whose shared memory; of distributed memory: a block that uses it
  std::uint64_t address = 0, bytes = 0;
};
struct Writes {
  std::uint64_t count = 0;  // each lane's is one
  struct Last {
    Step step;
    std::uint32_t site = 0;
    int lane = 0;
  };
  std::optional<Last> last;  // in the interpreter's order
  // All were made by one thread: else it is the program's barriers that say which was the last, or nothing does.
  bool by_one_thread = true;
};
// Those of the whole launch, or those before a step. Of a launch that a fault ends, those until then.
Result<Writes> writes_to(const Program& program, const LaunchRequest& request, const WatchedBytes& bytes,
                         const std::optional<Step>& before = {});

// Tells of every step of this step's warp before it, in their order, and of the step itself last. What is wrong; empty:
// nothing.
struct WarpStep {
  std::uint32_t sequence = 0, site = 0;
  LaneMask active, executed;
};
Diagnostics hear_warp(const Program& program, const LaunchRequest& request, const Step& step,
                      const std::function<void(const WarpStep&)>& hear);

}  // namespace lanescope::sim
