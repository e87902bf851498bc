#pragma once
// Answers questions about bytes of memory by running a launch again, as in replay.h: who reads them next, what they
// contain at a step, who accessed them. Requests, errors and memory as in replay.h.

#include <vector>

#include "sim/replay.h"

namespace lanescope::sim {

// Who reads some bytes after a step, in the interpreter's order, until they are overwritten. An atomic counts as a read
// and as a write.
struct Reads {
  using Access = Writes::Last;
  std::vector<Access> first;        // one per lane; at most as many as requested
  bool more = false;                // there are more before the next write
  std::optional<Access> overwrite;  // the write that ends it, if it was reached and is in this launch
};
// Without a step: from the launch's beginning on.
Result<Reads> reads_after(const Program& program, const LaunchRequest& request, const WatchedBytes& bytes,
                          const std::optional<Step>& after, std::size_t most);

// What the elements of some bytes contain just before and just after a step, and which threads accessed them until
// then.
struct MemoryState {
  bool known = false;  // false: some of the bytes are not the launch's
  bool done = false;   // as in StepState
  std::vector<std::byte> before, after;
  struct Element {
    std::uint32_t reads = 0, writes = 0;  // counts lanes, before the step; saturating
    std::uint32_t block = 0, warp = 0;    // the last warp that accessed it, if any
    LaneMask read, written;               // by the step itself
    // False: no byte of it was ever written, nor had contents before the launch, so `before` or `after` mean nothing.
    bool has_before = true, has_after = true;
    bool touched() const { return reads != 0 || writes != 0; }
  };
  std::vector<Element> elements;
};
// `element` is the size of an element; `bytes.bytes` must be a multiple of it. Shared memory is that of the step's
// block.
Result<MemoryState> memory_at(const Program& program, const LaunchRequest& request, const Step& step,
                              const WatchedBytes& bytes, std::uint32_t element);

}  // namespace lanescope::sim
