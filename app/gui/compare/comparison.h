#pragma once
// Everything about two warps that takes a walk through all of their steps: made once, off the frame if they are long.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/compare/compare_model.h"
#include "gui/compare/compare_sums.h"
#include "metrics/block_steps.h"

namespace lanescope::gui {

// A warp of a launch of a run, which is kept alive.
struct ComparedWarp {
  std::shared_ptr<const RunResult> run;
  const RunResult* launch = nullptr;  // of it
  std::uint32_t block = 0, warp = 0;
  bool has_steps = true;  // false: in place of a side that has no result, which takes part in no step
  const trace::Trace& trace() const { return launch->outcome.first().trace; }
  std::size_t events_of_block() const;
};

struct ComparedSide {
  ComparedSide(const ComparedWarp& of, const std::function<bool()>& stop);
  std::vector<PhasePass> passes;
  std::vector<Teller> tellers;                           // parallel to passes
  std::vector<std::pair<std::string, int>> names;        // of the passes, each once, and how many have it
  std::optional<std::size_t> first_access, last_access;  // events of the warp
  metrics::BlockSteps block_steps;
  BlockSums sums;
  std::vector<std::size_t> step_of_pass;  // the joint step of each pass, ascending
};

struct Comparison {
  Comparison(ComparedWarp a, ComparedWarp b, const std::function<bool()>& stop = {});
  ComparedWarp of_a, of_b;
  ComparedSide a, b;
  std::vector<JointStep> steps;  // their accesses are not paired
  Walk walk(bool of_a) const;
  // Takes long if the two are alike for long.
  std::optional<std::size_t> parting(const std::function<bool()>& stop = {}) const;
};

}  // namespace lanescope::gui
