#include "sim/helper_threads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/os/cores.h"

namespace lanescope::sim {

namespace {

// About the time that it takes to wake a sleeping thread.
constexpr auto awake_for = std::chrono::microseconds(200);

// Spins for a short time. False: the condition is still not true.
template <typename Condition>
bool comes_soon(Condition&& condition) {
  const auto give_up = std::chrono::steady_clock::now() + awake_for;
  do {
    for (int i = 0; i < 32; ++i) {
      if (condition()) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    std::this_thread::yield();  // another thread may need the core
  } while (std::chrono::steady_clock::now() < give_up);
  return condition();
}

}  // namespace

// A helper that is still spinning needs no mutex. If many threads took it at the same time, each would put the next one
// to sleep.
struct HelperThreads::Team {
  struct Task {
    const std::function<void(int)>& work;
    int round;
  };

  std::mutex mutex;  // for sleeping and waking
  std::condition_variable changed;
  std::atomic<int> round{0};  // number of tasks so far
  std::atomic<bool> dismissed{false};
  std::atomic<const Task*> task{nullptr};  // nullptr = no task to begin; set before `round`
  // The helpers that look at the task or execute it. A task must not be destroyed before `task` is reset and `busy` is
  // 0.
  std::atomic<int> busy{0};

  void serve(int number) {
    for (int seen = 0;;) {
      const auto called = [&] { return dismissed || round != seen; };
      if (!comes_soon(called)) {
        std::unique_lock lock(mutex);
        changed.wait(lock, called);
      }
      if (dismissed) return;
      const int now = round;
      ++busy;
      const Task* const mine = task;
      // It may already be the task of the next round.
      const bool is_new = mine != nullptr && mine->round != seen;
      seen = mine != nullptr ? mine->round : now;
      if (is_new) mine->work(number);
      if (--busy == 0) wake();
    }
  }
  // Wakes the threads that went to sleep before the change.
  void wake() {
    const std::lock_guard lock(mutex);
    changed.notify_all();
  }
};

// All idle helpers. Never destroyed: they sleep until the process ends.
class HelperPool {
 public:
  static HelperPool& only() {
    static HelperPool& pool = *new HelperPool;
    return pool;
  }

  // Returns how many of `count` helpers were called.
  int call(const std::shared_ptr<HelperThreads::Team>& team, int count) {
    for (int number = 1; number <= count; ++number)
      if (!call_one(team, number)) return number - 1;
    return count;
  }

 private:
  struct Helper {
    std::mutex mutex;  // protects all members below
    std::condition_variable called;
    std::shared_ptr<HelperThreads::Team> team;
    int number = 0;
  };

  bool call_one(const std::shared_ptr<HelperThreads::Team>& team, int number) {
    Helper* helper = take_idle();
    if (helper == nullptr) return start(team, number);
    const std::lock_guard lock(helper->mutex);
    helper->team = team;
    helper->number = number;
    helper->called.notify_one();
    return true;
  }

  Helper* take_idle() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    Helper* helper = idle_.back();
    idle_.pop_back();
    return helper;
  }

  bool start(const std::shared_ptr<HelperThreads::Team>& team, int number) {
    const auto helper = std::make_shared<Helper>();
    helper->team = team;
    helper->number = number;
    try {
      std::thread([this, helper] { live(*helper); }).detach();
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  void live(Helper& helper) {
    for (;;) {
      std::shared_ptr<HelperThreads::Team> team;
      int number = 0;
      {
        std::unique_lock lock(helper.mutex);
        helper.called.wait(lock, [&] { return helper.team != nullptr; });
        team = std::move(helper.team);
        number = helper.number;
      }
      team->serve(number);
      team.reset();
      const std::lock_guard lock(mutex_);
      if (idle_.size() >= most_idle_) return;
      idle_.push_back(&helper);
    }
  }

  std::mutex mutex_;  // protects idle_
  std::vector<Helper*> idle_;
  const std::size_t most_idle_ = static_cast<std::size_t>(usable_cores());
};

HelperThreads::HelperThreads(int count) : team_(std::make_shared<Team>()) {
  count_ = HelperPool::only().call(team_, count);
}

HelperThreads::~HelperThreads() {
  team_->dismissed = true;
  team_->wake();
}

void HelperThreads::run(const std::function<void(int)>& work) {
  if (count_ == 0) return work(0);
  const Team::Task task{work, team_->round + 1};
  team_->task = &task;
  team_->round = task.round;
  team_->wake();
  work(0);
  team_->task = nullptr;
  const auto all_done = [&] { return team_->busy == 0; };
  if (comes_soon(all_done)) return;
  std::unique_lock lock(team_->mutex);
  team_->changed.wait(lock, all_done);
}

}  // namespace lanescope::sim
