#pragma once
// What the code panel keeps per variant.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "TextEditor.h"
#include "gui/code/code_panel.h"

namespace lanescope::gui {

// A variant's editor and its markers.
struct CodePanel::Buffer {
  TextEditor editor;
  // Whose text it got: the lesson, of which a program has another one each time that it runs; its original text, and
  // Selection::original_revision().
  std::tuple<std::string, const std::string*, std::uint64_t> text_of{{}, nullptr, 0};
  std::string untouched;     // GetText() of the lesson's own text
  std::uint64_t mapped = 0;  // the result whose line numbers are the lines' user data
  // The inputs from which the markers were made.
  std::uint64_t marked_result = 0;
  const Diagnostic* marked_problem = nullptr;
  int marked_line = -1;
  int marked_theme = -1;
  Language marked_language = Language::english;
  std::map<int, int> line_now;               // line of the run → line in the editor, both from 1
  int followed_line = 0, follow_frames = 0;  // kept in view until the panel has its size
  int new_line_frames = 0;                   // the step's line is new, and followed unless somebody types
  float width = 0, height = 0;               // of the text; its layout depends on them
};

}  // namespace lanescope::gui
