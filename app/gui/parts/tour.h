#pragma once
// The tour of the window: five stops, shown once to who comes for the first time.

namespace lanescope::gui {

struct Tour {
  static constexpr int stops = 5;
  int stop = -1;  // −1: not under way
  bool running() const { return stop >= 0; }
  void start() { stop = 0; }
  void end() { stop = -1; }
};

}  // namespace lanescope::gui
