#pragma once
// Shared by the plots of times: the switch of sizes, samples, and the reference lines.

#include <string>
#include <vector>

#include "gui/parts/ui.h"
#include "gui/time/sweep_plot.h"
#include "gui/time/time_sizes.h"

namespace lanescope::gui {

// "elements = 4 Mi": each of the variant's sizes; empty where it has one size to look and to measure at.
std::string size_text(const Ui& ui, const lesson::Variant& variant, const lesson::ControlValues& values);
// "stride = 17": the values on which this variant's times depend, but which the variant on screen does not have, so
// that no control shows them. `changed`: only those that are not the lesson's own. Empty where there are none.
std::string hidden_values_text(const Ui& ui, const lesson::Variant& variant, bool changed);
// size_text(), one text per size.
std::vector<std::string> size_texts(const Ui& ui, const lesson::Variant& variant, const lesson::ControlValues& values);
// "3.31 × the time of stride = 1": the recorded run beside the fastest over a control that is no size; empty where it
// is the fastest or cannot be told from it, and without such a control (null). `brief`: "3.31 × that of stride = 1".
struct BesideFastest {
  std::string whole, brief;
};
BesideFastest beside_fastest(const Ui& ui, const lesson::Control* over, const job::RecordedRun& run);
// Of the variant on screen.
std::string size_text(const Ui& ui, const lesson::ControlValues& values);

// "look 16 Ki | measure 4 Mi", its left edge at `x`; sizes that do not fit into `room` pixels are left to the tooltips.
// Returns its width, 0 where the variant has no size to choose.
float size_switch(const Ui& ui, float x, float centre, float room, TimeSize& size);

// "806 GB/s", "4.81 TB/s".
std::string rate_text(double bytes_per_second);

// A line of a kind that the others are not, from one point to the other.
void paint_line(const Ui& ui, TimeLine::Kind kind, ImVec2 from, ImVec2 to);
// Lines with the names under which a legend of `room` pixels lists them: with as many of their times as fit. A line
// whose name does not fit is left out, and must not be painted.
struct NamedLine {
  TimeLine line;
  std::string name;
};
std::vector<NamedLine> named_lines(const Ui& ui, const std::vector<TimeLine>& lines, float room);
// What the lines are, in a row from `x`.
void lines_legend(const Ui& ui, float x, float centre, const std::vector<NamedLine>& lines);

}  // namespace lanescope::gui
