#pragma once
// What is worked out beside the run on screen: plots over a control, machine code, what shuffles move, numbers that
// texts quote. Each is asked for on first use, made off the frame, and belongs to what was shown when it was asked for.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/place.h"
#include "gui/session/recordings.h"
#include "gui/session/sweep.h"
#include "job/report/shuffle_values.h"
#include "job/sass/ptxas_notes.h"

namespace lanescope::gui {

class Details {
 public:
  // `background` runs one piece of work at a time; it is the session's, and outlived by this.
  Details(const Selection& selection, const Runs& runs, const Place& place, Recordings& recordings, Changes& changes,
          Worker& background);

  // Of the kernel that is shown, which there must be: started by the first call, filled in as results arrive, started
  // again when another one is shown.
  const Sweep& sweep(const std::string& control);

  // SASS of what is shown. Null while it is being made.
  const Result<compile::Sass>* sass();
  // What the compilers did, in order of line; empty until SASS is there.
  const std::vector<job::PtxasNote>& ptxas_notes() const { return sass_.notes; }

  // What the shuffle on screen moves. Null while it is being made, and where the step is no shuffle or its values
  // cannot be told.
  const job::ShuffleValues* shuffle_values();
  // The same of an event of a launch of a whole run, the interpreter's, of several at once: `slot` names who asks.
  const job::ShuffleValues* shuffle_values(const std::string& slot, const std::shared_ptr<const RunResult>& run,
                                           int launch, const trace::WarpEvent& event);

  // A number that the lesson's text quotes. The variant on screen gives what is shown; others, and other values of
  // controls, are run in the background from the lesson's own source: nullopt until that is done.
  std::optional<double> number(const lesson::NumberReference& reference);
  void lesson_left() { quotes_.clear(); }

 private:
  void post_sweep_point(std::size_t index, std::vector<std::int64_t> values);
  const RunResult* quoted(RunKey key);

  const Selection& selection_;
  const Runs& runs_;
  const Place& place_;
  Recordings& recordings_;
  Changes& changes_;
  Worker& background_;
  Sweep sweep_;
  struct SassSlot {
    std::string ptx, mangled;  // what it was made from
    std::optional<Result<compile::Sass>> result;
    std::vector<job::PtxasNote> notes;
  } sass_;
  struct ShuffleSlot {
    std::uint64_t result = 0;
    const trace::WarpEvent* event = nullptr;
    std::optional<job::ShuffleValues> values;
  };
  std::map<std::string, ShuffleSlot> shuffles_;  // by who asked
  struct Quote {
    RunKey key;
    std::shared_ptr<const RunResult> result;  // null while it is being made
  };
  std::vector<Quote> quotes_;  // of the lesson on screen
  std::uint64_t quote_number_ = 0;
};

}  // namespace lanescope::gui
