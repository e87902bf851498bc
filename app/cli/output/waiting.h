#pragma once
// Progress messages of long commands.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "core/wording.h"

namespace lanescope::cli {

// While this object lives, prints the text of `doing` as a line on standard error: one second after the start, and one
// second after each change. Only if standard error is a terminal, where a user waits who can press Ctrl+C. `doing` is
// called from another thread.
class Waiting {
 public:
  explicit Waiting(std::function<Wording()> doing);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void loop();

  std::function<Wording()> doing_;
  std::mutex guard_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace lanescope::cli
