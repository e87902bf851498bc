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

}  // namespace lanescope
