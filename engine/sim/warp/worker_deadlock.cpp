// The messages for a block that cannot continue or does not end.

#include <algorithm>

#include "core/text.h"
#include "core/worded.h"
#include "sim/warp/mbarrier.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

constexpr std::size_t most_groups = 8;  // groups named in a message

}  // namespace

Wording missing_of(const MbarrierState& state) {
  if (state.transaction == 0) return worded("{} of {} arrivals", state.pending, state.expected);
  if (state.transaction < 0)
    return worded("{} of {} arrivals, and {} bytes came that it did not expect", state.pending, state.expected,
                  -state.transaction);
  return worded("{} of {} arrivals and {} bytes", state.pending, state.expected, state.transaction);
}

// What the threads of a block are doing.
struct Worker::Waiters {
  // Warps whose same lanes do the same.
  struct Group {
    std::uint32_t first, last;
    Wording lanes, what;
  };
  std::vector<Group> groups;
  const ptx::Instruction* waited_for = nullptr;  // the first barrier
  const Warp* first_warp = nullptr;              // that waits there
  std::uint64_t at_barriers = 0, at_mbarriers = 0, exited = 0, elsewhere = 0;

  Wording where() const {
    std::vector<Wording> parts;
    for (std::size_t i = 0; i < std::min(groups.size(), most_groups); ++i) {
      const auto& [first, last, lanes, what] = groups[i];
      parts.push_back(first == last ? worded("warp {} {} {}", first, lanes, what)
                                    : worded("warps {}–{} {} {}", first, last, lanes, what));
    }
    if (groups.size() > most_groups) parts.push_back(worded("{} more", groups.size() - most_groups));
    return joined(parts, "{}; {}");
  }
};

Worker::Waiters Worker::find_waiters(const BlockState& block) const {
  Waiters found;
  const auto list = [&](const Warp& warp, std::uint32_t lanes, const Wording& what) {
    const Wording who = lanes_text(lanes);
    const auto same = std::ranges::find_if(found.groups, [&](const Waiters::Group& group) {
      return group.last + 1 == warp.index && group.lanes == who && group.what == what;
    });
    if (same != found.groups.end())
      same->last = warp.index;
    else
      found.groups.push_back({warp.index, warp.index, who, what});
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
      const auto count = static_cast<std::uint64_t>(LaneMask{lanes}.count());
      const bool polls = i + 1 == warp.stack.size() && !warp.blocked && warp.poll.site != no_site;
      if (path.state == Path::State::at_barrier && !path.overtakes) {
        const auto index = static_cast<std::size_t>(path.next - 1 - code.operations.data());
        const auto number = static_cast<std::size_t>(code.instruction_of[index]);
        const ptx::Instruction& instruction = code.source->instructions[number];
        if (found.waited_for == nullptr) found.waited_for = &instruction, found.first_warp = &warp;
        found.at_barriers += count;
        list(warp, lanes, worded("wait at barrier {} ({})", path.barrier, line_of(instruction)));
      } else if (polls) {
        const bool at_object = warp.poll.mbarrier != Poll::no_mbarrier;
        (at_object ? found.at_mbarriers : found.elsewhere) += count;
        const Wording line = line_of(*context_.program.site_instruction[warp.poll.site]);
        list(warp, lanes,
             warp.poll.mbarrier == RaceDetector::cluster_object
                 ? worded("wait at the barrier of the cluster ({})", line)
             : at_object && RaceDetector::is_product_object(warp.poll.mbarrier)
                 ? worded("wait for the other warps of a wgmma ({})", line)
             : at_object ? worded("wait at the mbarrier at 0x{:x} ({})", warp.poll.mbarrier, line)
                         : worded("wait for a value ({})", line));
      } else {
        found.elsewhere += count;
        list(warp, lanes, "wait for other lanes of their warp");
      }
    }
    const std::uint32_t gone = warp.existing & ~warp.live;
    if (gone == 0) continue;
    found.exited += static_cast<std::uint64_t>(LaneMask{gone}.count());
    list(warp, gone, warp.last_exit != nullptr ? worded("exited ({})", line_of(*warp.last_exit)) : "exited");
  }
  return found;
}

// No warp of the block can run: some wait at a barrier that the others will never reach.
void Worker::diagnose_stuck(const BlockState& block) {
  const Dim3 at = context_.launch.grid.at(block.index);
  Waiters waiters = find_waiters(block);
  if (waiters.waited_for == nullptr) waiters.waited_for = context_.program.kernel->instructions.data();
  fault_ = Diagnostic{
      Severity::error, "barrier.not_reached_by_all", context_.place(*waiters.waited_for),
      worded("kernel {}, block ({}, {}, {}): {} of {} threads wait at a barrier that the others "
             "never reach ({} exited{}): {}",
             context_.short_kernel_name(), at.x, at.y, at.z, waiters.at_barriers, context_.launch.block.count(),
             waiters.exited, waiters.elsewhere != 0 ? worded(", {} wait elsewhere", waiters.elsewhere) : "",
             waiters.where()),
      "Move __syncthreads() out of the condition so that every thread of the block that has not exited "
      "reaches it. Threads "
      "without work should skip the work, not the barrier."};
  fault_place_ = place_in(waiters.first_warp != nullptr ? *waiters.first_warp : block.warps.front(), 0);
}

// For a warp that waits for an mbarrier or for the cluster's barrier.
void Worker::diagnose_mbarrier(const BlockState& block, const Warp& warp) {
  const Dim3 at = context_.launch.grid.at(block.index);
  const ptx::Instruction& instruction = *context_.program.site_instruction[warp.poll.site];
  const Waiters waiters = find_waiters(block);
  if (warp.poll.mbarrier == RaceDetector::cluster_object) {
    std::vector<Wording> where{waiters.where()};
    for (const BlockState* other : block.cluster) {
      if (other == &block || other->done()) continue;
      const Dim3 there = context_.launch.grid.at(other->index);
      where.push_back(worded("block ({}, {}, {}): {}", there.x, there.y, there.z, find_waiters(*other).where()));
    }
    fail(instruction, "barrier.not_reached_by_all",
         worded(
             "kernel {}, block ({}, {}, {}): {} threads wait at the barrier of the cluster, at which the others never "
             "arrive: {}",
             context_.short_kernel_name(), at.x, at.y, at.z, waiters.at_mbarriers, joined(where, "{}; {}")),
         "Let every thread that has not exited arrive at the barrier of the cluster.");
    return;
  }
  if (RaceDetector::is_product_object(warp.poll.mbarrier)) {
    fail(instruction, "tensor.incomplete_warpgroup",
         worded("kernel {}, block ({}, {}, {}): {} threads wait for a wgmma that other warps of their warpgroup never "
                "reach: {}",
                context_.short_kernel_name(), at.x, at.y, at.z, waiters.at_mbarriers, waiters.where()),
         "Let all 128 threads of the warpgroup take the same way to each wgmma.");
    return;
  }
  const auto known = block.mbarriers.find(warp.poll.mbarrier);
  const MbarrierState state = known == block.mbarriers.end() ? MbarrierState{} : MbarrierState::of(known->second);
  fail(instruction, "run.deadlock",
       worded(
           "kernel {}, block ({}, {}, {}): {} of {} threads wait for a phase of the mbarrier at shared address 0x{:x} "
           "that never ends, because it lacks {} ({} threads exited): {}",
           context_.short_kernel_name(), at.x, at.y, at.z, waiters.at_mbarriers, context_.launch.block.count(),
           warp.poll.mbarrier, missing_of(state), waiters.exited, waiters.where()),
       "Make the number of arrivals that it was initialised for equal to the arrivals that come, the expected bytes "
       "equal to those that are copied, and let each phase be waited for by its own token or parity.");
}

// All warps run, but none of them sees anything new.
void Worker::diagnose_deadlock(const BlockState& block) {
  for (const Warp& warp : block.warps)
    if (!warp.finished() && !warp.blocked && warp.poll.mbarrier != Poll::no_mbarrier) {
      diagnose_mbarrier(block, warp);
      fault_place_ = place_in(warp, 0);
      return;
    }
  for (const Warp& warp : block.warps) {
    if (warp.finished() || warp.poll.site == no_site) continue;
    const Dim3 at = context_.launch.grid.at(block.index);
    const ptx::Instruction& instruction = *context_.program.site_instruction[warp.poll.site];
    const std::uint32_t lanes = warp.stack.empty() ? 0 : warp.stack.back().mask & warp.live;
    const Region* region = reaches_[warp.poll.site].region;
    const Wording value = region == nullptr ? Wording("a value") : worded("a value in {}", region->shown_name());
    const DeviceAllocation* memory = region == nullptr ? nullptr : region->allocation;
    // Another thread of the block, which waits at a barrier, may be the one that should write it.
    const bool within_block = context_.launch.grid.count() == 1 ||
                              std::ranges::any_of(block.barriers, [](const Barrier& one) { return one.arrived != 0; });
    const bool host_sees_it = memory != nullptr && reinterpret_cast<std::uint64_t>(memory->data) == memory->address;
    fault_ = Diagnostic{
        Severity::error, "run.deadlock", context_.place(instruction),
        worded("kernel {}, block ({}, {}, {}), warp {}, {}: the kernel waits here for {} that no running thread can "
               "write",
               context_.short_kernel_name(), at.x, at.y, at.z, warp.index, lanes_text(lanes), value),
        host_sees_it ? "If the host should write this value, let it do so before the launch: here a launch ends before "
                       "the host goes on. Else find the thread that should write it, and check whether it waits too."
        : !context_.request.device_memory.empty()
            ? "Find the thread that should write this value, and check whether it "
              "is waiting too. The host cannot write "
              "it: here a launch ends before the host goes on."
        : context_.launch.cooperative || context_.all_resident || within_block
            ? "Find the thread that should write this value, and check whether it is waiting too."
            : "Do not let a block wait for a later block of the same launch, or make the launch cooperative."};
    fault_place_ = place_in(warp, 0);
    return;
  }
  fail(*context_.program.site_instruction.front(), "run.deadlock",
       worded("kernel {}: no thread of the launch can continue", context_.short_kernel_name()),
       "Look for threads that wait for each other.");
}

Diagnostic Worker::unfinished_diagnostic() const {
  Diagnostic diagnostic{Severity::error, cancelled_ ? "run.cancelled" : "run.step_budget", {}, "", ""};
  const Dim3 at = context_.launch.grid.at(block_->index);
  const Path* path = warp_->started && !warp_->stack.empty() ? &warp_->stack.back() : nullptr;
  const FunctionCode& code = path != nullptr ? *path->frame->code : *context_.program.functions.front();
  std::size_t instruction = 0;  // for a warp that has not started: the kernel's first
  if (path != nullptr) {
    const auto index = static_cast<std::size_t>(path->next - code.operations.data());
    instruction = static_cast<std::size_t>(code.instruction_of[index]);
  }
  const std::uint32_t mask = path != nullptr ? path->mask : warp_->live;
  diagnostic.place = context_.place(code.source->instructions[instruction]);
  if (cancelled_) {
    diagnostic.message =
        worded("kernel {} was stopped: block ({}, {}, {}), warp {} was at line {} with active mask 0x{:08x}",
               context_.short_kernel_name(), at.x, at.y, at.z, warp_->index, diagnostic.place.line, mask);
    diagnostic.cure = "If the loop at this line never ends, mend its condition.";
    return diagnostic;
  }
  diagnostic.message = worded(
      "kernel {} did not end within {} warp instructions: block ({}, {}, {}), warp {} is at line {} with "
      "active mask 0x{:08x}",
      context_.short_kernel_name(), grouped(step_limit_), at.x, at.y, at.z, warp_->index, diagnostic.place.line, mask);
  diagnostic.cure =
      "Check that the loop at this line ends.";  // the caller adds how to allow more steps, or how to need fewer
  return diagnostic;
}

}  // namespace lanescope::sim
