#pragma once
// Runs work on a thread with a deep stack, because compilers recurse as deep as their input nests. The stack is only
// reserved: pages are used only as deep as the recursion goes.

#include <functional>
#include <memory>

namespace lanescope {

class DeepThread {
 public:
  // If no such thread can be created, the work is complete when this returns.
  explicit DeepThread(std::function<void()> work);
  // Waits for the end of the work.
  ~DeepThread();
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  // Waits until the work is complete, and returns true, or until `input` has data to read (or its end).
  bool done_before_readable(int input) const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace lanescope
