#pragma once
// The strip under the top bar that Ctrl + F opens: what to find, how often it is there, the next one.

#include <array>
#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

class CodePanel;
class LessonPanel;

class FindBar {
 public:
  static constexpr float height = 44;  // in device-independent pixels
  // Opens and closes it, and looks again where text, code or what is wanted changed. Before the panels are drawn.
  void update(const Ui& ui, LessonPanel& lesson, CodePanel& code, bool possible);
  void draw(const Ui& ui, const PanelRect& rect);
  void step(const Ui& ui, int way);  // to the next match, or the one before
  void close(const Ui& ui);

 private:
  void go(const Ui& ui);
  std::string place(const Ui& ui) const;
  std::array<char, 96> typed_{};
  bool focus_ = false;
};

}  // namespace lanescope::gui
