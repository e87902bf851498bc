#pragma once
// The editor's colours and language: CUDA C++ on Dear ImGui's text editor.

#include <string>

#include "TextEditor.h"
#include "gui/kit/look.h"

namespace lanescope::gui {

// How much of `conflict` is in the ground of a line with a problem and of its number: what can be read on the ground of
// the step's line can also be read on it.
inline constexpr float problem_ground = 0.12f;

void configure_editor(TextEditor& editor);
// The text as such an editor returns it.
std::string as_edited(const std::string& text);
TextEditor::Palette editor_palette(const Palette& palette);

}  // namespace lanescope::gui
