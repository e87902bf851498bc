#pragma once
// What is new since the last frame: whether to paint again, and what the learner is to be told about the window itself.
// The parts of a session share one.

#include <cstdint>
#include <utility>

#include "core/diagnostic.h"

namespace lanescope::gui {

class Changes {
 public:
  // Something on screen may be different now.
  void mark() { marked_ = true; }
  // Whether something was marked since the last call.
  bool take() {
    if (marked_) ++revision_;
    return std::exchange(marked_, false);
  }
  std::uint64_t revision() const { return revision_; }  // grows with each take() that found something

  Diagnostics notices;  // about the window itself: a save that failed, a recording that does not open

 private:
  bool marked_ = false;
  std::uint64_t revision_ = 1;
};

}  // namespace lanescope::gui
