#pragma once
// Where a variant's time does not follow its sectors: what the GPU's counters saw that does.

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
// Sentences that compare `one` with the fastest run; empty where its time is to the fastest's as its sectors are,
// within a factor of 1.5, or where a run has no counters. `empty_launch`: seconds; 0 = not recorded.
std::vector<Wording> time_evidence(const NamedRun& one, const NamedRun& fastest, double empty_launch);

}  // namespace lanescope::gui
