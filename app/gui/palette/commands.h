#pragma once
// Every action of the window's menus and buttons, by name.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

struct Command {
  std::string group, name;  // in the current language: "lesson", "Bank conflicts"
  std::string also;         // further names that match: those in the other language
  std::string keys;         // the keys for the same action
  bool current = false;     // already in effect
  std::function<void()> run;
};

// The commands that are possible now, in the window's order. `typed` may contain a control's value: "stride 8".
std::vector<Command> commands_of(const Ui& ui, std::string_view typed);

}  // namespace lanescope::gui
