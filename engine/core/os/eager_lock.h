#pragma once
// A lock for work that takes less time than putting a thread to sleep and waking it (about 50 microseconds).

#include <mutex>

namespace lanescope {

// As std::lock_guard, but spins for a microsecond or two first.
class EagerLock {
 public:
  explicit EagerLock(std::mutex& mutex) : mutex_(mutex) {
    for (int tries = 0; tries < 100; ++tries) {
      if (mutex_.try_lock()) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    mutex_.lock();
  }
  ~EagerLock() {
    mutex_.unlock();
  }
  EagerLock(const EagerLock&) = delete;
  EagerLock& operator=(const EagerLock&) = delete;

 private:
  std::mutex& mutex_;
};

}  // namespace lanescope
