#pragma once
// A race in words, for the terminal, the window and diagnostics.

#include <string>
#include <string_view>

#include "job/run/job.h"

namespace lanescope::job {

// The place of one of the two accesses.
struct RacePlace {
  int line = 0;                         // of the learner's own file; 0 = in a header
  std::uint32_t block = 0, thread = 0;  // linear
};

struct RaceText {
  std::string title;   // "An unordered read and write of shared memory."
  std::string first;   // "Thread 32 of block 0 writes, line 17: partial[t] += partial[t + half];"
  std::string second;  // in program order the first access comes before it
  std::string where;   // "Both touch element 5 of `in`"
  std::string cure;    // "Put __syncthreads() after line 17, before it runs again."; may be empty
  RacePlace first_place, second_place;
  // In running text, where code needs quotes: "Thread 32 of block 0 writes, line 17: `partial[t] = 0;` Thread 0 …"
  std::string both;
};
// `trace` belongs to launch 1, 2, … of the request, in which the race was found. `language`: "en" or "zh-CN".
RaceText race_text(const sim::Race& race, const trace::Trace& trace, const Request& request, int launch = 1,
                   std::string_view language = "en");

}  // namespace lanescope::job
