#pragma once
// Who wrote a place last, found by running the launch again: whatever was kept of its events.

#include <optional>
#include <string>

#include "job/replay/step_values.h"

namespace lanescope::job {

// Who wrote it, and with which values.
struct Writer {
  int launch = 1;
  int line = 0;                         // of the learner's file; 0: in another
  std::uint32_t block = 0, thread = 0;  // linear
  int lane = 0;
  std::uint64_t writes = 0;   // of the place in this launch, each thread's counted
  bool by_one_thread = true;  // else the order of threads, which barriers make or nothing does, decides who was last
  bool last_repeat = false;   // in a repeat of the launch after the first: its steps are not those on screen
  StepValues values;
};
// None: no thread of the run wrote it. `argument` and `index`: of an element, as in WrongElement. Launches are asked
// from the last to the first. Errors: those of step_values(), and argument.no_element.
Result<std::optional<Writer>> last_writer(const Outcome& outcome, int argument, std::int64_t index,
                                          sim::Progress* progress = nullptr);

// The same of launches 1 … `launch` alone.
Result<std::optional<Writer>> last_writer_until(const Outcome& outcome, int launch, int argument, std::int64_t index,
                                                sim::Progress* progress = nullptr);

// Of bytes of one launch, before a step of it where one is given: of what the step reads, say.
Result<std::optional<Writer>> last_writer(const Outcome& outcome, int launch, const sim::WatchedBytes& bytes,
                                          const std::optional<sim::Step>& before, sim::Progress* progress = nullptr);
// The same of a launch that is ready.
Result<std::optional<Writer>> last_writer(const Outcome& outcome, int launch, const Again& again,
                                          const sim::WatchedBytes& bytes, const std::optional<sim::Step>& before);

// "Thread 37 of block 0 wrote `out[37]` last, in line 4."; where nobody did, that.
Wording in_words(const std::optional<Writer>& writer, const std::string& place);

}  // namespace lanescope::job
