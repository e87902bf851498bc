#pragma once
// Whether this process was asked to end: by SIGTERM, SIGINT or SIGHUP; on Windows by Ctrl+C or when the console ends.

#include <functional>
#include <memory>

namespace lanescope {

// Only one object at a time. While it exists, the first request does not end the process; the second one does.
class AskedToEnd {
 public:
  // `wake` is called on another thread when a request arrives.
  explicit AskedToEnd(std::function<void()> wake);
  ~AskedToEnd();
  AskedToEnd(const AskedToEnd&) = delete;
  AskedToEnd& operator=(const AskedToEnd&) = delete;
  bool asked() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Delays the end of this process until what it started has ended and what it wrote is removed.
// While an object lives, a request to end this process (Ctrl+C, SIGTERM, SIGHUP) that nothing else handles is
// remembered; a second one ends it. The last object's destructor lets the process end. Several threads may have one.
// On Windows it does nothing.
class EndLater {
 public:
  EndLater();
  ~EndLater();
  EndLater(const EndLater&) = delete;
  EndLater& operator=(const EndLater&) = delete;
  // Whether such a request came.
  static bool asked();
};

}  // namespace lanescope
