#pragma once
// What would tell an answer that the page "predict" still asks for, and what covers it.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// What must not be on screen, since it would answer a question of the page "predict" that is still open.
struct Covers {
  bool picture = false;  // and the film: the question names a place in them. Once it is answered, its place is shown
                         // until another such question is begun
  bool counts = false;   // numbers, heat beside the code, agreement: it asks for them, or for what the picture shows
  bool times = false;
  bool occupancy = false;
  bool results() const { return picture || counts || times; }  // times, plots and agreement stand together
};
Covers covers(const Ui& ui);                       // of the variant on screen
Covers covers(const Ui& ui, std::size_t variant);  // of any: for comparing
// Asked here, of a place in the picture, and not answered yet.
bool is_open(const Ui& ui, const lesson::Question& question);
std::string key_of(const Ui& ui, const lesson::Question& question);  // as in WindowState::answered

// Takes the place of what is covered. `why`: said with a button that uncovers everything for good; `note`: a line
// without one; null: not said.
void draw_cover(const Ui& ui, const char* id, const PanelRect& rect, const char* why, const char* note = nullptr);
// That button.
void uncover_button(const Ui& ui);

}  // namespace lanescope::gui
