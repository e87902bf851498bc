#pragma once
// Values at the step on screen, their origins, and last writers, found off the frame by running a launch again. One
// request of a kind is open at a time; a new one replaces it. An answer that is a step makes the window go there.

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

  // The values at the step on screen in the interpreter's run; computed on first use. Null while they are computed and
  // for a recording; never those of another step.
  const Result<job::StepValues>* values();
  // Discards the trail and the answer if they are about an earlier run. values() does so too.
  void forget_earlier_run();
  // The same for the origins of the values of `lane` at this step; also null without a lane.
  const Result<job::Origins>* origins();

  // Goes to the last write of a wrong element: Runs::remarks()[index] is about it. If the kept events do not contain
  // it, the launch runs again, and the window goes there when the write is found. False if no thread wrote the element.
  bool go_to_writer(std::size_t index);
  // Goes to the last write of an element, "out[37]", or sets `said` to the reason why there is none.
  void go_to_writer_of(const std::string& element);
  // Goes to a step and a lane of it. The current place and the new one join the trail. If that fails, `said` tells why.
  void follow(int launch, const sim::Step& step, int lane);
  void go_back_to(std::size_t visit);  // index in the trail

  // A shape in a picture of the step on screen that stays highlighted until another is pinned or the step changes: a
  // lane (−1: several), bytes, and the picture's text about it.
  struct Pin {
    int lane = -1;
    std::uint64_t first_byte = 0, bytes = 0;
    std::string text;
  };
  const Pin* pinned() const;  // null if nothing is pinned
  void pin(int of_lane, std::uint64_t first_byte, std::uint64_t bytes, const std::string& text);
  bool unpin();  // false: nothing was pinned

  bool drain() { return worker_.drain(); }  // true if a result arrived
  bool idle() const { return worker_.idle(); }

  // Whether values are shown, and in which base.
  bool open = false;
  job::Base base = job::Base::decimal;
  int lane = -1;  // whose values are followed; −1: none
  // The steps that the learner went to in turn, all of one run.
  struct Visit {
    int launch = 1;
    sim::Step step;
    int lane = 0;
    friend bool operator==(const Visit&, const Visit&) = default;
  };
  std::vector<Visit> trail;
  Wording said;  // the answer to a request that did not lead to a step

 private:
  struct Asked {
    std::uint64_t run = 0;  // the run's serial
    int launch = 0;
    sim::Step step;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  // The whole run and the step on screen; nullopt without one and for a recording.
  std::shared_ptr<const RunResult> whole_run() const { return runs_.keep(selection_.variant_index()); }
  std::optional<sim::Step> step() const;
  std::optional<Asked> here() const;  // if events are on screen, including recorded ones
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
  std::optional<Result<job::StepValues>> values_;  // belongs to the last request
  std::optional<Result<job::Origins>> origins_;
  Worker worker_;  // declared last, so that its thread ends before the members that its completions use
};

}  // namespace lanescope::gui
