#pragma once
// The numbers behind what the panels show, as tables: for CSV and for the clipboard.

#include <string>
#include <string_view>
#include <vector>

#include "gui/parts/exports.h"
#include "gui/parts/ui.h"
#include "gui/warp/film_view.h"

namespace lanescope::gui {

struct ExportTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // as wide as the head
};

// RFC 4180: lines end in CR LF; a field with a comma, a quote or the end of a line is quoted.
std::string csv_of(const ExportTable& table);
// Columns side by side, numbers to the right.
std::string text_of(const ExportTable& table);

// Rows of a table of steps at most: more is no table that anybody reads.
inline constexpr std::size_t most_exported_steps = 1'000'000;

// What is on screen of a part; numbers as they are, without separators. Empty where it has none.
ExportTable table_of(const Ui& ui, ExportPart part, const FilmView& film);

}  // namespace lanescope::gui
