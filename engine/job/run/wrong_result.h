#pragma once
// Explains a wrong result: the first element that violates a rule, and the threads that wrote it.

#include <optional>
#include <vector>

#include "job/run/job.h"
#include "job/run/race_text.h"

namespace lanescope::job {

// The writes to one element among the events that a run kept.
struct ElementWrites {
  bool complete = false;    // every write of the run was kept; otherwise `count` and `last` are meaningless
  std::uint64_t count = 0;  // number of writes by threads
  struct Write {
    int launch = 1;
    RacePlace place;
  };
  std::optional<Write> last;  // empty if no thread wrote it or the last writes are not ordered
  // Ascending lines of the learner's file that wrote the element or, if none is known, that wrote to the buffer.
  std::vector<int> lines;
};
// `argument`: as in WrongElement.
ElementWrites writes_of(const Outcome& outcome, int argument, std::int64_t index);

// An element that a check of the outcome found wrong, as a message.
struct WrongResult {
  WrongElement element;
  ElementWrites writes;
  Diagnostic said;  // result.wrong, at the line of the last write, else at the first of `lines`
};
// One for each failed check of elements, in order.
std::vector<WrongResult> wrong_results(const Outcome& outcome);

}  // namespace lanescope::job
