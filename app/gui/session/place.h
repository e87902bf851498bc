#pragma once
// Where the learner looks in what is shown: block, warp and step, kept for each launch of each variant and found again
// after another run, where its blocks and steps may be others. Step, block and warp alone are changed here, and the
// launch where a place is in another one.

#include <functional>
#include <map>
#include <string>

#include "gui/session/runs.h"
#include "job/run/schedules.h"
#include "sim/replay.h"

namespace lanescope::gui {

// The event on screen: the step counts this warp's kept events.
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
  const trace::WarpEvent* event() const;  // null when no events were kept
  const trace::Site* site() const;

  // To the first step of a marked place, of its launch, block and warp.
  void go_to(const lesson::Look& look);
  // Where in what is shown that number comes from: its marked line, else the first step of its kind; stays where there
  // is none.
  void go_to(const lesson::NumberReference& number);
  // To the very execution of a mark that a number is of.
  void go_to_execution(const lesson::NumberReference& number);
  // To the next step of this warp on a line of the learner's file, behind the last the first again; where it has none,
  // to the first of another warp. False where no step on the line was kept.
  bool go_to_line(int line);
  // To the site that contributes most to a number of the launch, and of this warp's steps there (else of any warp's)
  // the first. False where none counts.
  bool go_to_most(const std::string& number);
  static bool has_most(const std::string& number);  // whether it is of a kind that sites contribute to
  // Of the interpreter's run. False: that step was not kept, and the place is as before.
  bool go_to_step(int launch, const sim::Step& step);
  // To where a thread makes an access: its block, warp and step, of several the last one where that is asked for;
  // false when no such step was kept.
  bool go_to_access(int launch, const job::RacePlace& place, bool last = false);

  // Before what is shown changes, and after it has: the same instruction is found again.
  void remember();
  void settle();
  // A variant has come on screen, which may have run since it was there.
  void enter();

 private:
  // In a trace, told without indices so that it survives another run.
  struct Kept {
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0;
    bool chosen = false;
    std::uint64_t settled_in = 0;  // the result that block, warp and step are of
    std::string opcode;
    int line = 0;
    std::size_t occurrence = 0;
  };
  VariantId id() const;  // each launch has a place of its own
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
