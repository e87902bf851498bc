#pragma once
// The editor's colours and language: CUDA C++ on Dear ImGui's text editor.

#include "TextEditor.h"
#include "gui/kit/look.h"

namespace lanescope::gui {

void configure_editor(TextEditor& editor);
TextEditor::Palette editor_palette(const Palette& palette);

}  // namespace lanescope::gui
