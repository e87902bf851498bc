#pragma once
// The numbers that the panels show as tables, for CSV and the clipboard.

#include <string>
#include <string_view>
#include <vector>

#include "gui/parts/exports.h"
#include "gui/parts/ui.h"
#include "gui/time/time_panel.h"
#include "gui/warp/film_view.h"

namespace lanescope::gui {

struct ExportTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // each as wide as the head
};

// RFC 4180: lines end in CR LF; a field with a comma, a quote or a line end is quoted.
std::string csv_of(const ExportTable& table);
// Aligned columns, with numbers on the right.
std::string text_of(const ExportTable& table);

// The largest number of rows in a table of steps: nobody reads more.
inline constexpr std::size_t most_exported_steps = 1'000'000;

// The width of the drawing of a film, in device-independent pixels, which decides how many steps are exported.
inline constexpr float exported_film_width = 1200;

// What the run on screen lacks, for names and columns: "-old" if it does not belong to the text and controls on screen,
// "-up-to-fault" if it ended in a fault, else nothing.
std::string limits_of_run(const Session& s);

// The numbers on screen in a part, without separators. Empty if the part has none.
ExportTable table_of(const Ui& ui, ExportPart part, const FilmView& film, TimePanel& time);

}  // namespace lanescope::gui
