#pragma once
// Where the learner looks: block, warp and step, kept per launch of each variant. After another run, whose blocks and
// steps may differ, the same place is searched. Only step, block and warp are changed here, and the launch if a place
// is in another one.

#include <functional>
#include <map>
#include <string>

#include "gui/session/runs.h"
#include "job/run/schedules.h"
#include "sim/replay.h"

namespace lanescope::gui {

// The event on screen; `step` counts the kept events of this warp.
struct Position {
  std::uint32_t block = 0, warp = 0;
  std::size_t step = 0;
};

class Place {
 public:
  Place(const Selection& selection, Runs& runs, Changes& changes)
      : selection_(selection), runs_(runs), changes_(changes) {}

  Position position() const;  // always valid for what is shown; {} without events
  void set_block(std::uint32_t block);
  void set_warp(std::uint32_t warp);
  void set_step(std::size_t step);  // clamped
  void step_by(std::ptrdiff_t delta);
  std::size_t step_count() const;
  const trace::WarpEvent* event() const;  // null if no events were kept
  const trace::Site* site() const;

  // Goes to the first step of a marked place, in its launch, block and warp.
  void go_to(const lesson::Look& look);
  // Goes to where a number comes from: its marked line, else the first step of its kind. Stays if there is none.
  void go_to(const lesson::NumberReference& number);
  // Goes to the exact execution of a mark that a number refers to.
  void go_to_execution(const lesson::NumberReference& number);
  // Goes to the next step of this warp on a line of the learner's file (after the last one, to the first again), or to
  // the first of another warp if this one has none. False if no step on the line was kept.
  bool go_to_line(int line);
  // Goes to the site that contributes most to a number of the launch: to the first step there, in this warp if it has
  // one. False if no site contributes.
  bool go_to_most(const std::string& number);
  static bool has_most(const std::string& number);  // true for a number that sites contribute to
  // In the interpreter's run. False: that step was not kept, and the place does not change.
  bool go_to_step(int launch, const sim::Step& step);
  // Goes to where a thread makes an access: its block, warp and step; with `last`, to the last of several. False if no
  // such step was kept.
  bool go_to_access(int launch, const job::RacePlace& place, bool last = false);
  // Goes to the step at which the last run failed, in its launch. False: it did not, or no such step was kept.
  bool go_to_fault();

  // Call before and after what is shown changes: finds the same instruction again. A new run that failed is shown where
  // it failed.
  void remember();
  void settle();
  // What comes on screen stands for this variant, which was there before: it takes over its place.
  void take_over(const VariantId& before);
  // Call when a variant comes on screen; it may have run since it was last shown.
  void enter();

 private:
  // A place in a trace, described without indices so that it survives another run.
  struct Kept {
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0;
    bool chosen = false;
    std::uint64_t settled_in = 0;  // the result that block, warp and step belong to
    std::string opcode;
    int line = 0;
    std::size_t occurrence = 0;
  };
  VariantId id() const;  // each launch has its own place
  Kept& kept() { return kept_[id()]; }
  std::size_t first_step_of(const lesson::Look& look, const trace::Trace& trace, std::uint32_t block,
                            std::uint32_t warp) const;
  bool go_to_next(const std::function<bool(const trace::WarpEvent&)>& wanted, bool from_here);
  void choose(std::uint32_t block, std::uint32_t warp, std::size_t step);
  void clamp();

  const Selection& selection_;
  Runs& runs_;
  Changes& changes_;
  std::map<VariantId, Kept> kept_;
};

}  // namespace lanescope::gui
