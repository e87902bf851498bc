#pragma once
// Finds the last writer of a place by running the launch again, so it does not depend on which events were kept.

#include <optional>
#include <string>

#include "job/replay/step_values.h"

namespace lanescope::job {

// The last write: its thread and place in the source.
struct Writer {
  int launch = 1;
  int line = 0;                         // of the learner's file; 0: in another file
  std::uint32_t block = 0, thread = 0;  // linear
  int lane = 0;
  std::uint64_t writes = 0;  // number of writes to the place in this launch, by all threads
  // False: several threads wrote; which was last depends on their order, which may not be defined.
  bool by_one_thread = true;
  bool last_repeat = false;  // in a later repeat of the launch, whose steps are not those on screen
  StepValues values;
};
// nullopt: no thread of the run wrote the element. `argument` and `index` as in WrongElement. Searches the launches
// from last to first. Errors: those of step_values(), and argument.no_element.
Result<std::optional<Writer>> last_writer(const Outcome& outcome, int argument, std::int64_t index,
                                          sim::Progress* progress = nullptr);

// The same, but only for launches 1 … `launch`.
Result<std::optional<Writer>> last_writer_until(const Outcome& outcome, int launch, int argument, std::int64_t index,
                                                sim::Progress* progress = nullptr);

// The last writer of bytes within one launch; with `before`, only among the steps before that step (for example of what
// the step reads).
Result<std::optional<Writer>> last_writer(const Outcome& outcome, int launch, const sim::WatchedBytes& bytes,
                                          const std::optional<sim::Step>& before, sim::Progress* progress = nullptr);
// The same for a launch that prepare_again() has prepared.
Result<std::optional<Writer>> last_writer(const Outcome& outcome, int launch, const Again& again,
                                          const sim::WatchedBytes& bytes, const std::optional<sim::Step>& before);

// "Thread 37 of block 0 wrote `out[37]` last, in line 4."; or that no thread wrote it.
Wording in_words(const std::optional<Writer>& writer, const std::string& place);

}  // namespace lanescope::job
