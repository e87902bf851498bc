#pragma once
// Results beside the run on screen: plots over a control, machine code, the values of shuffles, numbers that texts
// quote. Each is computed off the frame on first use and belongs to what was shown when it was requested.

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
  // `background` runs one piece of work at a time. It belongs to the session and must outlive this object.
  Details(const Selection& selection, const Runs& runs, const Place& place, Recordings& recordings, Changes& changes,
          Worker& background);

  // For the kernel on screen, which must exist. The first call starts the sweep, results fill it in, and another kernel
  // starts it again.
  const Sweep& sweep(const std::string& control);

  // The SASS of the kernel on screen. Null while it is computed.
  const Result<compile::Sass>* sass();
  // What the compilers did, in order of line; empty until SASS is there.
  const std::vector<job::PtxasNote>& ptxas_notes() const { return sass_.notes; }

  // The values of the shuffle on screen. Null while they are computed, if the step is not a shuffle, or if its values
  // cannot be determined.
  const job::ShuffleValues* shuffle_values();
  // The same for an event of a launch in one of the interpreter's whole runs. Several can be requested at once; `slot`
  // names the requester.
  const job::ShuffleValues* shuffle_values(const std::string& slot, const std::shared_ptr<const RunResult>& run,
                                           int launch, const trace::WarpEvent& event);

  // A number that the lesson's text quotes. For the variant on screen it comes from what is shown. Other variants and
  // other values run in the background with the lesson's own source; nullopt until that is done.
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
    std::string ptx, mangled;  // the inputs it was made from
    std::optional<Result<compile::Sass>> result;
    std::vector<job::PtxasNote> notes;
  } sass_;
  struct ShuffleSlot {
    std::uint64_t result = 0;
    const trace::WarpEvent* event = nullptr;
    std::optional<job::ShuffleValues> values;
  };
  std::map<std::string, ShuffleSlot> shuffles_;  // by requester
  struct Quote {
    RunKey key;
    std::shared_ptr<const RunResult> result;  // null while it is computed
  };
  std::vector<Quote> quotes_;  // for the lesson on screen
  std::uint64_t quote_number_ = 0;
};

}  // namespace lanescope::gui
