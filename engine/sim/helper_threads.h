#pragma once
// Threads that help the caller with a task. They come from a pool of the process, and are called before the task is
// ready: starting a thread takes about as long as a short launch, so a launch should not have to do it.

#include <functional>
#include <memory>

namespace lanescope::sim {

class HelperThreads {
 public:
  // Calls `count` threads, which arrive while the caller continues. There are fewer if the system has no more threads.
  explicit HelperThreads(int count);
  ~HelperThreads();  // returns them to the pool, without waiting
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  int count() const { return count_; }
  // Calls work(0) on this thread, and work(i), 1 ≤ i ≤ count(), on each helper that arrives before work(0) has
  // returned; each i at most once. Returns when all calls have returned. It is not known which helpers arrive, so each
  // call must take work until none is left.
  void run(const std::function<void(int)>& work);

 private:
  struct Team;
  friend class HelperPool;
  std::shared_ptr<Team> team_;
  int count_ = 0;
};

}  // namespace lanescope::sim
