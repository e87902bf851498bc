#pragma once
// Ctrl + P: finds every action of the window by a few letters, and runs it with Enter.

#include <array>
#include <string>
#include <vector>

#include "gui/palette/commands.h"

namespace lanescope::gui {

class CommandPalette {
 public:
  void open() { asked_ = true; }
  void draw(const Ui& ui);  // call after all panels, in the same window
  bool is_open() const { return open_; }
  // The commands that match the typed text, best first.
  const std::vector<Command>& found() const { return found_; }

 private:
  void search(const Ui& ui);
  bool row(const Ui& ui, const Command& command, bool chosen, float width);
  void rows(const Ui& ui, float width);

  bool asked_ = false, open_ = false, moved_ = false;
  std::array<char, 96> typed_{};
  std::string searched_;
  std::vector<Command> found_;
  std::size_t chosen_ = 0;
};

}  // namespace lanescope::gui
