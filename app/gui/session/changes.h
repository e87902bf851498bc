#pragma once
// What is new since the last frame: whether to paint again, and notices about the window itself. Shared by the parts of
// a session.

#include <cstdint>
#include <utility>

#include "core/diagnostic.h"

namespace lanescope::gui {

class Changes {
 public:
  // Something on screen may have changed.
  void mark() { marked_ = true; }
  // True if something was marked since the last call.
  bool take() {
    if (marked_) ++revision_;
    return std::exchange(marked_, false);
  }
  std::uint64_t revision() const { return revision_; }  // increases with each take() that returned true

  Diagnostics notices;  // about the window itself: a failed save, a recording that cannot be opened

 private:
  bool marked_ = false;
  std::uint64_t revision_ = 1;
};

}  // namespace lanescope::gui
