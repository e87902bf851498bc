#pragma once
// The tour of the window: five stops, shown once to a new user.

namespace lanescope::gui {

struct Tour {
  static constexpr int stops = 5;
  int stop = -1;  // −1: not running
  // Where "Next" was clicked, in pixels, until the pointer leaves it: the card moves away, and a second click there
  // goes on instead of reaching the panel below.
  struct {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  } pressed;
  bool running() const { return stop >= 0; }
  void start() { stop = 0; }
  void end() { stop = -1, pressed = {}; }
};

}  // namespace lanescope::gui
