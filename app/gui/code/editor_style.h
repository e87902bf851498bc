#pragma once
// The editor's colours and language: CUDA C++ on Dear ImGui's text editor.

#include <string>

#include "TextEditor.h"
#include "gui/kit/look.h"

namespace lanescope::gui {

void configure_editor(TextEditor& editor);
// The text as such an editor returns it.
std::string as_edited(const std::string& text);
TextEditor::Palette editor_palette(const Palette& palette);

}  // namespace lanescope::gui
