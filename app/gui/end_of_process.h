#pragma once
// While one of these lives, ending the program from outside loses no data: the loop polls asked() for SIGTERM, SIGINT
// and SIGHUP. When the X server ends, `save` is called before the program ends with exit code 1, as Xlib requires.

#include <functional>

#include "core/os/asked_to_end.h"

namespace lanescope::gui {

class EndOfProcess {
 public:
  // `save` is called on the thread that makes this one. At most one lives at a time.
  explicit EndOfProcess(std::function<void()> save);
  ~EndOfProcess();
  EndOfProcess(const EndOfProcess&) = delete;
  EndOfProcess& operator=(const EndOfProcess&) = delete;

  bool asked() const;  // whether one of the signals came; a second one ends the program at once

 private:
  AskedToEnd asked_;
};

}  // namespace lanescope::gui
