#pragma once
// While one of these lives, what ends the program from outside loses nothing: SIGTERM, SIGINT and SIGHUP become a question that
// the loop asks, and the end of the X server calls `save` before the program ends, as Xlib wants it to, with exit code 1.

#include <functional>

namespace lanescope::gui {

class EndOfProcess {
 public:
  // `save` is called on the thread that makes this one. At most one lives at a time.
  explicit EndOfProcess(std::function<void()> save);
  ~EndOfProcess();
  EndOfProcess(const EndOfProcess&) = delete;
  EndOfProcess& operator=(const EndOfProcess&) = delete;

  bool asked() const;  // whether one of the signals came; a second one ends the program at once
};

}  // namespace lanescope::gui
