#pragma once
// What the wire between two processes asks of the system.

#include <memory>

namespace lanescope {

// Something to read (or the end) within so many milliseconds.
bool readable(int descriptor, int milliseconds);

// Fewer turns between the two ends; a wish.
void make_roomy(int pipe);

// While it lives, writing to a pipe that nobody reads is an error and not the end of this process; in this thread
// alone: what the process does about it elsewhere, on its standard output say, is its own affair.
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
