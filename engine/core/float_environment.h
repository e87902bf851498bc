#pragma once
// The floating-point environment of a thread: rounding mode, traps, and whether subnormal numbers become zero.

#include <cfenv>

namespace lanescope {

// While it lives, the thread rounds to nearest, traps on nothing and keeps subnormal numbers, whatever the program that
// called has set (fesetround, feenableexcept, -ffast-math). Threads that start meanwhile inherit this. Then everything
// is as it was before; exceptions raised meanwhile leave no flag.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&before_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t before_{};
};

}  // namespace lanescope
