#pragma once
// Summaries of the steps of the warp on screen, made off the frame where they are many, and the search among them.

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "gui/session/place.h"
#include "gui/session/worker.h"
#include "metrics/block_steps.h"
#include "metrics/step_pyramid.h"

namespace lanescope::gui {

enum class Sought : std::uint8_t {
  divergent_branch,  // a branch on which active lanes disagree
  worst_request,     // from the one that pays most beyond the ideal down to the one that pays least
  access_of_line     // an access on the line of the step on screen
};

class Summaries {
 public:
  Summaries(const Selection& selection, Runs& runs, Place& place, Changes& changes, const std::function<void()>& wake);

  // Of the warp on screen, grouped by the phases of its source. Null where no steps were kept, and while they are made.
  const metrics::StepPyramid* steps();
  const std::vector<std::string>& phases() const;  // the names of groups 1, 2, … of steps(), as the source has them

  // To the next such step, or the one before (`way` −1): in this warp, then in those after it, then from the beginning;
  // worst requests in this warp alone. Without one `said` tells so, until the step changes.
  void go_to(Sought what, int way);
  Wording said() const;

  // For what the warps of a block did at a step, of a run that is shown or compared. Made where it is asked for first:
  // 0.1 s for ten million steps.
  const metrics::BlockSteps& block_steps(const RunResult& run, std::uint32_t block);

  bool drain() { return worker_.drain(); }  // true when something arrived
  bool idle() const { return worker_.idle(); }

 private:
  struct Of {
    std::uint64_t run = 0;
    std::uint32_t block = 0, warp = 0;
    friend bool operator==(const Of&, const Of&) = default;
  };
  struct Made {
    Of of;
    std::vector<std::string> phases;
    std::unique_ptr<metrics::StepPyramid> steps;
    std::shared_ptr<const RunResult> run;  // whose trace they are of; null: that on screen alone
  };
  std::unique_ptr<Made> begin(const Of& of) const;
  bool go_to_worst(int way);
  bool go_in_warps(int way, const metrics::StepPyramid::MayHave& may_have, const metrics::StepPyramid::Is& is);

  const Selection& selection_;
  Runs& runs_;
  Place& place_;
  Changes& changes_;
  std::list<std::unique_ptr<Made>> made_;  // the latest first
  struct OfBlock {
    std::uint64_t run = 0;
    std::uint32_t block = 0;
    metrics::BlockSteps steps;
  };
  std::list<OfBlock> blocks_;  // the latest first
  Of asked_;
  Wording said_;
  Of said_of_;
  std::size_t said_step_ = 0;
  Worker worker_;  // last: its thread ends before what its completions touch
};

}  // namespace lanescope::gui
