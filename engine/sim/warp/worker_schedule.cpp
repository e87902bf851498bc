// The turns of a block's warps. A seeded schedule shuffles them, ends them early and splits their lanes.

#include <algorithm>

#include "sim/warp/worker.h"

namespace lanescope::sim {

bool Worker::begin_turns(BlockState& first) {
  steps_ -= static_cast<std::uint64_t>(credit_);
  credit_ = 0;
  clock_start_ = steps();
  clock_last_ = clock_ahead_ = 0;
  block_ = &first;
  warp_ = &first.warps.front();
  return refill();
}

bool Worker::run(BlockState& block, std::uint32_t index, bool record) {
  start(block, index, record);
  if (!begin_turns(block)) return false;
  std::uint32_t idle_passes = 0;
  while (!block.done()) {
    if (!advance(block)) return false;
    idle_passes = progressed() ? 0 : idle_passes + 1;
    if (block.done()) break;
    if (!any_runnable(block)) {
      diagnose_stuck(block);
      return false;
    }
    if (idle_passes > max_idle_passes) {
      diagnose_deadlock(block);
      return false;
    }
  }
  return true;
}

bool Worker::refill() {
  const std::uint64_t used = steps();
  if (used >= step_limit_) {
    out_of_steps_ = true;
    return false;
  }
  const std::uint64_t give = std::min<std::uint64_t>(quantum, step_limit_ - used);
  steps_ += give;
  credit_ += static_cast<std::int64_t>(give);
  Progress* progress = context_.request.progress;
  if (progress != nullptr && progress->cancel.load(std::memory_order_relaxed)) {
    cancelled_ = true;
    return false;
  }
  return true;
}

bool Worker::any_runnable(BlockState& block) const {
  const auto can_run = [](const Warp& warp) { return !warp.finished() && !warp.blocked; };
  if (std::any_of(block.warps.begin(), block.warps.end(), can_run)) return true;
  // Lanes that wait for others of their warp are threads of their own, and may exit without them.
  bool any = false;
  for (Warp& warp : block.warps)
    if (!warp.finished() && warp.let_overtake()) {
      warp.blocked = false;
      any = true;
    }
  return any;
}

template <Mode mode>
[[gnu::always_inline]] inline bool Worker::take_turn(BlockState& block, Warp& warp) {
  const Turn turn = run_warp<mode>(warp);
  switch (turn) {
    case Turn::finished:
      if (block.products_begun && !leave_warpgroup()) return false;
      ++block.finished_warps;
      progressed_ = true;
      if (block.done()) block_ended(block);
      return true;
    case Turn::blocked:
      warp.blocked = true;
      progressed_ = true;
      return true;
    case Turn::spinning:
      return true;
    case Turn::over:
      progressed_ |= warp.poll.end_quantum();
      return true;
    case Turn::stop:
      stop_behind_fault(warp);
      if (watched_ == nullptr && recorder_.watch_reached()) arrive_at_watched();
      return false;
  }
  return false;
}

bool Worker::advance(BlockState& block) {
  if (!context_.request.record.totals) return advance_in<Mode::plain>(block);
  return block.record ? advance_in<Mode::events>(block) : advance_in<Mode::totals>(block);
}

template <Mode mode>
bool Worker::advance_in(BlockState& block) {
  block_ = &block;
  if (schedule_ == nullptr) {
    for (Warp& warp : block.warps)
      if (!warp.finished() && !warp.blocked && !take_turn<mode>(block, warp)) return false;
    return true;
  }
  // A different order in each pass.
  std::vector<std::uint32_t> order(block.warps.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const std::uint32_t place = schedule_->below(i + 1);
    order[i] = order[place];
    order[place] = i;
  }
  for (std::uint32_t i : order) {
    Warp& warp = block.warps[i];
    if (warp.finished() || warp.blocked || schedule_->skips()) continue;
    if (!take_turn<mode>(block, warp)) return false;
  }
  return true;
}

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
