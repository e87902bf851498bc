#pragma once
// A link or a button that changes what is on screen says what it changed: variant, values, step.

#include <cstdint>
#include <map>
#include <string>

#include "gui/session/place.h"

namespace lanescope::gui {

class Session;
struct Ui;

// What was on screen before.
struct WentFrom {
  std::string lesson, variant;
  std::map<std::string, std::int64_t> controls;
  Position position;
};

// Call before the change.
void going(const Ui& ui);
// Once the change and its run are on screen: tells what changed. Call at the start of a frame. `arriving`: something
// else has still to be gone to.
void tell_where_it_went(const Ui& ui, bool arriving);

}  // namespace lanescope::gui
