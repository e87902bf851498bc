#pragma once
// Where a variant's time does not follow its sectors: what the GPU's counters saw that does.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostic.h"
#include "job/lesson/recording.h"

namespace lanescope::gui {

// A recorded run and what it is called.
struct NamedRun {
  const job::RecordedRun& run;
  std::string name;
};
// What the interpreter counted of both, at a size of its own: the one that it can run at once.
struct InterpretedCounts {
  struct Count {
    Wording name;
    double one = 0, fastest = 0;
  };
  std::string size;  // "rows = 128"
  std::vector<Count> counts;
};
// nullopt: not known yet.
using CountInterpreted = std::function<std::optional<InterpretedCounts>()>;
// Sentences that compare `one` with the fastest run; empty where its time is to the fastest's as its sectors are,
// within a factor of 1.5, where a run has no counters, or where it reads by bulk copies, which these counters leave
// out. `empty_launch`: seconds; 0 = not recorded. `interpreted` is only called where no counter of the recording says
// why.
std::vector<Wording> time_evidence(const NamedRun& one, const NamedRun& fastest, double empty_launch,
                                   const CountInterpreted& interpreted = {});

}  // namespace lanescope::gui
