#pragma once
// What the code panel keeps of each variant.

#include <map>
#include <string>

#include "TextEditor.h"
#include "gui/code/code_panel.h"

namespace lanescope::gui {

// A variant's editor and what is marked in it.
struct CodePanel::Buffer {
  TextEditor editor;
  std::string untouched;     // GetText() of the lesson's own text
  std::uint64_t mapped = 0;  // the result whose line numbers the lines carry as user data
  // What the markers were made for.
  std::uint64_t marked_result = 0;
  const Diagnostic* marked_problem = nullptr;
  int marked_line = -1;
  int marked_theme = -1;
  Language marked_language = Language::english;
  std::map<int, int> line_now;               // line of the run → line in the editor, both from 1
  int followed_line = 0, follow_frames = 0;  // to be kept in view while the panel finds its size
  float width = 0, height = 0;               // of the text; with another one its lines lie elsewhere
};

}  // namespace lanescope::gui
