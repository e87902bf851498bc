#pragma once
// While this object lives, ending the program from outside loses no data: the loop polls asked() for SIGTERM, SIGINT
// and SIGHUP. If the X server ends, `save` is called before the program ends with exit code 1, as Xlib requires.

#include <functional>

namespace lanescope::gui {

class EndOfProcess {
 public:
  // `save` is called on the thread that creates this object. At most one may exist at a time.
  explicit EndOfProcess(std::function<void()> save);
  ~EndOfProcess();
  EndOfProcess(const EndOfProcess&) = delete;
  EndOfProcess& operator=(const EndOfProcess&) = delete;

  bool asked() const;  // true after one of the signals; a second one ends the program at once
};

}  // namespace lanescope::gui
