#include "sim/warp/worker.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/tensor/warpgroup.h"

namespace lanescope::sim {

namespace {

// False if every lane has another value than 0, lanes that do not execute included.
inline bool some_are_zero(const LaneKernels& lanes, const std::byte* slot, std::uint32_t bytes) {
  if (bytes == 4) return lanes.some_zero32(slot);
  return bytes != 8 || lanes.some_zero64(slot);
}

// How often a path may see the same values at the same place before other paths of its warp get a turn, even though
// this may separate lanes that would have joined again.
constexpr std::uint32_t patience = 8;

inline std::uint64_t count_lanes(std::uint32_t mask) {
  return mask == ~0u ? 32 : static_cast<std::uint64_t>(LaneMask{mask}.count());
}

}  // namespace

Worker::Worker(const LaunchContext& context, AccessSets* sets)
    : context_(context),
      sets_(sets),
      schedule_(context.schedule),
      races_(context.races),
      lanes_(lane_kernels()),
      recorder_(context.program.sites, context.program.counters),
      reaches_(context.program.sites.size()),
      written_(context.memory.written()),
      free_frames_(context.program.functions.size()),
      own_frames_(context.launch.warps_per_block()),
      step_limit_(context.max_steps) {
  for (const SpecialSlot& slot : context.program.functions[0]->warp_specials)
    if (slot.of_block) of_block_.push_back({&slot});
}

void Worker::start_warp(Warp& warp) {
  warp.started = true;
  const FunctionCode& kernel = *context_.program.functions[0];
  Path path;
  path.frame = kernel_frame();
  path.frame->users = 1;
  path.mask = warp.existing;
  path.entering = true;
  warp.stack.push_back(path);
  if (kernel.local_bytes != 0 || warp.local.lane_bytes != 0) {
    warp.local.reserve(kernel.local_bytes);
    std::fill(warp.local.bytes.begin(), warp.local.bytes.end(), std::byte{0});
    warp.local.written.reset(warp.local.bytes.size(), 0);
  }
}

// ---- blocks -----------------------------------------------------------------------------------------

void Worker::start(BlockState& block, std::uint32_t index, bool record) {
  const trace::Launch& launch = context_.launch;
  block.index = index;
  block.record = record;
  block.finished_warps = 0;
  block.printed.clear();
  block.print_is_full = false;
  block.shared.assign(context_.shared_end(), std::byte{0});
  block.shared_written.reset(context_.shared_end(), 0);
  if (context_.request.unwritten && !context_.request.unwritten_is_a_warning) {
    std::fill_n(block.shared.begin(), context_.shared_bytes, *context_.request.unwritten);
    block.shared_written.mark(0, context_.shared_bytes);
  }
  // The system initialises its reserved shared memory to zeros.
  if (context_.reserved_shared != 0)
    block.shared_written.mark(context_.shared_bytes, context_.shared_end() - context_.shared_bytes);
  if (block.begun_barriers != 0) block.barriers.fill({});
  block.begun_barriers = block.gone = 0;
  block.mbarriers.clear();
  block.cluster_barrier = {};
  if (block.products_begun) block.warpgroups.fill({});
  block.products_begun = false;
  block.warps.resize(launch.warps_per_block());
  if (races_ != nullptr) races_->begin_block(index);
  for (std::uint32_t w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    warp.index = w;
    warp.block = index;
    warp.existing = warp.live = launch.lanes_of(w).bits;
    warp.started = warp.blocked = warp.preempted = false;
    warp.poll = {};
    warp.clock_wait = {};
    warp.waited_turns = 0;
    warp.sequence = 0;
    warp.event_next = warp.event_limit = nullptr;
    warp.last_exit = nullptr;
    warp.fenced_product = false;
  }
}

template <Mode mode>
bool Worker::guarded_event(std::uint32_t site, std::uint32_t active, std::uint32_t executed) {
  if (site == no_site) return true;
  if constexpr (mode != Mode::plain) recorder_.occurred(site, static_cast<std::uint32_t>(count_lanes(executed)));
  if constexpr (mode == Mode::events) {
    recorder_.event(*warp_, trace::EventKind::guarded, site, active, executed);
    if (recorder_.watch_reached()) return false;
  }
  return true;
}

[[gnu::always_inline]] inline bool Worker::settle_paths() {
  if (warp_->stack.empty()) return false;
  Path& top = warp_->stack.back();
  top.mask &= warp_->live;
  return (top.mask != 0 && !top.arrived()) || settle_below();
}

// The topmost path has seen nothing new for a while. True if another path of the warp is now the topmost one.
bool Worker::try_other_path() {
  if (warp_->poll.repeats_of_path < patience || warp_->stack.size() <= 1) return false;
  warp_->stack.back().spun = true;
  warp_->poll.repeats_of_path = 0;
  return settle_paths() && switch_path();
}

// ---- the inner loop ---------------------------------------------------------------------------------
//
// What runs once per operation of an inner loop is inlined into run_path() by force: the compiler would call some of
// it, since run_path() exists once per mode and is large. Everything else is called.

template <Mode mode>
[[gnu::always_inline]] inline bool Worker::run_guarded_alu(const Operation& operation, std::uint32_t active) {
  const std::uint32_t executed = executed_lanes(operation, active);
  if constexpr (mode != Mode::plain)
    recorder_.occurred(operation.index, static_cast<std::uint32_t>(count_lanes(executed)));
  if constexpr (mode == Mode::events) {
    recorder_.event(*warp_, trace::EventKind::guarded, operation.index, active, executed);
    if (recorder_.watch_reached()) return false;
  }
  if (executed != 0) (executed == ~0u ? operation.full : operation.masked)(registers_, operation, executed);
  return true;
}

template <Mode mode>
[[gnu::always_inline]] inline bool Worker::memory_access(const Operation& operation, std::uint32_t active) {
  const MemoryOp& memory = memory_of(operation);
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return true;
  if (schedule_ != nullptr) [[unlikely]] {
    if (preempt()) return false;
  }
  if (races_ != nullptr) [[unlikely]]
    watch_access(memory, executed);
  if (memory.move_range != nullptr) [[likely]]
    return access_simple<mode>(memory, active, executed);
  return access<mode>(memory, active, executed);
}

template <Mode mode>
[[gnu::always_inline]] inline Worker::Then Worker::branch(const Operation& operation, Path& path, std::uint32_t active,
                                                          std::int32_t& target) {
  const BranchOp& branch = branch_of(operation);
  const std::uint32_t taken = executed_lanes(operation, active);
  const bool diverges = taken != 0 && taken != active;
  if constexpr (mode != Mode::plain)
    recorder_.branched(branch.site, static_cast<std::uint32_t>(count_lanes(taken)), diverges);
  if constexpr (mode == Mode::events) {
    recorder_.event(*warp_, trace::EventKind::branch, branch.site, active, taken);
    if (recorder_.watch_reached()) return Then::stop;
  }
  if (diverges) {
    if (schedule_ == nullptr && diverge_around(branch, path, taken, active & ~taken)) return Then::resume;
    Way ways[] = {{branch.taken, taken}, {branch.next, active & ~taken}};
    if (schedule_ != nullptr && schedule_->flips()) std::swap(ways[0], ways[1]);
    diverge(branch.reconvergence, ways, 2);
    return Then::resume;
  }
  target = branch.next;
  if (taken != 0) {
    target = branch.taken;
    // Keeps this a branch, which the processor predicts. Otherwise it would have to wait for the comparison of the
    // lanes.
    asm volatile("");
  }
  return Then::jump;
}

[[gnu::always_inline]] inline Worker::Then Worker::leave_block(Path& path, std::int32_t target, std::uint32_t lanes) {
  if (target == function_end) {
    leave_function(path, lanes);
    return Then::resume;
  }
  if (warp_->poll.since_jump && target <= path.block) {
    warp_->poll.since_jump = false;
    if (warp_->poll.repeats != 0) {
      path.block = target;
      path.entering = true;
      return Then::again;
    }
  }
  if (target != path.reconvergence) return Then::jump;
  pop_path();
  return Then::resume;
}

template <Mode mode>
[[gnu::always_inline]] inline Worker::Then Worker::enter_block(Path& path, std::int32_t target, std::uint32_t lanes,
                                                               const Operation*& next) {
  const BlockCode& block = frame_->code->blocks[static_cast<std::size_t>(target)];
  path.block = target;
  path.entering = false;
  next = block.begin;
  EntryCounter& counter = recorder_.entries()[block.counter];
  ++counter.entries;
  counter.lanes += count_lanes(lanes);
  if constexpr (mode == Mode::events) {
    if (block.site != no_site) recorder_.event(*warp_, trace::EventKind::block_entry, block.site, lanes, lanes);
    if (recorder_.watch_reached()) {
      operation_ = nullptr;
      return Then::stop;
    }
  }
  credit_ -= block.instructions;
  if (credit_ >= 0) return Then::next;
  path.next = next;
  return refill() ? Then::over : Then::stop;
}

template <Mode mode>
Worker::Then Worker::lanes_leave(const Operation& operation, Path& path, std::int32_t& target) {
  const BranchOp& branch = branch_of(operation);
  const std::uint32_t active = path.mask, leaving = executed_lanes(operation, active);
  if (!guarded_event<mode>(branch.site, active, leaving)) return Then::stop;
  warp_->last_exit = branch.instruction;
  if (static_cast<Code>(operation.code) == Code::exit) {
    lanes_exit(path, leaving);
  } else {
    leave_function(path, leaving);
  }
  path.mask = active & ~leaving;
  target = branch.next;
  return path.mask == 0 ? Then::resume : Then::jump;
}

template <Mode mode>
bool Worker::refused_or_trap(const Operation& operation, std::uint32_t active) {
  const std::uint32_t executed = executed_lanes(operation, active);
  const bool refused = static_cast<Code>(operation.code) == Code::refused;
  if (refused && executed != 0) {
    fault_ = refusal_of(context_.program.module, current());
    fault_place_ = place_in(*warp_, executed);
    return false;
  }
  if ((!refused || current().guard.present()) && !guarded_event<mode>(operation.index, active, executed)) return false;
  if (executed != 0) trap_fault(executed);
  return executed == 0;
}

template <Mode mode>
bool Worker::run_simple(const Operation& operation, std::uint32_t active) {
  switch (static_cast<Code>(operation.code)) {
    case Code::async_copy:
      return async_copy<mode>(operation, active);
    case Code::async_store:
      return async_store<mode>(operation, active);
    case Code::frame_load:
      return frame_access<mode>(operation, active, true);
    case Code::frame_store:
      return frame_access<mode>(operation, active, false);
    case Code::stack:
      return use_stack<mode>(operation, active);
    case Code::cluster_address:
      return cluster_address<mode>(operation, active);
    case Code::tensor_map:
      return change_tensor_map<mode>(operation, active);
    case Code::texture:
      return texture<mode>(operation, active);
    case Code::clock:
      return clock<mode>(operation, active);
    case Code::order:
      return order<mode>(operation, active);
    case Code::divisor:
      if (some_are_zero(lanes_, registers_ + operation.index, operation.extra))
        check_divisor(operation.index, operation.extra, executed_lanes(operation, active));
      return true;
    case Code::nothing:
      return guarded_event<mode>(operation.index, active, executed_lanes(operation, active));
    case Code::refused:
    case Code::trap:
      return refused_or_trap<mode>(operation, active);
    default:
      assert(false);  // run_path() and run_other() have the others
      return true;
  }
}

template <Mode mode>
Worker::Then Worker::run_other(const Operation& operation, Path& path, std::uint32_t active) {
  const Operation* const here = &operation;
  const auto go_on_at = [&path](const Operation* next) {
    path.next = next;
    path.entering = false;
  };
  const auto unless_done = [&path](Then then) {
    if (then == Then::again) path.waiting = true;
    return then;
  };
  switch (static_cast<Code>(operation.code)) {
    case Code::mbarrier:
      go_on_at(here);
      return unless_done(mbarrier<mode>(operation, active));
    case Code::cluster_barrier:
      go_on_at(here);
      return unless_done(cluster_barrier<mode>(operation, active));
    case Code::product_wait:
      go_on_at(here);
      return unless_done(wait_for_products<mode>(operation, active));
    case Code::bulk_copy:
      go_on_at(here);
      return bulk_copy<mode>(operation, active);
    case Code::tensor_copy:
      go_on_at(here);
      return tensor_copy<mode>(operation, active);
    case Code::tensor:
      go_on_at(here);
      return tensor<mode>(operation, active);
    case Code::shuffle:
    case Code::vote:
    case Code::match:
    case Code::redux:
    case Code::activemask:
    case Code::elect:
    case Code::warp_barrier:
      go_on_at(here);
      return exchange<mode>(operation, active);
    case Code::call:
      go_on_at(here + 1);
      return call<mode>(operation, active);
    default:
      return run_simple<mode>(operation, active) ? Then::next : Then::stop;
  }
}

// The path that is now topmost, if it enters a basic block of the running frame. Else nullptr: run_warp() finds out
// which path can go on, and where.
[[gnu::always_inline]] inline Path* Worker::path_that_enters() {
  if (warp_->stack.empty()) return nullptr;
  Path& top = warp_->stack.back();
  const std::uint32_t lanes = top.mask & warp_->live;
  if (lanes == 0 || !top.entering || top.block == top.reconvergence || top.frame != frame_ ||
      top.state == Path::State::at_barrier)
    return nullptr;
  top.mask = lanes;
  return &top;
}

template <Mode mode>
[[gnu::always_inline]] inline Worker::Then Worker::run_path(Path& first) {
  Path* path = &first;
  frame_ = path->frame;
  std::byte* const registers = registers_ = frame_->file;
  std::uint32_t mask = path->mask;
  const auto handler_for = [](std::uint32_t lanes) { return lanes == ~0u ? &Operation::full : &Operation::masked; };
  Handler Operation::*handler = handler_for(mask);
  std::int32_t target = path->block;
  const Operation* next = path->next;
  Then then = path->entering ? enter_block<mode>(*path, target, mask, next) : Then::next;
  while (then == Then::next) {
    for (; next->kind == OperationKind::alu; ++next) (next->*handler)(registers, *next, mask);
    const Operation& operation = *next;
    operation_ = next;
    if (operation.kind != OperationKind::other) {
      if (operation.kind == OperationKind::alu_guarded) {
        if (!run_guarded_alu<mode>(operation, mask)) return Then::stop;
      } else {
        if (some_are_zero(lanes_, registers + operation.index, operation.code))
          check_divisor(operation.index, operation.code, mask);
        (operation.*handler)(registers, operation, mask);
      }
      ++next;
      continue;
    }
    const auto code = static_cast<Code>(operation.code);
    if (code >= Code::load && code <= Code::atomic) {
      if (!memory_access<mode>(operation, mask)) return preempted_ ? Then::preempted : Then::stop;
      ++next;
      continue;
    }
    switch (code) {
      case Code::jump:
        target = branch_of(operation).taken;
        then = Then::jump;
        break;
      case Code::branch:
        then = branch<mode>(operation, *path, mask, target);
        break;
      case Code::parameter_load:
        if ((mode != Mode::plain || operation.extra != 0) && !parameter_load<mode>(operation, mask)) return Then::stop;
        break;
      case Code::barrier:
        path->next = next + 1;
        path->entering = false;
        then = barrier<mode>(operation, mask);
        break;
      case Code::branch_indexed:
        then = branch_indexed<mode>(operation, mask, target);
        break;
      case Code::return_:
      case Code::exit:
        then = lanes_leave<mode>(operation, *path, target);
        if (then != Then::jump) return then;
        mask = path->mask;
        handler = handler_for(mask);
        break;
      default:
        then = run_other<mode>(operation, *path, mask);
    }
    if (then == Then::next) {
      ++next;
      continue;
    }
    if (then == Then::jump) then = leave_block(*path, target, mask);
    if (then == Then::resume) {
      path = path_that_enters();
      if (path == nullptr) return Then::resume;
      mask = path->mask;
      handler = handler_for(mask);
      target = path->block;
      then = Then::jump;
    }
    if (then == Then::jump) then = enter_block<mode>(*path, target, mask, next);
  }
  return then;
}

template <Mode mode>
Worker::Turn Worker::run_warp(Warp& warp) {
  warp_ = &warp;
  if (!warp.started) start_warp(warp);
  for (;;) {
    if (!settle_paths()) return Turn::finished;
    Path& path = warp.stack.back();
    if (path.state == Path::State::at_barrier) {
      if (!find_path()) return Turn::blocked;
      continue;
    }
    switch (run_path<mode>(path)) {
      case Then::next:
      case Then::jump:
      case Then::resume:
        break;
      case Then::again:
        // The start of a wait is not progress; the end of a phase is. (Paths that wait by turns start waiting
        // endlessly.)
        if (!try_other_path()) return Turn::spinning;
        break;
      case Then::preempted:
        end_turn_early(operation_);
        return Turn::over;
      case Then::blocked:
        return Turn::blocked;
      case Then::over:
        return Turn::over;
      case Then::stop:
        return Turn::stop;
    }
  }
}

template bool Worker::guarded_event<Mode::plain>(std::uint32_t, std::uint32_t, std::uint32_t);
template bool Worker::guarded_event<Mode::totals>(std::uint32_t, std::uint32_t, std::uint32_t);
template bool Worker::guarded_event<Mode::events>(std::uint32_t, std::uint32_t, std::uint32_t);
template Worker::Turn Worker::run_warp<Mode::plain>(Warp&);
template Worker::Turn Worker::run_warp<Mode::totals>(Warp&);
template Worker::Turn Worker::run_warp<Mode::events>(Warp&);

}  // namespace lanescope::sim
