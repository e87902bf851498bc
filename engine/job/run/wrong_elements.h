#pragma once
// Which elements of a buffer a lesson's rules find wrong after a run, and what each should be.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "job/run/job.h"

namespace lanescope::job {

struct WrongOne {
  std::int64_t index = 0;
  std::string got, expected;  // as the rule's formula has them
};
struct WrongElements {
  bool checked = false;                          // some rule says what the buffer's elements should be
  std::vector<WrongOne> first;                   // ascending; of each rule no more than `most`
  const WrongOne* at(std::int64_t index) const;  // null: it is right, or not among them
};
// `argument`: as in WrongElement. It looks at every element that a rule covers: call it off the frame.
Result<WrongElements> wrong_elements(const Outcome& outcome, const lesson::Variant& variant, int argument,
                                     std::size_t most);

}  // namespace lanescope::job
