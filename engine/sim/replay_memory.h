#pragma once
// Answers about bytes of memory, by running a launch once more as replay.h does: who reads them next, what they hold at
// a step, who touched them. Requests, errors and memory as there.

#include <vector>

#include "sim/replay.h"

namespace lanescope::sim {

// Who reads some bytes after a step, in the interpreter's order, until they are written again. An atomic reads and
// writes.
struct Reads {
  using Access = Writes::Last;
  std::vector<Access> first;        // a lane's each; at most as many as were asked for
  bool more = false;                // there are more before the next write
  std::optional<Access> overwrite;  // the write that ends it, where it was looked for and is in this launch
};
// Behind the launch's beginning without a step.
Result<Reads> reads_after(const Program& program, const LaunchRequest& request, const WatchedBytes& bytes,
                          const std::optional<Step>& after, std::size_t most);

// What the elements of some bytes hold just before a step and just after it, and which threads touched them until then.
struct MemoryState {
  bool known = false;  // false: some of the bytes are not the launch's
  bool done = false;   // as in StepState
  std::vector<std::byte> before, after;
  struct Element {
    std::uint32_t reads = 0, writes = 0;  // of lanes, before the step; they stop at the largest number
    std::uint32_t block = 0, warp = 0;    // that touched it last, where any did
    LaneMask read, written;               // by the step itself
    bool touched() const { return reads != 0 || writes != 0; }
  };
  std::vector<Element> elements;
};
// `element`: bytes of one; `bytes.bytes` are a multiple of it. Shared memory is that of the step's own block.
Result<MemoryState> memory_at(const Program& program, const LaunchRequest& request, const Step& step,
                              const WatchedBytes& bytes, std::uint32_t element);

}  // namespace lanescope::sim
