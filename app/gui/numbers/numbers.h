#pragma once
// The controls of a variant, and the numbers of its run.

#include <string>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// A row of the numbers table as text.
struct NumberRow {
  std::string name;  // dotted
  Wording label;
  std::string value, ideal, ratio;
  bool worse = false;  // worse than the ideal
  std::string nsight;
  Wording note;
  bool of_point = true;  // belongs to the lesson's point; other rows are folded
};
// In the order of metrics.def, grouped by class of accesses, with the launch's numbers last. A number of the launch is
// only listed if it is not zero. `always`: numbers that are listed even if they are zero or unlisted.
std::vector<NumberRow> number_rows(const RunResult& result, const std::vector<std::string>& always = {});
// The rows of the lesson's point first, in its order.
std::vector<NumberRow> by_point(std::vector<NumberRow> rows, const lesson::Point& point);
// Includes the row that folds and unfolds the others, if there are any.
std::size_t rows_on_screen(const std::vector<NumberRow>& rows, bool unfolded);

// "1 element", "8 elements": the text after a control's value.
std::string unit_of(const Ui& ui, const lesson::Control& control, std::int64_t value);

// `low`: rows are closer together. Heights in device-independent pixels.
void draw_controls(const Ui& ui, bool low);
void draw_numbers(const Ui& ui, const std::vector<NumberRow>& numbers, bool low);  // `numbers`: of the run on screen
float controls_height(const Ui& ui, bool low);
// The controls alone, in rows of `columns`; and their height in device-independent pixels.
void draw_controls_in_columns(const Ui& ui, int columns);
float controls_in_columns_height(const Ui& ui, int columns);
float number_rows_height(bool low, int count);  // including the heading
// As many rows, at most 4, as the sentence takes that stands in place of numbers in a panel of that width.
int rows_of_nothing(const Ui& ui, float width, bool low);
// What controls and numbers get of `below` pixels so that no number is cut in two: fewer rows, or one where there would
// be none and `cap` allows it. `around`: what is not numbers.
float whole_number_rows(const Ui& ui, float below, float around, float cap, bool low, int count);

}  // namespace lanescope::gui
