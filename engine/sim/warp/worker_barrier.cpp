// Barriers of a block, and what to say when they cannot open.

#include <algorithm>
#include <cstring>

#include "core/text.h"
#include "core/worded.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

std::uint32_t value_in(const std::byte* file, std::uint32_t slot, int lane) {
  std::uint32_t value;
  std::memcpy(&value, file + slot + static_cast<std::uint32_t>(lane) * 4, 4);
  return value;
}

// Warps of which the same lanes do the same.
struct WaitingWarps {
  std::uint32_t first, last;
  Wording lanes, what;
};

}  // namespace

// The executed lanes arrive, each at the barrier that it names; a path comes apart into those that wait at one and
// those that go on.
template <Mode mode>
Worker::Arrival Worker::barrier(const Operation& operation, std::uint32_t active) {
  const BarrierOp& op = frame_->code->barriers[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return Arrival::go_on;
  const auto number_of = [&](int lane) { return value_in(registers_, op.number, lane); };
  const auto all = static_cast<std::uint32_t>(block_->warps.size()) * 32u;
  const auto count_of = [&](int lane) { return op.count == 0 ? all : value_in(registers_, op.count, lane); };
  if (!vote_event<mode>(op.site, trace::EventKind::barrier, active, executed, number_of(LaneMask{executed}.lowest())))
    return Arrival::stop;
  std::uint32_t staying = active;
  for (std::uint32_t left = executed; left != 0;) {
    const int lowest = LaneMask{left}.lowest();
    const std::uint32_t number = number_of(lowest), count = count_of(lowest);
    if (!check_barrier(number, count, op.count == 0)) return Arrival::stop;
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
  return staying == 0 && top.mask == active && top.state == Path::State::runnable ? Arrival::go_on : Arrival::resume;
}

// What is refused here never ends on an H200 (more threads than the block has), or has no meaning.
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

// `lanes` of the running warp, whose path waits already.
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

// "As threads exit, barriers waiting on all threads are checked" ("PTX ISA", exit). The others wait for so many warps
// as they were told to; but of a warp, no barrier waits for lanes that have exited.
void Worker::lanes_exited() {
  if (warp_->live == 0) block_->gone |= 1u << warp_->index;
  LaneMask{block_->begun_barriers}.for_each([&](int number) { open_if_complete(static_cast<std::uint32_t>(number)); });
}

// Called whenever lanes of the running warp have come to the barrier or exited.
void Worker::open_if_complete(std::uint32_t number) {
  Barrier& barrier = block_->barriers[number];
  const std::uint32_t lanes = barrier.lanes[warp_->index];
  if (lanes != 0 && (warp_->live & ~lanes) == 0) {
    barrier.arrived |= 1u << warp_->index;
    // Who only arrives waits for its own warp alone.
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
    if (barrier.lanes[warp.index] == 0) continue;
    for (Path& path : warp.stack) {
      if (path.state != Path::State::at_barrier || path.barrier != number) continue;
      path.state = Path::State::runnable;
      warp.blocked = false;
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
  barrier = {};
  block_->begun_barriers &= ~(1u << number);
}

// No warp of the block can run: somebody waits at a barrier that the others will never reach.
void Worker::diagnose_stuck(const BlockState& block) {
  const Dim3 at = context_.launch.grid.at(block.index);
  std::vector<WaitingWarps> groups;
  const ptx::Instruction* waited_for = nullptr;
  std::uint64_t waiting = 0, exited = 0, elsewhere = 0;
  const auto list = [&](const Warp& warp, std::uint32_t lanes, const Wording& what) {
    const Wording who = lanes_text(lanes);
    const auto same = std::ranges::find_if(groups, [&](const WaitingWarps& group) {
      return group.last + 1 == warp.index && group.lanes == who && group.what == what;
    });
    if (same != groups.end())
      same->last = warp.index;
    else
      groups.push_back({warp.index, warp.index, who, what});
  };
  const auto line_of = [&](const ptx::Instruction& instruction) {
    const SourcePlace place = context_.place(instruction);
    return worded("line {}", place.line);
  };
  for (const Warp& warp : block.warps) {
    for (std::size_t i = 0; i < warp.stack.size(); ++i) {
      const Path& path = warp.stack[i];
      const std::uint32_t lanes = warp.arrived(i);
      if (lanes == 0) continue;
      const FunctionCode& code = *path.frame->code;
      const auto instruction_at = [&](const Operation* operation) -> const ptx::Instruction& {
        const auto index = static_cast<std::size_t>(operation - code.operations.data());
        return code.source->instructions[static_cast<std::size_t>(code.instruction_of[index])];
      };
      if (path.state == Path::State::at_barrier) {
        const ptx::Instruction& instruction = instruction_at(path.next - 1);
        if (waited_for == nullptr) waited_for = &instruction;
        waiting += static_cast<std::uint64_t>(LaneMask{lanes}.count());
        list(warp, lanes, worded("wait at barrier {} ({})", path.barrier, line_of(instruction)));
      } else {
        elsewhere += static_cast<std::uint64_t>(LaneMask{lanes}.count());
        list(warp, lanes, "wait for other lanes of their warp");
      }
    }
    const std::uint32_t gone = warp.existing & ~warp.live;
    if (gone == 0) continue;
    exited += static_cast<std::uint64_t>(LaneMask{gone}.count());
    list(warp, gone, warp.last_exit != nullptr ? worded("exited ({})", line_of(*warp.last_exit)) : "exited");
  }
  std::vector<Wording> where;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(groups.size(), most); ++i) {
    const auto& [first, last, lanes, what] = groups[i];
    where.push_back(first == last ? worded("warp {} {} {}", first, lanes, what)
                                  : worded("warps {}–{} {} {}", first, last, lanes, what));
  }
  if (groups.size() > most) where.push_back(worded("{} more", groups.size() - most));
  if (waited_for == nullptr) waited_for = context_.program.kernel->instructions.data();
  fault_ = Diagnostic{Severity::error, "barrier.not_reached_by_all", context_.place(*waited_for),
                      worded("kernel {}, block ({}, {}, {}): {} of {} threads wait at a barrier that the others "
                             "never reach ({} exited{}): {}",
                             context_.kernel_name(), at.x, at.y, at.z, waiting, context_.launch.block.count(), exited,
                             elsewhere != 0 ? worded(", {} wait elsewhere", elsewhere) : "", joined(where, "{}; {}")),
                      "Move __syncthreads() out of the condition so that every thread of the block that has not exited "
                      "reaches it. Threads "
                      "without work should skip the work, not the barrier."};
}

// Everybody runs, but nobody sees anything new.
void Worker::diagnose_deadlock(const BlockState& block) {
  for (const Warp& warp : block.warps) {
    if (warp.finished() || warp.poll.site == no_site) continue;
    const Dim3 at = context_.launch.grid.at(block.index);
    const ptx::Instruction& instruction = *context_.program.site_instruction[warp.poll.site];
    const std::uint32_t lanes = warp.stack.empty() ? 0 : warp.stack.back().mask & warp.live;
    fault_ = Diagnostic{
        Severity::error, "run.deadlock", context_.place(instruction),
        worded("kernel {}, block ({}, {}, {}), warp {}, {}: the kernel waits here for a value that no running thread "
               "can write",
               context_.kernel_name(), at.x, at.y, at.z, warp.index, lanes_text(lanes)),
        context_.launch.cooperative
            ? "Find the thread that should write this value, and check whether it is waiting too."
            : "Do not let a block wait for a later block of the same launch, or make the launch cooperative."};
    return;
  }
  fail(*context_.program.site_instruction.front(), "run.deadlock",
       worded("kernel {}: no thread of the launch can continue", context_.kernel_name()),
       "Look for threads that wait for each other.");
}

Diagnostic Worker::step_budget_diagnostic() const {
  Diagnostic diagnostic{Severity::error, "run.step_budget", {}, "", ""};
  const Dim3 at = context_.launch.grid.at(block_->index);
  const Path* path = warp_->started && !warp_->stack.empty() ? &warp_->stack.back() : nullptr;
  const FunctionCode& code = path != nullptr ? *path->frame->code : *context_.program.functions.front();
  std::size_t instruction = 0;  // of a warp that has not begun: the kernel's first
  if (path != nullptr) {
    const auto index = static_cast<std::size_t>(path->next - code.operations.data());
    instruction = static_cast<std::size_t>(code.instruction_of[index]);
  }
  const std::uint32_t mask = path != nullptr ? path->mask : warp_->live;
  diagnostic.place = context_.place(code.source->instructions[instruction]);
  diagnostic.message = worded(
      "kernel {} did not end within {} warp instructions: block ({}, {}, {}), warp {} is at line {} with "
      "active mask 0x{:08x}",
      context_.kernel_name(), grouped(step_limit_), at.x, at.y, at.z, warp_->index, diagnostic.place.line, mask);
  diagnostic.cure =
      "Check that the loop at this line ends.";  // who asked adds how to allow more steps, or to need fewer
  return diagnostic;
}

template Worker::Arrival Worker::barrier<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Arrival Worker::barrier<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Arrival Worker::barrier<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
