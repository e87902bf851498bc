#pragma once
// A scene as readable, comparable text: rows of shapes as characters, followed by the labels beside them.

#include <cmath>
#include <map>
#include <string>

#include "diagram/scene.h"
#include "fmt/format.h"

namespace lanescope::diagram::test {

inline const char* name_of(Role role) {
  constexpr const char* names[] = {"none",     "panel",     "raised",  "line",     "text",   "dim",     "faint",
                                   "accent",   "executed",  "guarded", "inactive", "exited", "used",    "wasted",
                                   "conflict", "broadcast", "better",  "a",        "b",      "selected"};
  return names[static_cast<int>(role)];
}

// One character for the appearance of a shape.
inline char symbol_of(const Rect& rect) {
  switch (rect.role) {
    case Role::executed:
    case Role::used_word:
      return rect.pattern == Pattern::solid ? '#' : 'o';
    case Role::guarded_off:
      return '/';
    case Role::inactive:
      return '.';
    case Role::exited:
      return rect.pattern == Pattern::hatched ? '~' : '_';
    case Role::wasted:
      return '%';
    case Role::conflict:
      return '!';
    case Role::broadcast:
      return '=';
    case Role::variant_b:
      return 'B';
    case Role::raised:
      return ' ';
    default:
      return '?';
  }
}

inline std::string to_text(const Scene& scene) {
  std::string out = fmt::format("{:.0f} x {:.0f} | {} | {}\n{}\n", scene.width, scene.height, scene.title,
                                scene.subtitle, scene.caption);
  for (const LegendItem& item : scene.legend) {
    Rect sample;
    sample.role = item.role;
    sample.pattern = item.pattern;
    out += fmt::format("  '{}' {}", symbol_of(sample), item.text);
  }
  if (!scene.legend.empty()) out += "\n";

  // Shapes with a tag are cells, grouped into rows by their top edge in drawing order. A label inside a cell is written
  // in it.
  std::vector<bool> placed(scene.labels.size());
  std::map<int, std::string> rows;
  for (const Rect& rect : scene.rects) {
    const bool ground = rect.role == Role::panel || rect.role == Role::selected || rect.role == Role::line;
    if (ground || (rect.tag == 0 && rect.role == Role::raised)) continue;
    std::string inside;
    for (std::size_t i = 0; i < scene.labels.size(); ++i) {
      const Label& label = scene.labels[i];
      const bool in =
          label.x > rect.x && label.x < rect.x + rect.width && label.y > rect.y && label.y < rect.y + rect.height;
      if (in && label.align == Align::centre && !placed[i]) {
        inside += label.text;
        placed[i] = true;
      }
    }
    std::string& row = rows[static_cast<int>(std::lround(rect.y * 10))];
    row += symbol_of(rect);
    if (!inside.empty()) row += inside + " ";
  }
  for (const auto& [y, row] : rows) out += fmt::format("{:6.1f} |{}\n", static_cast<float>(y) / 10, row);
  for (std::size_t i = 0; i < scene.labels.size(); ++i) {
    const Label& label = scene.labels[i];
    if (!placed[i]) out += fmt::format("  ({:.0f}, {:.0f}) {} {}\n", label.x, label.y, name_of(label.role), label.text);
  }
  for (const Line& line : scene.lines)
    out += fmt::format("  {} {:.0f},{:.0f} {} {:.0f},{:.0f}\n", name_of(line.role), line.x0, line.y0,
                       line.arrow ? "->" : "--", line.x1, line.y1);
  return out;
}

}  // namespace lanescope::diagram::test
