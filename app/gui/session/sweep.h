#pragma once
// One number over the values of a control; each value is a run of its own.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/run_result.h"

namespace lanescope::gui {

struct Sweep {
  RunKey base;  // with any value of the swept control
  std::string control;
  int launch = 1;  // the launch whose totals the points have
  struct Point {
    std::int64_t value = 0;
    bool ok = false;
    trace::Totals totals;
    std::optional<Diagnostic> problem;  // why the run failed
  };
  std::vector<Point> points;  // the points so far, in order
  std::size_t wanted = 0;     // the final number of points

  // A kernel may be out of bounds only at some values. After several failures, the other values are not run.
  bool ended_early() const { return points.size() < wanted && std::ranges::count(points, false, &Point::ok) >= 3; }
};

// The control values for a plot, ascending, without those that would take long or much memory. `others`: the values of
// the other controls.
std::vector<std::int64_t> values_to_sweep(const lesson::Lesson& lesson, const lesson::Variant& variant,
                                          const lesson::ControlValues& others, const std::string& control);

}  // namespace lanescope::gui
