#pragma once
// Everything that a menu or a button of the window does, by name.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

struct Command {
  std::string group, name;  // in the language on screen: "lesson", "Bank conflicts"
  std::string also;         // what it answers to besides: its names in the other language
  std::string keys;         // that do the same
  bool current = false;     // is so already
  std::function<void()> run;
};

// Those that can be run now, in the order of the window. `typed` may hold a value of a control: "stride 8".
std::vector<Command> commands_of(const Ui& ui, std::string_view typed);

}  // namespace lanescope::gui
