// The paths of a diverged warp: which lanes go where, and where they reconverge.

#include <algorithm>
#include <cstring>

#include "core/worded.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

bool Worker::settle_below() {
  auto& stack = warp_->stack;
  for (; !stack.empty(); pop_path()) {
    Path& top = stack.back();
    top.mask &= warp_->live;
    if (top.mask != 0 && !top.arrived()) return true;
  }
  return false;
}

void Worker::diverge(std::int32_t reconvergence, const Way* ways, std::size_t count) {
  auto& stack = warp_->stack;
  // A copy of each field: a copy as a whole would wait for changes of some fields just before.
  const Path& top = stack.back();
  const Path parent{.next = top.next,
                    .frame = top.frame,
                    .mask = top.mask,
                    .reconvergence = top.reconvergence,
                    .level = top.level,
                    .waiting = top.waiting,
                    .state = top.state,
                    .overtakes = top.overtakes,
                    .barrier = top.barrier};
  const bool joins = reconvergence != cfg::no_block && reconvergence != parent.reconvergence;
  const std::int32_t end = joins ? reconvergence : parent.reconvergence;
  if (joins) {
    Path& join = stack.back();
    join.block = reconvergence;
    join.entering = true;
  } else {
    ++parent.frame->users;  // keeps the frame alive over the pop
    pop_path();
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (ways[i].block == function_end) {
      leave_function(parent, ways[i].lanes);
      continue;
    }
    if (ways[i].block == end) continue;  // arrived
    ++parent.frame->users;
    stack.push_back({.next = parent.next,
                     .frame = parent.frame,
                     .mask = ways[i].lanes,
                     .block = ways[i].block,
                     .reconvergence = end,
                     .level = parent.level + (joins ? 1 : 0),
                     .entering = true,
                     .waiting = parent.waiting,
                     .state = parent.state,
                     .overtakes = parent.overtakes,
                     .barrier = parent.barrier});
  }
  if (!joins) release(parent.frame);
}

// diverge() for an `if` without `else`: one way leads to where the branch's lanes reconverge. False if it is none.
bool Worker::diverge_around(const BranchOp& branch, Path& path, std::uint32_t taken, std::uint32_t others) {
  const bool skips = branch.taken == branch.reconvergence;
  const std::int32_t block = skips ? branch.next : branch.taken;
  if ((!skips && branch.next != branch.reconvergence) || block == function_end || block == branch.reconvergence ||
      branch.reconvergence == cfg::no_block || branch.reconvergence == path.reconvergence)
    return false;
  path.block = branch.reconvergence;
  path.entering = true;
  ++path.frame->users;
  warp_->stack.push_back({.next = path.next,
                          .frame = path.frame,
                          .mask = skips ? others : taken,
                          .block = block,
                          .reconvergence = branch.reconvergence,
                          .level = path.level + 1,
                          .entering = true,
                          .waiting = path.waiting,
                          .state = path.state,
                          .overtakes = path.overtakes,
                          .barrier = path.barrier});
  return true;
}

// The event's lanes are those that go the same way as the lowest lane.
template <Mode mode>
Worker::Then Worker::branch_indexed(const Operation& operation, std::uint32_t active, std::int32_t& target) {
  const BranchOp& branch = branch_of(operation);
  const std::uint32_t executed = executed_lanes(operation, active);
  std::vector<Way> ways;
  const auto add = [&](std::int32_t block, std::uint32_t lanes) {
    for (Way& way : ways)
      if (way.block == block) {
        way.lanes |= lanes;
        return;
      }
    ways.push_back({block, lanes});
  };
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    std::uint32_t selected;
    std::memcpy(&selected, registers_ + branch.selector + static_cast<std::uint32_t>(lane) * 4, 4);
    if (selected >= branch.targets.size()) {
      fail(current(), "run.bad_branch_index",
           worded("{}: a jump table is indexed past its end (entry {} of {})", who(lane), selected,
                  branch.targets.size()),
           "Give the switch a default case.");
      return Then::stop;
    }
    add(branch.targets[selected], 1u << lane);
  }
  if (executed != active) add(branch.next, active & ~executed);
  const std::uint32_t with_lowest = ways.front().lanes;
  const bool diverges = ways.size() > 1;
  if constexpr (mode != Mode::plain)
    recorder_.branched(branch.site, static_cast<std::uint32_t>(LaneMask{with_lowest}.count()), diverges);
  if constexpr (mode == Mode::events) {
    recorder_.event(*warp_, trace::EventKind::branch, branch.site, active, with_lowest);
    if (recorder_.watch_reached()) return Then::stop;
  }
  if (!diverges) {
    target = ways.front().block;
    return Then::jump;
  }
  // The lowest lane's way is taken first, so it goes on top.
  std::reverse(ways.begin(), ways.end());
  diverge(branch.reconvergence, ways.data(), ways.size());
  return Then::resume;
}

// The lanes leave the path's function. If it is the kernel, they exit.
void Worker::leave_function(const Path& path, std::uint32_t lanes) {
  Frame* const frame = path.frame;
  if (frame->caller == nullptr) {
    lanes_exit(path, lanes);
    return;
  }
  copy_results(*frame, lanes);
  for (Path& each : warp_->stack)
    if (each.frame == frame) each.mask &= ~lanes;
}

void Worker::lanes_exit(const Path& path, std::uint32_t lanes) {
  if (path.overtakes && lanes != 0) remark_passed_barrier(warp_->overtaken.site, lanes);
  warp_->live &= ~lanes;
  lanes_exited();
}

template Worker::Then Worker::branch_indexed<Mode::plain>(const Operation&, std::uint32_t, std::int32_t&);
template Worker::Then Worker::branch_indexed<Mode::totals>(const Operation&, std::uint32_t, std::int32_t&);
template Worker::Then Worker::branch_indexed<Mode::events>(const Operation&, std::uint32_t, std::int32_t&);

}  // namespace lanescope::sim
