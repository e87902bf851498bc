#pragma once
// Tells of launches that take long while a program runs.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/wording.h"
#include "device/run_log.h"

namespace lanescope::cli {

// "kernel spin<<<1, 32>>> (spin.cu:5) has run for 10 s …", and how to end it: by a signal to this process.
Wording about_long_launch(const device::RunningRow& launch);

// While this object lives, follows the log of a program and prints a line on standard error where a launch takes long,
// also if that is not a terminal. An empty path: prints nothing.
class LongLaunches {
 public:
  explicit LongLaunches(const std::string& log);
  ~LongLaunches();
  LongLaunches(const LongLaunches&) = delete;
  LongLaunches& operator=(const LongLaunches&) = delete;

 private:
  void loop();

  device::RunningLaunches launches_;
  std::mutex guard_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace lanescope::cli
