#pragma once
// Summaries of the steps of the warp on screen (computed off the frame if there are many), and the search in them.

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
  divergent_branch,  // a branch where active lanes disagree
  worst_request,     // from the request with the highest cost beyond the ideal to the one with the lowest
  access_of_line     // an access on the line of the step on screen
};

class Summaries {
 public:
  Summaries(const Selection& selection, Runs& runs, Place& place, Changes& changes, const std::function<void()>& wake);

  // For the warp on screen, grouped by the phases of its source. Null without kept steps and while it is computed.
  const metrics::StepPyramid* steps();
  const std::vector<std::string>& phases() const;  // the names of groups 1, 2, … of steps(), as in the source

  // Goes to the next such step, or the previous one (`way` −1): in this warp, then in the warps after it, then from the
  // beginning. Worst requests are only searched in this warp. If there is none, said() tells so until the step
  // changes or forget_said() is called; each answer has a number of its own.
  void go_to(Sought what, int way);
  Wording said() const;
  std::uint64_t said_number() const { return said_number_; }
  void forget_said() { said_ = {}; }

  // What the warps of a block did at a step, for a run that is shown or compared. Built on first use: 0.1 s for ten
  // million steps.
  const metrics::BlockSteps& block_steps(const RunResult& run, std::uint32_t block);

  bool drain();  // true if a result arrived
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
    std::shared_ptr<const RunResult> run;  // the run of the trace; null: the trace on screen
  };
  std::unique_ptr<Made> begin(const Of& of) const;
  bool go_to_worst(int way);
  bool go_in_warps(int way, const metrics::StepPyramid::MayHave& may_have, const metrics::StepPyramid::Is& is);

  const Selection& selection_;
  Runs& runs_;
  Place& place_;
  Changes& changes_;
  std::list<std::unique_ptr<Made>> made_;  // latest first
  struct OfBlock {
    std::uint64_t run = 0;
    std::uint32_t block = 0;
    metrics::BlockSteps steps;
  };
  std::list<OfBlock> blocks_;  // latest first
  Of asked_;
  Wording said_;
  Of said_of_;
  std::size_t said_step_ = 0;
  std::uint64_t said_number_ = 0;
  Worker worker_;  // declared last, so that its thread ends before the members that its completions use
};

}  // namespace lanescope::gui
