#pragma once
// Finds the next readers of a place by running the launch again: forward from a step until the place is written again.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "job/run/job.h"
#include "sim/replay_memory.h"

namespace lanescope::job {

struct Reader {
  int launch = 1;
  sim::Step step;
  int lane = 0;
  int line = 0;                         // of the learner's file; 0: in another file
  std::uint32_t block = 0, thread = 0;  // linear
  std::string opcode;
};
struct NextReaders {
  std::vector<Reader> readers;      // in the interpreter's order; for shared memory only those of its block
  bool more = false;                // there are more readers than requested before the next write
  std::optional<Reader> overwrite;  // the write that ends the search; an atomic is also one of the readers
};
// Searches after a step of launch 1, 2, … (its first repeat). If no thread overwrites the bytes in that launch and they
// are an element (`argument`, `index` as in WrongElement; −1: shared memory), the later launches are searched too.
// Returns at most `most` readers. Errors: those of step_values().
Result<NextReaders> next_readers(const Outcome& outcome, int launch, const sim::WatchedBytes& bytes, int argument,
                                 std::int64_t index, const sim::Step& after, std::size_t most,
                                 sim::Progress* progress = nullptr);

}  // namespace lanescope::job
