// How a seeded schedule ends a warp's turn early and splits its lanes.

#include "sim/warp/worker.h"

namespace lanescope::sim {

bool Worker::preempt() {
  if (warp_->preempted) {
    warp_->preempted = false;
    return false;
  }
  preempted_ = warp_->preempted = schedule_->preempts();
  return preempted_;
}

// The access at `next` is left for the warp's next turn. Sometimes the lanes are split here: they are independent
// threads, and only a barrier makes them meet before the next reconvergence point.
void Worker::end_turn_early(const Operation* next) {
  preempted_ = false;
  Path& path = warp_->stack.back();
  path.next = next;
  path.entering = false;
  if ((path.mask & (path.mask - 1)) == 0 || !schedule_->parts()) return;
  Path other = path;
  other.mask = schedule_->some_of(path.mask);
  path.mask &= ~other.mask;
  ++other.frame->users;
  warp_->stack.push_back(other);
}

}  // namespace lanescope::sim
