#pragma once
// What the wire between two processes needs from the system.

#include <cstddef>
#include <memory>

namespace lanescope {

// Whether there is data to read (or the end) within this many milliseconds.
bool readable(int descriptor, int milliseconds);

// What has arrived, at most `bytes`; waits only while nothing has. 0 at the end, -1 after an error.
std::ptrdiff_t read_arrived(int descriptor, void* to, std::size_t bytes);

// Enlarges the pipe's buffer, so that its two ends switch less often. May have no effect.
void make_roomy(int pipe);

// While this object exists, writing to a pipe without a reader is an error in this thread and does not end the process.
// Other threads are not affected, such as one that writes to standard output.
class BrokenPipesAreErrors {
 public:
  BrokenPipesAreErrors();
  ~BrokenPipesAreErrors();
  BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
  BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

}  // namespace lanescope
