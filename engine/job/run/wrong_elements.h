#pragma once
// The elements of a buffer that a lesson's rules find wrong after a run, and their expected values.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "job/run/job.h"

namespace lanescope::job {

struct WrongOne {
  std::int64_t index = 0;
  Wording got;  // as in WrongElement
  std::string expected;
};
struct WrongElements {
  bool checked = false;                          // some rule covers elements of the buffer
  std::vector<WrongOne> first;                   // ascending; at most `most` per rule
  const WrongOne* at(std::int64_t index) const;  // null: the element is right, or not listed
};
// `argument`: as in WrongElement. Evaluates every element that a rule covers, so do not call it while a frame is drawn.
Result<WrongElements> wrong_elements(const Outcome& outcome, const lesson::Variant& variant, int argument,
                                     std::size_t most);

}  // namespace lanescope::job
