#pragma once
// Threads that help the caller with a piece of work. They are taken from a pool that the process keeps, and called
// before the work is ready: starting a thread takes about as long as a short launch, and each launch would pay it
// again.

#include <functional>
#include <memory>

namespace lanescope::sim {

class HelperThreads {
 public:
  // Calls `count` threads; they come while the caller goes on. Fewer come when the system has no more threads to give.
  explicit HelperThreads(int count);
  ~HelperThreads();  // sends them back, and waits for none
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;

  int count() const { return count_; }
  // Calls work(0) here, and work(i), 1 ≤ i ≤ count(), on each helper that is there before work(0) has returned; no i
  // twice. Returns when all of them have. Each call must take what there is to do until nothing is left: nobody says
  // which of them come.
  void run(const std::function<void(int)>& work);

 private:
  struct Team;
  friend class HelperPool;
  std::shared_ptr<Team> team_;
  int count_ = 0;
};

}  // namespace lanescope::sim
