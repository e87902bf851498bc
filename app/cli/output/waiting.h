#pragma once
// Progress messages of commands that take long.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "core/wording.h"

namespace lanescope::cli {

// For as long as it lives: a second after the start, and a second after `doing` has another answer, prints that answer
// as a line on standard error. Only where that is a terminal: there somebody waits, who can press Ctrl+C. `doing` is
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
