#pragma once
// A lock for what is done in less time than a thread takes to fall asleep and be woken (about 50 microseconds).

#include <mutex>

namespace lanescope {

// As std::lock_guard, but tries for a microsecond or two with open eyes first.
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
