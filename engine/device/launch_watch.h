#pragma once
// Notices launches that take long, so that an endless loop is not silent.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "device/run_log.h"
#include "sim/launch_request.h"

namespace lanescope::device {

// Says when the next line may be printed: at once, then rarely.
class RareLines {
 public:
  // Whether a line may be printed `now`, from any beginning. If so, the next one may be only after a while.
  bool allow(std::chrono::seconds now);

 private:
  std::size_t printed_ = 0;
  std::chrono::seconds next_{0};
};

class LaunchWatch {
 public:
  // `tell` is called from another thread, each time that a launch has run for another `interval`. It must not wait for
  // the thread that launches.
  LaunchWatch(std::chrono::milliseconds interval, std::function<void(const RunningRow&)> tell);
  ~LaunchWatch();
  LaunchWatch(const LaunchWatch&) = delete;
  LaunchWatch& operator=(const LaunchWatch&) = delete;

  // `of` has everything but the time and the blocks that are done. A launch of its own kernel's launch is not watched
  // twice: begin() and end() alternate.
  void begin(RunningRow of);
  void end();
  // The launch between the two.
  std::optional<RunningRow> running();
  sim::Progress& progress() { return progress_; }

 private:
  void loop();

  const std::chrono::milliseconds interval_;
  const std::function<void(const RunningRow&)> tell_;
  sim::Progress progress_;
  std::mutex mutex_;  // for the rest
  std::condition_variable ended_;
  bool over_ = false, running_ = false;
  RunningRow launch_;
  std::chrono::steady_clock::time_point since_, next_;
  std::thread thread_;  // started by the first launch
};

}  // namespace lanescope::device
