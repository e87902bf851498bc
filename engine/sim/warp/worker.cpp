#include "sim/warp/worker.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/tensor/warpgroup.h"

namespace lanescope::sim {

namespace {

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
      recorder_(context.program.sites.size(), context.program.counters),
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
    warp.waited_turns = 0;
    warp.sequence = 0;
    warp.event_next = warp.event_limit = nullptr;
    warp.last_exit = nullptr;
    warp.fenced_product = false;
  }
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

bool Worker::any_runnable(const BlockState& block) const {
  return std::any_of(block.warps.begin(), block.warps.end(),
                     [](const Warp& warp) { return !warp.finished() && !warp.blocked; });
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

template <Mode mode>
bool Worker::take_turn(BlockState& block, Warp& warp) {
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

// The topmost path has seen nothing new for a while. True if another path of the warp is now the topmost one.
bool Worker::try_other_path() {
  if (warp_->poll.repeats_of_path < patience || warp_->stack.size() <= 1) return false;
  warp_->stack.back().spun = true;
  warp_->poll.repeats_of_path = 0;
  return settle_paths() && switch_path();
}

// ---- the inner loop ---------------------------------------------------------------------------------

// An operation after which the path goes on with the next one, unless there is a fault. Inlined into the one place that
// calls it.
template <Mode mode>
inline bool Worker::run_simple(const Operation& operation, std::uint32_t mask) {
  switch (static_cast<Code>(operation.code)) {
    case Code::async_copy:
      return async_copy<mode>(operation, mask);
    case Code::async_store:
      return async_store<mode>(operation, mask);
    case Code::parameter_load:
      return parameter_load<mode>(operation, mask);
    case Code::frame_load:
      return frame_access<mode>(operation, mask, true);
    case Code::frame_store:
      return frame_access<mode>(operation, mask, false);
    case Code::stack:
      return use_stack<mode>(operation, mask);
    case Code::cluster_address:
      return cluster_address<mode>(operation, mask);
    case Code::tensor_map:
      return change_tensor_map<mode>(operation, mask);
    case Code::refused: {
      const std::uint32_t executed = executed_lanes(operation, mask);
      if (executed != 0) {
        fault_ = refusal_of(context_.program.module, current());
        return false;
      }
      if (current().guard.present() && !guarded_event<mode>(operation.index, mask, executed)) return false;
      return true;
    }
    case Code::texture:
      return texture<mode>(operation, mask);
    case Code::clock:
      return clock<mode>(operation, mask);
    case Code::order:
      return order<mode>(operation, mask);
    case Code::nothing:
      return guarded_event<mode>(operation.index, mask, executed_lanes(operation, mask));
    case Code::trap: {
      const std::uint32_t executed = executed_lanes(operation, mask);
      if (!guarded_event<mode>(operation.index, mask, executed)) return false;
      if (executed != 0) {
        trap_fault(executed);
        return false;
      }
      return true;
    }
    default:
      return true;
  }
}

template <Mode mode>
Worker::Turn Worker::run_warp(Warp& warp) {
  warp_ = &warp;
  if (!warp.started) start_warp(warp);
  EntryCounter* const entries = recorder_.entries();

resume:
  if (!settle_paths()) return Turn::finished;
  if (warp.stack.back().state == Path::State::at_barrier) {
    if (!find_path()) return Turn::blocked;
    goto resume;
  }
  Path* const path = &warp.stack.back();
  frame_ = path->frame;
  const FunctionCode& code = *frame_->code;
  std::byte* const registers = registers_ = frame_->file;
  std::uint32_t mask = path->mask;
  bool full = mask == ~0u;
  const Operation* next = path->next;
  std::int32_t target = path->block;
  if (path->entering) goto enter;

execute:
  for (;;) {
    const Operation& operation = *next;
    if (operation.kind == OperationKind::alu) {
      (full ? operation.full : operation.masked)(registers, operation, mask);
      ++next;
      continue;
    }
    if (operation.kind == OperationKind::alu_guarded) {
      const std::uint32_t executed = executed_lanes(operation, mask);
      if constexpr (mode != Mode::plain)
        recorder_.occurred(operation.index, static_cast<std::uint32_t>(count_lanes(executed)));
      if constexpr (mode == Mode::events) {
        recorder_.event(warp, trace::EventKind::guarded, operation.index, mask, executed);
        if (recorder_.watch_reached()) {
          operation_ = next;
          return Turn::stop;
        }
      }
      if (executed != 0) (executed == ~0u ? operation.full : operation.masked)(registers, operation, executed);
      ++next;
      continue;
    }
    operation_ = next;
    switch (static_cast<Code>(operation.code)) {
      case Code::load:
      case Code::store:
      case Code::atomic:
        if (!memory_access<mode>(operation, mask)) {
          if (!preempted_) return Turn::stop;
          end_turn_early(next);
          return Turn::over;
        }
        break;
      case Code::mbarrier:
      case Code::bulk_copy:
      case Code::tensor_copy:
      case Code::cluster_barrier: {
        const auto code_of = static_cast<Code>(operation.code);
        path->next = next;
        path->entering = false;
        const Wait wait = code_of == Code::mbarrier      ? mbarrier<mode>(operation, mask)
                          : code_of == Code::bulk_copy   ? bulk_copy<mode>(operation, mask)
                          : code_of == Code::tensor_copy ? tensor_copy<mode>(operation, mask)
                                                         : cluster_barrier<mode>(operation, mask);
        if (wait == Wait::stop) return Turn::stop;
        if (wait == Wait::preempted) {
          end_turn_early(next);
          return Turn::over;
        }
        if (wait == Wait::done) break;
        // The start of a wait is not progress; the end of a phase is. (Paths that wait by turns start waiting
        // endlessly.)
        path->waiting = true;
        if (try_other_path()) goto resume;
        return Turn::spinning;
      }
      case Code::jump:
        target = code.branches[operation.index].taken;
        goto go;
      case Code::branch: {
        const BranchOp& branch = code.branches[operation.index];
        const std::uint32_t taken = executed_lanes(operation, mask);
        const bool diverges = taken != 0 && taken != mask;
        if constexpr (mode != Mode::plain)
          recorder_.branched(branch.site, static_cast<std::uint32_t>(count_lanes(taken)), diverges);
        if constexpr (mode == Mode::events) recorder_.event(warp, trace::EventKind::branch, branch.site, mask, taken);
        if (mode == Mode::events && recorder_.watch_reached()) return Turn::stop;
        if (diverges) {
          Way ways[] = {{branch.taken, taken}, {branch.next, mask & ~taken}};
          if (schedule_ != nullptr && schedule_->flips()) std::swap(ways[0], ways[1]);
          diverge(branch.reconvergence, ways, 2);
          goto resume;
        }
        target = branch.next;
        if (taken != 0) {
          target = branch.taken;
          // Keeps this a branch, which the processor predicts. Otherwise it would have to wait for the comparison of
          // the lanes.
          asm volatile("");
        }
        goto go;
      }
      case Code::branch_indexed:
        if (branch_indexed<mode>(operation, mask, target)) goto go;
        if (fault_ || recorder_.watch_reached()) return Turn::stop;
        goto resume;
      case Code::return_:
      case Code::exit: {
        const BranchOp& branch = code.branches[operation.index];
        const std::uint32_t leaving = executed_lanes(operation, mask);
        if (!guarded_event<mode>(branch.site, mask, leaving)) return Turn::stop;
        warp.last_exit = &current();
        if (static_cast<Code>(operation.code) == Code::exit) {
          warp.live &= ~leaving;
          lanes_exited();
        } else {
          leave_function(frame_, leaving);
        }
        if (leaving == mask) {
          path->mask = 0;
          goto resume;
        }
        path->mask = mask &= ~leaving;
        full = false;
        target = branch.next;
        goto go;
      }
      case Code::call: {
        path->next = next + 1;
        path->entering = false;
        const CallResult result = call<mode>(operation, mask);
        if (result == CallResult::stop) return Turn::stop;
        if (result == CallResult::entered) goto resume;
        break;
      }
      case Code::barrier: {
        path->next = next + 1;
        path->entering = false;
        const Arrival arrival = barrier<mode>(operation, mask);
        if (arrival == Arrival::stop) return Turn::stop;
        if (arrival == Arrival::wait) return Turn::blocked;
        if (arrival == Arrival::resume) goto resume;
        break;
      }
      case Code::shuffle:
      case Code::vote:
      case Code::match:
      case Code::redux:
      case Code::activemask:
      case Code::elect:
      case Code::tensor:
      case Code::warp_barrier: {
        path->next = next;
        path->entering = false;
        const bool is_tensor = static_cast<Code>(operation.code) == Code::tensor;
        switch (is_tensor ? tensor<mode>(operation, mask) : exchange<mode>(operation, mask)) {
          case Exchange::done:
            break;
          case Exchange::resume:
            goto resume;
          case Exchange::wait:
            return Turn::blocked;
          case Exchange::stop:
            return Turn::stop;
        }
        break;
      }
      default:
        if (!run_simple<mode>(operation, mask)) return Turn::stop;
    }
    ++next;
  }

go:
  if (target == function_end) {
    leave_function(frame_, mask);
    goto resume;
  }
  if (warp.poll.since_jump && target <= path->block) {
    warp.poll.since_jump = false;
    if (warp.poll.repeats != 0) {
      path->block = target;
      path->entering = true;
      if (try_other_path()) goto resume;
      return Turn::spinning;
    }
  }
  if (target == path->reconvergence) {
    pop_path();
    goto resume;
  }

enter : {
  const BlockCode& block = code.blocks[static_cast<std::size_t>(target)];
  path->block = target;
  path->entering = false;
  next = code.operations.data() + block.first;
  EntryCounter& counter = entries[block.counter];
  ++counter.entries;
  counter.lanes += count_lanes(mask);
  if constexpr (mode == Mode::events) {
    if (block.site != no_site) recorder_.event(warp, trace::EventKind::block_entry, block.site, mask, mask);
    if (recorder_.watch_reached()) {
      operation_ = nullptr;
      return Turn::stop;
    }
  }
  credit_ -= block.instructions;
  if (credit_ < 0) {
    path->next = next;
    if (!refill()) return Turn::stop;
    return Turn::over;
  }
  goto execute;
}
}

template bool Worker::guarded_event<Mode::plain>(std::uint32_t, std::uint32_t, std::uint32_t);
template bool Worker::guarded_event<Mode::totals>(std::uint32_t, std::uint32_t, std::uint32_t);
template bool Worker::guarded_event<Mode::events>(std::uint32_t, std::uint32_t, std::uint32_t);
template bool Worker::advance_in<Mode::plain>(BlockState&);
template bool Worker::advance_in<Mode::totals>(BlockState&);
template bool Worker::advance_in<Mode::events>(BlockState&);

}  // namespace lanescope::sim
