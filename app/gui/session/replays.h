#pragma once
// Values at the step on screen, where they came from, and last writers, found beside the frame by running a launch
// again. One question of a kind is open at a time: another takes its place. What leads to a step goes there.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/place.h"
#include "gui/session/worker.h"
#include "job/replay/origins.h"
#include "job/replay/value_text.h"

namespace lanescope::gui {

class Replays {
 public:
  Replays(const Selection& selection, const Runs& runs, Place& place, Changes& changes,
          const std::function<void()>& wake);

  // Values of the step on screen, the interpreter's: asked for on first use. Null while they are being made, and of a
  // recording; never those of another step.
  const Result<job::StepValues>* values();
  // The same of where the values of `lane` came from at this step; null without a lane too.
  const Result<job::Origins>* origins();

  // Goes to the last write of an element that is wrong: Runs::remarks()[index] is about it. Where the kept events do
  // not tell, it is looked for by running again, and gone to when it is found. False where no thread wrote the element.
  bool go_to_writer(std::size_t index);
  // Goes to the last write of an element, "out[37]", or has `said` tell why there is none.
  void go_to_writer_of(const std::string& element);
  // Goes to a step and a lane of it, from where the learner is: both join the trail. Else `said` tells why not.
  void follow(int launch, const sim::Step& step, int lane);
  void go_back_to(std::size_t visit);  // of the trail

  // A shape of a picture of the step on screen, which stays lit until another is pinned or the step changes: a lane
  // (−1: of several), bytes, and what the picture says of it.
  struct Pin {
    int lane = -1;
    std::uint64_t first_byte = 0, bytes = 0;
    std::string text;
  };
  const Pin* pinned() const;  // null without one
  void pin(int of_lane, std::uint64_t first_byte, std::uint64_t bytes, const std::string& text);
  bool unpin();  // false: nothing was

  bool drain() { return worker_.drain(); }  // true when something arrived
  bool idle() const { return worker_.idle(); }

  // Whether the learner looks at values, and how they are written.
  bool open = false;
  job::Base base = job::Base::decimal;
  int lane = -1;  // whose values are followed; −1: nobody's
  // The steps that were gone to, one from another: of one run.
  struct Visit {
    int launch = 1;
    sim::Step step;
    int lane = 0;
    friend bool operator==(const Visit&, const Visit&) = default;
  };
  std::vector<Visit> trail;
  Wording said;  // what became of a question that did not lead to a step

 private:
  struct Asked {
    std::uint64_t run = 0;  // its serial
    int launch = 0;
    sim::Step step;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  // The whole run and the step on screen; none without one, and of a recording.
  std::shared_ptr<const RunResult> whole_run() const { return runs_.keep(selection_.variant_index()); }
  std::optional<sim::Step> step() const;
  std::optional<Asked> here() const;  // where events are on screen, recorded ones too
  void find_writer(int argument, std::int64_t index, const std::string& element);
  void writer_found(const Result<std::optional<job::Writer>>& found, const std::string& element);

  const Selection& selection_;
  const Runs& runs_;
  Place& place_;
  Changes& changes_;
  Asked asked_, asked_origins_;
  int asked_lane_ = -1;
  Pin pin_;
  std::optional<Asked> pinned_at_;
  std::optional<Result<job::StepValues>> values_;  // of what was asked
  std::optional<Result<job::Origins>> origins_;
  Worker worker_;  // last: its thread ends before what its completions touch
};

}  // namespace lanescope::gui
