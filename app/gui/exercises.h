#pragma once
// Questions before the run ("predict") and tasks ("try"), under the lesson's text.

#include <array>
#include <map>
#include <set>
#include <string>

#include "core/lane_mask.h"
#include "gui/ui.h"

namespace lanescope::gui {

// Whether pictures and counts are covered, since they would answer a question of the page "predict" that is still open: one
// that names a place in the picture. Once it is answered, its place is shown until another such question is begun.
bool picture_covered(const Ui& ui);
// Takes the place of what is covered; `explained`: says why, with a button that uncovers everything for good.
void draw_cover(const Ui& ui, const char* id, const PanelRect& rect, bool explained);

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
  void reveal(const Ui& ui, const lesson::Question& question);
  void other_variants(const Ui& ui);
  // Each returns whether there is something to check.
  bool number_entry(const Ui& ui, Draft& draft, bool percent, bool& entered);
  bool lane_cells(const Ui& ui, Draft& draft);
  bool options(const Ui& ui, const lesson::Question& question, Draft& draft);
  void verdict(const Ui& ui, const lesson::Question& question, const Session::Verdict& verdict);
  std::map<std::string, Draft> drafts_;  // by lesson/question
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
