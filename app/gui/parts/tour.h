#pragma once
// The tour of the window: five stops, shown once to a new user.

namespace lanescope::gui {

struct Tour {
  static constexpr int stops = 5;
  int stop = -1;  // −1: not running
  bool running() const { return stop >= 0; }
  void start() { stop = 0; }
  void end() { stop = -1; }
};

}  // namespace lanescope::gui
