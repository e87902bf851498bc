#pragma once
// One number over the values of a control, each value a run of its own.

#include <cstdint>
#include <string>
#include <vector>

#include "gui/session/run_result.h"

namespace lanescope::gui {

struct Sweep {
  RunKey base;  // with the swept control at any value
  std::string control;
  int launch = 1;  // whose totals the points hold
  struct Point {
    std::int64_t value = 0;
    bool ok = false;
    trace::Totals totals;
  };
  std::vector<Point> points;  // those that have arrived, in order
  std::size_t wanted = 0;     // how many there will be
};

// The values of a control that a plot over it shows, ascending: without those that would take long, or much memory.
// `others`: the values of the other controls.
std::vector<std::int64_t> values_to_sweep(const lesson::Lesson& lesson, const lesson::Variant& variant,
                                          const lesson::ControlValues& others, const std::string& control);

}  // namespace lanescope::gui
