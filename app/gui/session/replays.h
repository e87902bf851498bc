#pragma once
// Values at a step, where they came from, and last writers, found beside the frame by running a launch again. One
// question of a kind is open at a time: another takes its place.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gui/session/worker.h"
#include "job/replay/origins.h"
#include "job/replay/value_text.h"

namespace lanescope::gui {

struct RunResult;

class Replays {
 public:
  explicit Replays(std::function<void()> wake) : worker_(std::move(wake)) {}

  // Of a step of launch 1, 2, … of a whole run, the interpreter's: asked for on first use. Null while it is being made;
  // never those of another step.
  const Result<job::StepValues>* values(const std::shared_ptr<const RunResult>& run, int launch, const sim::Step& step);
  // The same of where a lane's values came from.
  const Result<job::Origins>* origins(const std::shared_ptr<const RunResult>& run, int launch, const sim::Step& step,
                                      int of_lane);
  // `found` is called by drain(), unless another writer is asked for before. None: no thread wrote it.
  using Found = std::function<void(const Result<std::optional<job::Writer>>&)>;
  void find_writer(const std::shared_ptr<const RunResult>& run, int argument, std::int64_t index, Found found);

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
  } asked_, asked_origins_;
  int asked_lane_ = -1;
  std::optional<Result<job::StepValues>> values_;  // of what was asked
  std::optional<Result<job::Origins>> origins_;
  Worker worker_;  // last: its thread ends before what its completions touch
};

}  // namespace lanescope::gui
