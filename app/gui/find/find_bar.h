#pragma once
// The strip under the top bar that Ctrl + F opens: the text to find, the number of matches, the next match.

#include <array>
#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

class CodePanel;
class LessonPanel;

class FindBar {
 public:
  static constexpr float height = 44;  // in device-independent pixels
  // Opens and closes it, and searches again if the texts or the wanted text changed. Call before the panels are drawn.
  void update(const Ui& ui, LessonPanel& lesson, CodePanel& code, bool possible);
  void draw(const Ui& ui, const PanelRect& rect);
  void step(const Ui& ui, int way);  // to the next (1) or previous (−1) match
  void close(const Ui& ui);

 private:
  void go(const Ui& ui);
  std::string place(const Ui& ui) const;
  std::array<char, 96> typed_{};
  bool focus_ = false;
  // The texts of the last search: matches of others are not the same ones, wherever they are.
  struct Searched {
    std::string lesson, variant;
    CodeTab tab{};
    friend bool operator==(const Searched&, const Searched&) = default;
  } searched_;
};

}  // namespace lanescope::gui
