// Barriers of a block.

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/worded.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

std::uint32_t value_in(const std::byte* file, std::uint32_t slot, int lane) {
  std::uint32_t value;
  std::memcpy(&value, file + slot + static_cast<std::uint32_t>(lane) * 4, 4);
  return value;
}

}  // namespace

// barrier() for the frequent case: a barrier of the whole block, at which the warp arrives undiverged.
[[gnu::always_inline]] inline Worker::Then Worker::meet_whole_block(std::uint32_t number, std::uint32_t lanes) {
  const auto warps = static_cast<std::uint32_t>(block_->warps.size());
  Barrier& barrier = block_->barriers[number];
  if ((block_->begun_barriers >> number & 1u) == 0) {
    block_->begun_barriers |= 1u << number;
    barrier.expected = warps * 32;
  } else if (barrier.expected != warps * 32 && !check_barrier(number, warps * 32, true)) {
    return Then::stop;
  }
  barrier.whole_block = true;
  barrier.lanes[warp_->index] = lanes;
  barrier.arrived |= 1u << warp_->index;
  Path& path = warp_->stack.back();
  path.state = Path::State::at_barrier;
  path.barrier = static_cast<std::uint8_t>(number);
  path.spun = false;
  const std::uint32_t all = warps == 32 ? ~0u : (1u << warps) - 1u;
  if (((barrier.arrived | block_->gone) & all) != all) return Then::blocked;
  open_barrier(barrier, static_cast<std::uint8_t>(number));
  return Then::next;
}

template <Mode mode>
Worker::Then Worker::barrier(const Operation& operation, std::uint32_t active) {
  const BarrierOp& op = frame_->code->barriers[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return Then::next;
  if (Path& path = warp_->stack.back(); path.overtakes) {
    path.state = Path::State::at_barrier;
    path.barrier = Path::no_barrier;
    return Then::resume;
  }
  const std::uint32_t number = value_in(registers_, op.number, LaneMask{executed}.lowest());
  if (!vote_event<mode>(op.site, trace::EventKind::barrier, active, executed, number)) return Then::stop;
  if (op.of_whole_block && warp_->stack.size() == 1 && executed == warp_->live && races_ == nullptr &&
      number < block_->barriers.size())
    return meet_whole_block(number, executed);
  return meet(op, active, executed);
}

// Each executed lane arrives at the barrier that it names. Lanes that wait at the same barrier move to a path of their
// own; the other lanes continue.
Worker::Then Worker::meet(const BarrierOp& op, std::uint32_t active, std::uint32_t executed) {
  const auto number_of = [&](int lane) { return value_in(registers_, op.number, lane); };
  const auto all = static_cast<std::uint32_t>(block_->warps.size()) * 32u;
  const auto count_of = [&](int lane) { return op.count == 0 ? all : value_in(registers_, op.count, lane); };
  std::uint32_t staying = active;
  for (std::uint32_t left = executed; left != 0;) {
    const int lowest = LaneMask{left}.lowest();
    const std::uint32_t number = number_of(lowest), count = count_of(lowest);
    if (!check_barrier(number, count, op.count == 0)) return Then::stop;
    std::uint32_t lanes = left;
    if (!op.same_in_all)
      LaneMask{left}.for_each([&](int lane) {
        if (number_of(lane) != number || count_of(lane) != count) lanes &= ~(1u << lane);
      });
    left &= ~lanes;
    staying &= ~lanes;
    Path& path = staying != 0 ? part_off(lanes) : warp_->stack.back();
    path.state = Path::State::at_barrier;
    path.barrier = static_cast<std::uint8_t>(number);
    arrive(op, number, count, lanes);
  }
  const Path& top = warp_->stack.back();
  return staying == 0 && top.mask == active && top.state == Path::State::runnable ? Then::next : Then::resume;
}

// Refuses uses that never end on an H200 (more threads than the block has) or that are undefined.
bool Worker::check_barrier(std::uint32_t number, std::uint32_t count, bool whole_block) {
  const auto all = static_cast<std::uint32_t>(block_->warps.size()) * 32u;
  if (number >= block_->barriers.size() || count % 32 != 0 || count == 0) {
    fail(current(), "barrier.bad_operand",
         worded("barrier {} for {} threads: only barriers 0 to 15 exist, and they count whole warps", number, count),
         "Use a barrier number below 16 and a multiple of 32 threads.");
    return false;
  }
  if (count > all) {
    fail(current(), "barrier.bad_operand",
         worded("barrier {} expects {} threads, but the block has {}", number, count, context_.launch.block.count()),
         "Use a thread count that is no larger than the block.");
    return false;
  }
  const Barrier& barrier = block_->barriers[number];
  if ((block_->begun_barriers >> number & 1u) == 0 || barrier.expected == count) return true;
  fail(current(), "barrier.bad_operand",
       worded("barrier {} is called for {} threads, but threads already waiting there called it for {}", number,
              whole_block ? context_.launch.block.count() : count,
              barrier.whole_block ? context_.launch.block.count() : barrier.expected),
       "Use the same thread count in every call that meets at this barrier.");
  return false;
}

// `lanes` of the running warp arrive. Their path is already waiting.
void Worker::arrive(const BarrierOp& op, std::uint32_t number, std::uint32_t count, std::uint32_t lanes) {
  Barrier& barrier = block_->barriers[number];
  block_->begun_barriers |= 1u << number;
  barrier.expected = count;
  barrier.whole_block |= op.count == 0;
  barrier.lanes[warp_->index] |= lanes;
  if (races_ != nullptr) races_->arrive(block_->index, warp_->index, lanes, number, op.waits);
  if (op.reduce != BarrierOp::Reduce::none) {
    std::uint32_t predicate;
    std::memcpy(&predicate, registers_ + op.predicate, 4);
    if (op.negated) predicate = ~predicate;
    barrier.votes += static_cast<std::uint32_t>(LaneMask{predicate & lanes}.count());
    barrier.voters += static_cast<std::uint32_t>(LaneMask{lanes}.count());
  }
  open_if_complete(number);
}

// "As threads exit, barriers waiting on all threads are checked" ("PTX ISA", exit). Other barriers wait for the stated
// number of warps. But no barrier waits for exited lanes of a warp that arrives.
void Worker::lanes_exited() {
  if (warp_->live == 0) block_->gone |= 1u << warp_->index;
  LaneMask{block_->begun_barriers}.for_each([&](int number) { open_if_complete(static_cast<std::uint32_t>(number)); });
}

// Must be called whenever lanes of the running warp have arrived at the barrier or exited.
void Worker::open_if_complete(std::uint32_t number) {
  Barrier& barrier = block_->barriers[number];
  const std::uint32_t lanes = barrier.lanes[warp_->index];
  if (lanes != 0 && (warp_->live & ~lanes) == 0) {
    barrier.arrived |= 1u << warp_->index;
    // A path that only arrives (bar.arrive) waits only for its own warp.
    for (Path& path : warp_->stack) {
      if (path.state != Path::State::at_barrier || path.barrier != number) continue;
      if (!path.frame->code->barriers[(path.next - 1)->index].waits) path.state = Path::State::runnable;
    }
  }
  const LaneMask warps{barrier.arrived | (barrier.whole_block ? block_->gone : 0)};
  if (static_cast<std::uint32_t>(warps.count()) * 32 >= barrier.expected)
    open_barrier(barrier, static_cast<std::uint8_t>(number));
}

void Worker::open_barrier(Barrier& barrier, std::uint8_t number) {
  progressed_ = true;
  if (races_ != nullptr) races_->open(block_->index, number);
  for (Warp& warp : block_->warps) {
    if (std::exchange(barrier.lanes[warp.index], 0) == 0) continue;
    for (Path& path : warp.stack) {
      if (path.state != Path::State::at_barrier || path.barrier != number) continue;
      path.state = Path::State::runnable;
      warp.blocked = false;
      if (barrier.voters == 0) continue;
      const Operation& operation = *(path.next - 1);
      const BarrierOp& op = path.frame->code->barriers[operation.index];
      using Reduce = BarrierOp::Reduce;
      if (op.reduce == Reduce::none) continue;
      const std::uint32_t lanes = path.mask & warp.live;
      std::byte* const to = path.frame->file + op.dst;
      if (op.reduce == Reduce::popc) {
        LaneMask{lanes}.for_each([&](int lane) { std::memcpy(to + lane * 4, &barrier.votes, 4); });
        continue;
      }
      const bool holds = op.reduce == Reduce::all ? barrier.votes == barrier.voters : barrier.votes != 0;
      std::uint32_t predicate;
      std::memcpy(&predicate, to, 4);
      predicate = (predicate & ~lanes) | (holds ? lanes : 0);
      std::memcpy(to, &predicate, 4);
    }
  }
  // All lanes are 0 again.
  barrier.expected = barrier.arrived = barrier.votes = barrier.voters = 0;
  barrier.whole_block = false;
  block_->begun_barriers &= ~(1u << number);
}

template Worker::Then Worker::barrier<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::barrier<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::barrier<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
