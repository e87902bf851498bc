#pragma once
// Whether somebody outside asked this process to end: SIGTERM, SIGINT, SIGHUP; on Windows Ctrl+C and the console's end.

#include <functional>
#include <memory>

namespace lanescope {

// One at a time. While it lives, the first request does not end the process; a second one does.
class AskedToEnd {
 public:
  // `wake` is called on another thread when a request came.
  explicit AskedToEnd(std::function<void()> wake);
  ~AskedToEnd();
  AskedToEnd(const AskedToEnd&) = delete;
  AskedToEnd& operator=(const AskedToEnd&) = delete;
  bool asked() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope
