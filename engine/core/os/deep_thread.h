#pragma once
// Work on a thread of its own with a deep stack: compilers call themselves as deep as their input nests. Stacks are
// reserved, not used: pages are only touched as deep as the recursion goes.

#include <functional>
#include <memory>

namespace lanescope {

class DeepThread {
 public:
  // Where there is no such thread to be had, the work is done when this returns.
  explicit DeepThread(std::function<void()> work);
  // Waits for the work's end.
  ~DeepThread();
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  // Waits until the work is done, and says so, or until `input` has something to read (or its end).
  bool done_before_readable(int input) const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace lanescope
