#pragma once
// Questions before the run ("predict") and tasks ("try"), under the lesson's text.

#include <array>
#include <map>
#include <set>
#include <string>

#include "core/lane_mask.h"
#include "gui/ui.h"

namespace lanescope::gui {

// What must not be on screen, since it would answer a question of the page "predict" that is still open.
struct Covers {
  bool picture = false;    // and the film: the question names a place in them. Once it is answered, its place is shown until
                           // another such question is begun
  bool counts = false;     // numbers, heat beside the code, agreement: it asks for them, or for what the picture shows
  bool times = false;
  bool occupancy = false;
  bool results() const { return picture || counts || times; }  // times, plots and agreement stand together
};
Covers covers(const Ui& ui);                       // of the variant on screen
Covers covers(const Ui& ui, std::size_t variant);  // of any: for comparing
// Asked here, of a place in the picture, and not answered yet.
bool is_open(const Ui& ui, const lesson::Question& question);
std::string key_of(const Ui& ui, const lesson::Question& question);  // as in WindowState::answered

// Takes the place of what is covered. `why`: said with a button that uncovers everything for good; `note`: a line without
// one; null: not said.
void draw_cover(const Ui& ui, const char* id, const PanelRect& rect, const char* why, const char* note = nullptr);
// That button.
void uncover_button(const Ui& ui);

class QuestionCards {
 public:
  void draw(const Ui& ui);  // those that apply to the variant on screen

 private:
  struct Draft {
    std::array<char, 32> number{};
    LaneMask lanes;
    std::string option;
    friend bool operator==(const Draft&, const Draft&) = default;
  };
  void card(const Ui& ui, const lesson::Question& question);
  void show_whole(const Ui& ui, float top);
  void reveal(const Ui& ui, const lesson::Question& question);
  void other_variants(const Ui& ui);
  // Each returns whether there is something to check.
  bool number_entry(const Ui& ui, Draft& draft, bool percent, bool& entered);
  bool lane_cells(const Ui& ui, Draft& draft);
  bool options(const Ui& ui, const lesson::Question& question, Draft& draft);
  void verdict(const Ui& ui, const lesson::Question& question, const Session::Verdict& verdict);
  std::map<std::string, Draft> drafts_;  // by lesson/question
  // Sizes are known a frame late.
  static constexpr int frames_to_settle = 3;
  struct {
    std::string question;
    int frames = 0;
  } to_show_;  // the answer given last
};

class TaskCards {
 public:
  void draw(const Ui& ui);

 private:
  void card(const Ui& ui, const lesson::Task& task);
  std::map<std::string, std::size_t> hints_;  // shown, by lesson/task
  std::set<std::string> opened_;
};

}  // namespace lanescope::gui
