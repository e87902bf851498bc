#pragma once
// A race in words, for the terminal, the window and diagnostics.

#include <string>

#include "job/job.h"

namespace lanescope::job {

struct RaceText {
  std::string title;   // "A read and a write of shared memory that nothing orders."
  std::string first;   // "thread 32 of block 0 writes, line 17: partial[t] += partial[t + half];"
  std::string second;  // as the program is written, the first comes before it
  std::string where;   // "both touch element 5 of `in`"
  std::string cure;    // "Put __syncthreads() after line 17, before it runs again."; may be empty
};
// `trace` is that of the request's launch 1, 2, … in which the race was found.
RaceText race_text(const sim::Race& race, const trace::Trace& trace, const Request& request, int launch = 1);

}  // namespace lanescope::job
