#pragma once
// Runs work off the frame: one thread, and slots by name. A new request in a slot replaces the waiting one and cancels
// the running one, so results are never out of date. Work returns a completion, which drain() runs on the window's
// thread.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/launch.h"

namespace lanescope::gui {

class Worker {
 public:
  using Completion = std::function<void()>;
  using Work = std::function<Completion(sim::Progress&)>;
  // Has a completion drained while the work continues, for early results. It does not run if the work was replaced or
  // dropped.
  using Send = std::function<void(Completion)>;
  using WorkInParts = std::function<Completion(sim::Progress&, const Send&)>;

  // `wake` is called from the worker's thread when a completion waits to be drained.
  explicit Worker(std::function<void()> wake);
  ~Worker();  // cancels and joins
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(const std::string& slot, Work work);
  void post_in_parts(const std::string& slot, WorkInParts work);
  // Drops the waiting request of this slot and cancels the running one; its completion will not run.
  void cancel(const std::string& slot);
  // Asks the running work of this slot to end; its completion runs with the results so far.
  void stop(const std::string& slot);
  // Runs the completions that have arrived; returns true if there was one.
  bool drain();

  struct Status {
    bool busy = false;   // this slot has waiting or running work
    double seconds = 0;  // since the request
    std::uint64_t blocks_done = 0, blocks_total = 0;
  };
  Status status(const std::string& slot) const;
  bool idle() const;  // nothing waits, runs, or is to be drained

 private:
  struct Item {
    std::string slot;
    WorkInParts work;
    double asked_at = 0;
    std::shared_ptr<sim::Progress> progress;
    bool dropped = false;
  };
  void loop();

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Item>> waiting_;
  std::shared_ptr<Item> running_;
  std::vector<std::pair<std::shared_ptr<Item>, Completion>> finished_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace lanescope::gui
