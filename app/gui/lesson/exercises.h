#pragma once
// Questions before the run ("predict") and tasks ("try"), below the lesson's text.

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

struct FoundHere;

class QuestionCards {
 public:
  // Draws those for the variant on screen. For Ctrl + F their texts are numbered from `first_text` on.
  void draw(const Ui& ui, std::size_t first_text);
  // Their questions and options without markup, in drawing order.
  static std::vector<std::string> texts(const Ui& ui);

 private:
  struct Draft {
    std::array<char, 32> number{};
    LaneMask lanes;
    std::string option;
    lesson::ControlValues values;  // for which it was entered
    bool empty() const { return number[0] == 0 && lanes.empty() && option.empty(); }
    friend bool operator==(const Draft&, const Draft&) = default;
  };
  void card(const Ui& ui, const lesson::Question& question, FoundHere& found);
  void follow_values(const Ui& ui, const lesson::Question& question, Draft& draft);
  void restore(const Ui& ui, const lesson::Question& question, Draft& draft);
  void show_whole(const Ui& ui, float top);
  void reveal(const Ui& ui, const lesson::Question& question);
  void other_variants(const Ui& ui);
  // Each returns whether there is an answer to check.
  bool number_entry(const Ui& ui, Draft& draft, bool percent, bool into_field, bool& entered);
  bool lane_cells(const Ui& ui, Draft& draft);
  bool options(const Ui& ui, const lesson::Question& question, Draft& draft, FoundHere& found);
  void verdict(const Ui& ui, const lesson::Question& question, const Exercises::Verdict& verdict);
  std::map<std::string, Draft> drafts_;  // indexed by lesson/question
  std::set<std::string> restored_;       // keys in WindowState::answers
  // An item's size is only known one frame later.
  static constexpr int frames_to_settle = 3;
  struct {
    std::string question;
    int frames = 0;
  } to_show_;  // the latest answer
  struct {
    std::string question;
    int frames = 0;
  } into_field_;  // its field takes the keyboard once the page is scrolled to it: a card out of sight has no items
};

class TaskCards {
 public:
  void draw(const Ui& ui);

 private:
  void card(const Ui& ui, const lesson::Task& task);
  std::map<std::string, std::size_t> hints_;  // number of hints shown, by lesson/task
  std::set<std::string> opened_;
};

}  // namespace lanescope::gui
