// The paths of a warp whose lanes have parted: which lanes go where, and where they meet again.

#include <algorithm>

#include "sim/warp/worker.h"

namespace lanescope::sim {

void Worker::pop_path() {
  Frame* frame = warp_->stack.back().frame;
  warp_->stack.pop_back();
  release(frame);
}

// Removes paths that have no lane left, or have come to where they end.
bool Worker::settle_paths() {
  auto& stack = warp_->stack;
  while (!stack.empty()) {
    Path& top = stack.back();
    top.mask &= warp_->live;
    const bool arrived = top.entering && top.block == top.reconvergence;
    if (top.mask != 0 && !arrived) return true;
    pop_path();
  }
  return false;
}

void Worker::diverge(std::int32_t reconvergence, const Way* ways, std::size_t count) {
  auto& stack = warp_->stack;
  Path child = stack.back();
  child.entering = true;
  child.spun = false;
  const bool joins = reconvergence != cfg::no_block && reconvergence != child.reconvergence;
  if (joins) {
    Path& join = stack.back();
    join.block = reconvergence;
    join.entering = true;
    child.reconvergence = reconvergence;
    ++child.level;
  } else {
    ++child.frame->users;  // kept over the pop
    pop_path();
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (ways[i].block == function_end) {
      leave_function(child.frame, ways[i].lanes);
      continue;
    }
    if (ways[i].block == child.reconvergence) continue;  // arrived
    child.block = ways[i].block;
    child.mask = ways[i].lanes;
    ++child.frame->users;
    stack.push_back(child);
  }
  if (!joins) release(child.frame);
}

// The lanes end their activation of the frame's function: in a kernel, themselves.
void Worker::leave_function(Frame* frame, std::uint32_t lanes) {
  if (frame->caller == nullptr) {
    warp_->live &= ~lanes;
    lanes_exited();
    return;
  }
  copy_results(*frame, lanes);
  for (Path& path : warp_->stack)
    if (path.frame == frame) path.mask &= ~lanes;
}

}  // namespace lanescope::sim
