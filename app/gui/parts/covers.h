#pragma once
// Finds what would reveal an answer that the page "predict" still asks for, and covers it.

#include <string>

#include "gui/parts/ui.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// What must not be on screen because it would answer an open question of the page "predict".
struct Covers {
  // Picture and film: the question names a place in them. After the answer its place is shown until another such
  // question is started.
  bool picture = false;
  // Numbers, heat beside the code, agreement: the question asks for them or for what the picture shows.
  bool counts = false;
  bool times = false;
  bool occupancy = false;
  bool results() const { return picture || counts || times; }  // times, plots and agreement share a panel
};
Covers covers(const Ui& ui);                       // for the variant on screen
Covers covers(const Ui& ui, std::size_t variant);  // for any variant, when comparing
// The question applies here, concerns a place in the picture and is not answered yet with the values on screen.
bool is_open(const Ui& ui, const lesson::Question& question);
std::string key_of(const Ui& ui, const lesson::Question& question);  // "lesson/id"
// Of an answer to it with these values, in WindowState: "lesson/id@block=256,n=16384".
std::string answer_key(const std::string& question, const lesson::ControlValues& values);
// True if the answer of that key is to this question, and with values that these do not contradict: variants share
// values, and a question may be about several of them.
bool is_answer_to(const std::string& answer, const std::string& question, const lesson::ControlValues& values);
// Of the run on screen; without one, as they are chosen.
lesson::ControlValues values_on_screen(const Ui& ui);

// Drawn instead of covered contents. `why`: a text with a button that uncovers everything permanently; `note`: a line
// without a button, unless `button`. null: no such text.
void draw_cover(const Ui& ui, const char* id, const PanelRect& rect, const char* why, const char* note = nullptr,
                bool button = false);
// The button that uncovers everything.
void uncover_button(const Ui& ui);

}  // namespace lanescope::gui
