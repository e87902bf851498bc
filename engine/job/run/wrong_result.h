#pragma once
// Why a result is wrong: which element is the first that is not as a rule wants it, and which threads wrote it.

#include <optional>
#include <vector>

#include "job/run/job.h"
#include "job/run/race_text.h"

namespace lanescope::job {

// The writes of one element, found in the events that a run kept.
struct ElementWrites {
  bool complete = false;    // every write of the run was kept: else `count` and `last` say nothing
  std::uint64_t count = 0;  // by threads
  struct Write {
    int launch = 1;
    RacePlace place;
  };
  std::optional<Write> last;  // none where no thread wrote it, and where nothing orders the last writes
  std::vector<int>
      lines;  // of the learner's file that wrote the element; where none is known, that wrote to the buffer; ascending
};
// `argument`: as in WrongElement.
ElementWrites writes_of(const Outcome& outcome, int argument, std::int64_t index);

// An element that a check of the outcome found wrong, in words.
struct WrongResult {
  WrongElement element;
  ElementWrites writes;
  Diagnostic said;  // result.wrong, at the line of the last write, else at the first of the lines
};
// One for each check of elements that does not hold, in their order.
std::vector<WrongResult> wrong_results(const Outcome& outcome);

}  // namespace lanescope::job
