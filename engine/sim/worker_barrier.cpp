// Barriers of a block, and what to say when they cannot open.

#include <algorithm>
#include <cstring>

#include "core/text.h"
#include "core/worded.h"
#include "sim/worker.h"

namespace lanescope::sim {

namespace {

std::uint32_t uniform(const std::byte* file, std::uint32_t slot, std::uint32_t lanes) {
  std::uint32_t value;
  std::memcpy(&value, file + slot + static_cast<std::uint32_t>(LaneMask{lanes}.lowest()) * 4, 4);
  return value;
}

// A warp counts for all of its 32 threads once all lanes that exist have arrived.
std::uint32_t threads_of(const Warp& warp, std::uint32_t lanes) {
  return lanes == warp.existing ? 32u : static_cast<std::uint32_t>(LaneMask{lanes}.count());
}

// Warps of which the same lanes do the same.
struct WaitingWarps {
  std::uint32_t first, last;
  Wording lanes, what;
};

}  // namespace

// The executed lanes arrive. `waits`: they may not go on yet.
template <Mode mode>
bool Worker::barrier(const Operation& operation, std::uint32_t active, bool& waits) {
  const BarrierOp& op = frame_->code->barriers[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return true;
  const std::uint32_t number = uniform(registers_, op.number, executed);
  if (!vote_event<mode>(op.site, trace::EventKind::barrier, active, executed, number)) return false;
  const auto all = static_cast<std::uint32_t>(block_->warps.size()) * 32u;
  const std::uint32_t count = op.count == 0 ? all : uniform(registers_, op.count, executed);
  if (number >= block_->barriers.size() || count % 32 != 0 || count == 0) {
    fail(current(), "barrier.bad_operand",
         worded("barrier {} for {} threads: there are barriers 0 to 15, and they count whole warps",
                     number, count),
         "Use a barrier number below 16 and a multiple of 32 threads.");
    return false;
  }
  block_->barriers_used = true;
  Barrier& barrier = block_->barriers[number];
  barrier.expected = std::max(barrier.expected, std::min(count, all));
  barrier.instruction = &current();
  std::uint32_t& lanes = barrier.lanes[warp_->index];
  barrier.arrived -= threads_of(*warp_, lanes) * (lanes != 0 ? 1u : 0u);
  lanes |= executed;
  barrier.arrived += threads_of(*warp_, lanes);
  if (races_ != nullptr) races_->arrive(block_->index, warp_->index, executed, number, op.waits);
  if (op.reduce != BarrierOp::Reduce::none) {
    std::uint32_t predicate;
    std::memcpy(&predicate, registers_ + op.predicate, 4);
    if (op.negated) predicate = ~predicate;
    barrier.votes += static_cast<std::uint32_t>(LaneMask{predicate & executed}.count());
    barrier.voters += static_cast<std::uint32_t>(LaneMask{executed}.count());
  }
  Path& path = warp_->stack.back();
  if (op.waits) {
    path.state = Path::State::at_barrier;
    path.barrier = static_cast<std::uint8_t>(number);
    path.next = &operation + 1;
    path.entering = false;
  }
  if (barrier.arrived >= barrier.expected) open_barrier(barrier, static_cast<std::uint8_t>(number));
  waits = op.waits && path.state == Path::State::at_barrier;
  return true;
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
        LaneMask{lanes}.for_each(
            [&](int lane) { std::memcpy(to + lane * 4, &barrier.votes, 4); });
        continue;
      }
      const bool holds =
          op.reduce == Reduce::all ? barrier.votes == barrier.voters : barrier.votes != 0;
      std::uint32_t predicate;
      std::memcpy(&predicate, to, 4);
      predicate = (predicate & ~lanes) | (holds ? lanes : 0);
      std::memcpy(to, &predicate, 4);
    }
  }
  barrier = {};
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
    list(warp, gone,
         warp.last_exit != nullptr ? worded("exited ({})", line_of(*warp.last_exit)) : "exited");
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
  fault_ = Diagnostic{
      Severity::error, "barrier.not_reached_by_all", context_.place(*waited_for),
      worded("kernel {}, block ({}, {}, {}): {} of {} threads wait at a barrier that the others "
                  "never reach ({} exited{}): {}",
                  context_.kernel_name(), at.x, at.y, at.z, waiting, context_.launch.block.count(),
                  exited, elsewhere != 0 ? worded(", {} wait elsewhere", elsewhere) : "", joined(where, "{}; {}")),
      "Move __syncthreads() out of the condition, so that every thread of the block comes to it; let "
      "threads without work skip the work, not the barrier."};
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
        worded("kernel {}, block ({}, {}, {}), warp {}, {}: the kernel waits here for a value that "
                    "no thread can write any more",
                    context_.kernel_name(), at.x, at.y, at.z, warp.index, lanes_text(lanes)),
        context_.launch.cooperative
            ? "Look for who should write it, and whether it waits itself."
            : "A block may not wait for a later block of the same launch, unless the launch is cooperative."};
    return;
  }
  fail(*context_.program.site_instruction.front(), "run.deadlock",
       worded("kernel {}: no thread of the launch can go on", context_.kernel_name()),
       "Look for threads that wait for one another.");
}

// The instruction itself, or the next, or the last before it, that comes from a line of the source: the moves at a loop's
// head come from none.
static const ptx::Instruction& nearest_with_line(const std::vector<ptx::Instruction>& instructions,
                                                 std::size_t index) {
  for (std::size_t i = index; i < instructions.size(); ++i)
    if (instructions[i].source.line != 0) return instructions[i];
  for (std::size_t i = index; i-- > 0;)
    if (instructions[i].source.line != 0) return instructions[i];
  return instructions[index];
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
  diagnostic.place = context_.place(nearest_with_line(code.source->instructions, instruction));
  diagnostic.message = worded(
      "kernel {} did not end within {} warp instructions: block ({}, {}, {}), warp {} is at line {} with "
      "active mask 0x{:08x}",
      context_.kernel_name(), grouped(step_limit_), at.x, at.y, at.z, warp_->index, diagnostic.place.line, mask);
  diagnostic.cure = "Check that the loop at this line ends.";  // who asked adds how to allow more steps, or to need fewer
  return diagnostic;
}

template bool Worker::barrier<Mode::plain>(const Operation&, std::uint32_t, bool&);
template bool Worker::barrier<Mode::totals>(const Operation&, std::uint32_t, bool&);
template bool Worker::barrier<Mode::events>(const Operation&, std::uint32_t, bool&);

}  // namespace lanescope::sim
