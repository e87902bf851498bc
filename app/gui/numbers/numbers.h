#pragma once
// The controls of a variant, and the numbers of its run.

#include <string>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// A row of the numbers table, as it is printed.
struct NumberRow {
  std::string name;  // dotted
  Wording label;
  std::string value, ideal, ratio;
  bool worse = false;  // than the ideal
  std::string nsight;
  Wording note;
  bool of_point = true;  // of what the lesson is about; others are folded
};
// In the order of metrics.def, each class of accesses together, the launch last; a number of the launch only where it
// is not zero. `always`: listed at zero too, and though unlisted.
std::vector<NumberRow> number_rows(const RunResult& result, const std::vector<std::string>& always = {});
// Those of the lesson's point first, in its order.
std::vector<NumberRow> by_point(std::vector<NumberRow> rows, const lesson::Point& point);
// With the row that folds and unfolds the others, where there are any.
std::size_t rows_on_screen(const std::vector<NumberRow>& rows, bool unfolded);

// "1 element", "8 elements": what stands behind a control's value.
std::string unit_of(const Ui& ui, const lesson::Control& control, std::int64_t value);

// `low`: rows stand closer. Heights in device-independent pixels.
void draw_controls(const Ui& ui, bool low);
void draw_numbers(const Ui& ui, const std::vector<NumberRow>& numbers, bool low);  // `numbers`: of what is shown
float controls_height(const Ui& ui, bool low);
float number_rows_height(bool low, int count);  // with their heading

}  // namespace lanescope::gui
