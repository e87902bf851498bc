#pragma once
// Progress messages of long commands.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "core/wording.h"

namespace lanescope::cli {

// While this object lives, prints the text of `doing` as a line on standard error: one second after the start, and one
// second after each change. If standard error is not a terminal, it prints it only after `quiet`, and then each time
// after twice as long: a log shall say what goes on, but not be full of it. `doing` is called from another thread.
class Waiting {
 public:
  explicit Waiting(std::function<Wording()> doing, std::chrono::milliseconds quiet = std::chrono::seconds(30));
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void loop();
  void rarely(std::chrono::milliseconds quiet);

  std::function<Wording()> doing_;
  std::mutex guard_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace lanescope::cli
