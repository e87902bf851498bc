#pragma once
// Answers questions about a launch by running it again on this thread: the contents of registers and memory at a step,
// and who wrote a place last. Needs only the request of the earlier run, whose device memory does not change. The
// memory used does not grow with the run.
//
// A request that cannot run, or that is cancelled by its `progress`, gives the diagnostics of run(). A step that the
// launch does not reach gives run.no_such_event. Deterministic; the order is that of sim::run() with any `threads`.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>

#include "sim/launch.h"

namespace lanescope::sim {

// An event, by its place in trace::WarpEvent.
struct Step {
  std::uint32_t block = 0, warp = 0, sequence = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

struct StepState {
  std::uint32_t site = 0;
  LaneMask active, executed;
  bool done = false;  // false: it waits for other threads or ends in a fault; then `after` is the state before
  std::vector<RegisterValues> before, after;  // the registers that the function uses, in its order
  // For a memory access:
  trace::MemorySpace space{};
  std::array<std::uint64_t, 32> addresses{};  // of executed lanes, as in the event; for local memory the lane's own
  using Bytes = std::array<std::byte, 32>;    // only the bytes of the site's width are set
  bool memory_known = false;                  // false for parameters, or if there is no access
  std::array<Bytes, 32> memory_before{}, memory_after{};
  // Per lane, one bit per byte: clear if it was never written and had no contents before the launch, so that the byte
  // in memory_before means nothing.
  std::array<std::uint32_t, 32> written_before{}, written_after{};
};
Result<StepState> state_at(const Program& program, const LaunchRequest& request, const Step& step);

// Bytes of global, shared or distributed memory.
struct WatchedBytes {
  trace::MemorySpace space = trace::MemorySpace::global;
  std::uint32_t block = 0;  // for shared memory: its block; for distributed memory: a block that uses it
  std::uint64_t address = 0, bytes = 0;
};
struct Writes {
  std::uint64_t count = 0;  // counts each lane
  struct Last {
    Step step;
    std::uint32_t site = 0;
    int lane = 0;
  };
  std::optional<Last> last;  // in the interpreter's order
  // All were made by one thread. Otherwise only the program's barriers, if anything, tell which one was the last.
  bool by_one_thread = true;
};
// The writes of the whole launch, or those before a step. If a fault ends the launch, the writes up to it.
Result<Writes> writes_to(const Program& program, const LaunchRequest& request, const WatchedBytes& bytes,
                         const std::optional<Step>& before = {});

// Calls `hear` for every step of this step's warp up to and including it, in order. Returns the errors; empty if there
// are none.
struct WarpStep {
  std::uint32_t sequence = 0, site = 0;
  LaneMask active, executed;
};
Diagnostics hear_warp(const Program& program, const LaunchRequest& request, const Step& step,
                      const std::function<void(const WarpStep&)>& hear);

}  // namespace lanescope::sim
