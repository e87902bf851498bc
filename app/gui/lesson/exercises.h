#pragma once
// Questions before the run ("predict") and tasks ("try"), under the lesson's text.

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
  // Those that apply to the variant on screen. Their texts are those of the page that Ctrl + F searches from number
  // `first_text` on.
  void draw(const Ui& ui, std::size_t first_text);
  // What they ask and the options that they offer, without markup, in the order in which they are drawn.
  static std::vector<std::string> texts(const Ui& ui);

 private:
  struct Draft {
    std::array<char, 32> number{};
    LaneMask lanes;
    std::string option;
    friend bool operator==(const Draft&, const Draft&) = default;
  };
  void card(const Ui& ui, const lesson::Question& question, FoundHere& found);
  void show_whole(const Ui& ui, float top);
  void reveal(const Ui& ui, const lesson::Question& question);
  void other_variants(const Ui& ui);
  // Each returns whether there is something to check.
  bool number_entry(const Ui& ui, Draft& draft, bool percent, bool& entered);
  bool lane_cells(const Ui& ui, Draft& draft);
  bool options(const Ui& ui, const lesson::Question& question, Draft& draft, FoundHere& found);
  void verdict(const Ui& ui, const lesson::Question& question, const Exercises::Verdict& verdict);
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
