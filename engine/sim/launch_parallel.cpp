// Blocks on several threads. CUDA lets blocks run in any order, and what this program shows must not depend on it: the
// result is that of blocks one after the other, always. So the first block runs alone (often it is the whole launch,
// and its length tells whether other threads are worth their while); then workers take chunks of consecutive blocks,
// each noting the words that it reads, writes and reduces, while reductions without a result wait. If no worker touched
// what another wrote, nothing could tell the difference, and the reductions are applied in the order of blocks. If one
// did, or anything failed, the buffers are put back, or made again by the one who gave them, and all blocks run one
// after the other. Noted are the buffers that the blocks before wrote to; when a worker writes to another one, all is
// put back and tried once more with that one too. Kernels in which blocks are likely to wait for one another do so from
// the start. Events that are likely to exceed their budget are recorded one block after the other until it is used up,
// since the first that come are the ones kept; only then the threads start.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "core/os/cores.h"
#include "sim/event_merge.h"
#include "sim/launch_run.h"

namespace lanescope::sim {

namespace {

// Warp instructions that make the start of threads worth while: about half a millisecond.
constexpr std::uint64_t worth_threads = 50'000;

}  // namespace

int LaunchRun::threads() const {
  return request_.threads > 0 ? request_.threads : usable_cores();
}

HelperThreads& LaunchRun::helpers() {
  if (!helpers_)
    helpers_.emplace(static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(threads()), blocks_)) - 1);
  return *helpers_;
}

// Before anything ran: whether that many would run if each warp came to every instruction four times, as where there
// are loops.
bool LaunchRun::looks_worth_threads() const {
  return std::uint64_t{4} * blocks_ * context_.launch.warps_per_block() * program_.functions[0]->operations.size() >=
         worth_threads;
}

void LaunchRun::run_blocks() {
  const bool alone =
      threads() == 1 || blocks_ < 3 || program_.blocks_may_communicate || request_.races || context_.memory.has_heap();
  // With the arguments in the request still, or made again, nothing need be kept to run again.
  context_.writes.begin(context_.memory, !alone && request_.arguments.empty() && !request_.make_again);
  // They come while the first block runs.
  if (!alone && looks_worth_threads()) helpers();
  bool until_full = false;
  for (std::size_t tries_left = context_.memory.regions().size() + 2; !alone && tries_left != 0; --tries_left) {
    const Attempt attempt = run_together(until_full);
    if (attempt == Attempt::done) return;
    if (!start_again()) return;
    if (attempt == Attempt::conflict || (attempt == Attempt::full && until_full)) break;
    until_full |= attempt == Attempt::full;
  }
  Worker worker(context_, nullptr);
  BlockState block;
  EventStore store = new_store();
  for (std::uint32_t b = 0; b < blocks_ && run_block(worker, block, store, b); ++b) {
  }
  finish(worker, store);
}

// One block after the one before. False when the launch has ended with it.
bool LaunchRun::run_block(Worker& worker, BlockState& block, EventStore& store, std::uint32_t b) {
  worker.recorder().begin_events(store);
  const bool ran = worker.run(block, b, records(b));
  if (block.record) worker.recorder().end_block(block.warps, store);
  if (b == 0) store.expect(blocks_to_record());
  printed_.add(block.printed, block.print_is_full);
  if (ran) {
    count_block();
  } else {
    report(worker);
    worker.discount_unexecuted(block);
  }
  return ran;
}

// The first block alone, and more while it is likely that not all events fit (`until_full`: until one did not); then,
// if that is worth its while, the others on several threads.
LaunchRun::Attempt LaunchRun::run_together(bool until_full) {
  Worker worker(context_, nullptr);
  BlockState block;
  EventStore store = new_store();
  std::uint32_t done = 0;
  std::uint64_t recorded = 0;
  const auto one_more = [&] {
    recorded += records(done);
    return run_block(worker, block, store, done++);
  };
  const auto may_fill = [&] {
    if (store.bytes_left < 0 || recorded == 0) return false;
    const double each = static_cast<double>(store.budget - store.bytes_left) / static_cast<double>(recorded);
    return until_full || each * static_cast<double>(blocks_to_record()) > static_cast<double>(store.budget);
  };
  bool ran = one_more();
  while (ran && done < blocks_ && may_fill()) ran = one_more();
  const std::uint64_t expected = worker.steps() / done * (blocks_ - done);
  if (ran && expected >= worth_threads) return run_parallel(worker, store, done);
  while (ran && done < blocks_) ran = one_more();
  finish(worker, store);
  return Attempt::done;
}

// Memory as it was before the launch, and nothing recorded. False: it cannot be had.
bool LaunchRun::start_again() {
  context_.writes.restore(context_.memory);
  for (const Region& region : context_.memory.regions()) {
    if (region.bytes == 0 || region.argument < 0 || !context_.writes.written(region)) continue;
    const auto argument = static_cast<std::size_t>(region.argument);
    if (!request_.arguments.empty()) {
      std::memcpy(region.data, request_.arguments[argument].contents.data(), region.bytes);
    } else if (request_.make_again) {
      for (Diagnostic& problem : request_.make_again(argument, {region.data, region.bytes}))
        result_.diagnostics.push_back(std::move(problem));
    }
  }
  for (std::size_t i = 0; i < variables_.size(); ++i)
    std::ranges::copy(initial(program_.variables[i]), variables_[i].begin());
  printed_ = {};
  result_.trace.events.clear();
  result_.trace.addresses.clear();
  result_.trace.source_lanes.clear();
  if (request_.progress != nullptr) request_.progress->blocks_done = 0;
  return !has_error(result_.diagnostics);
}

// The blocks from `first` on.
LaunchRun::Attempt LaunchRun::run_parallel(Worker& first_worker, EventStore& first_store, std::uint32_t first) {
  // Consecutive ones are run by several threads at the same time: each in cache lines of its own.
  struct alignas(64) Chunk {
    PrintedText printed;
    std::vector<DeferredReduction> deferred;
  };
  // Made by its own thread, so that what two threads write to does not share a cache line.
  struct Member {
    std::unique_ptr<AccessSets> sets;
    std::unique_ptr<Worker> worker;
  };
  const std::uint32_t left = blocks_ - first;
  const auto count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(left, static_cast<std::uint64_t>(threads()) * 32));
  std::vector<Chunk> chunks(count);
  std::vector<Member> members(static_cast<std::size_t>(helpers().count()) + 1);
  const std::int64_t budget = first_store.bytes_left;
  take_events(first_store);
  EventMerge merge(result_.trace, count);
  const bool has_events = request_.record.totals && request_.record.events;
  std::atomic<std::uint32_t> next_chunk{0};
  std::atomic<std::uint64_t> deferred{0};
  std::atomic<std::uint32_t> last_printing{count};  // behind a chunk that fills printf's buffer nothing is kept
  std::atomic<bool> full{false}, unforeseen{false}, cancelled{false};
  alignas(64) std::atomic<bool> give_up{false};  // read for every block
  alignas(64) std::atomic<std::uint64_t> steps{first_worker.steps()};
  std::atomic<std::int64_t> kept{0};  // bytes, by all chunks

  const auto run_chunk = [&](Worker& worker, BlockState& block, std::uint32_t c) {
    Chunk& chunk = chunks[c];
    EventStore store;
    if (has_events) store = merge.take();
    store.limit_to(budget);
    worker.recorder().begin_events(store);
    // Large chunks first: the smaller the last ones are, the less anybody waits for the others.
    const auto bound = [&](std::uint32_t i) {
      const double share = static_cast<double>(count - i) / count;
      return first + left - static_cast<std::uint32_t>(left * share * share);
    };
    // Counted here for a while, so that the threads do not wait for one another's counts after every block.
    std::uint64_t new_steps = 0;
    std::int64_t new_bytes = 0;
    const auto exceeds = [&] {
      const bool over_budget = budget >= 0 && (kept += std::exchange(new_bytes, 0)) > budget;
      if (over_budget) full = true;
      return (steps += std::exchange(new_steps, 0)) >= context_.max_steps || over_budget;
    };
    for (std::uint32_t b = bound(c); b < bound(c + 1); ++b) {
      if (give_up.load(std::memory_order_relaxed)) return;
      const std::uint64_t steps_before = worker.steps();
      const std::int64_t room_before = store.bytes_left;
      // A block that takes a large share of all steps alone may never end: leave that to the serial run.
      worker.limit_steps(steps_before + context_.max_steps / 16 + Worker::quantum);
      const bool ran = worker.run(block, b, records(b));
      if (block.record) worker.recorder().end_block(block.warps, store);
      if (b == bound(c)) store.expect(bound(c + 1) - b - 1);
      if (!block.printed.empty() || block.print_is_full) {
        if (c <= last_printing.load(std::memory_order_relaxed)) chunk.printed.add(block.printed, block.print_is_full);
        for (std::uint32_t last = last_printing;
             chunk.printed.full && c < last && !last_printing.compare_exchange_weak(last, c);) {
        }
      }
      new_steps += worker.steps() - steps_before;
      new_bytes += room_before - store.bytes_left;
      const bool time_to_add = new_steps >= Worker::quantum || new_bytes >= 1 << 18 || b + 1 == bound(c + 1);
      if (worker.cancelled()) cancelled = true;
      if (worker.wrote_unforeseen()) unforeseen = true;
      if (!ran || worker.wrote_unforeseen() || worker.too_many_deferred() || (time_to_add && exceeds())) {
        give_up = true;
        return;
      }
      count_block();
    }
    if (has_events) merge.put(c, std::move(store));
    deferred += worker.deferred().size();
    chunk.deferred = std::move(worker.deferred());
    worker.deferred().clear();
    if (deferred > Worker::max_deferred) give_up = true;
  };
  const auto work = [&](int i) {
    Member& member = members[static_cast<std::size_t>(i)];
    member.sets = std::make_unique<AccessSets>(context_.memory, context_.writes);
    member.worker = std::make_unique<Worker>(context_, member.sets.get());
    member.worker->copy_written_from(first_worker);
    BlockState block;
    for (;;) {
      const std::uint32_t c = next_chunk++;
      if (c >= count || give_up.load(std::memory_order_relaxed)) break;
      run_chunk(*member.worker, block, c);
    }
    member.worker->finish_sets();
  };
  helpers().run(work);

  if (cancelled) {
    result_.diagnostics.push_back(cancelled_diagnostic());
    return Attempt::done;
  }
  if (unforeseen) return Attempt::unforeseen;
  if (give_up) return full ? Attempt::full : Attempt::conflict;
  std::vector<AccessSets*> views;
  for (const Member& member : members)
    if (member.sets != nullptr) views.push_back(member.sets.get());
  if (AccessSets::conflict(views)) return Attempt::conflict;

  for (Chunk& chunk : chunks) {
    for (const DeferredReduction& reduction : chunk.deferred) {
      const Region& region = *context_.memory.find(reduction.address);
      reduction.apply(reinterpret_cast<void*>(region.host() + reduction.address), reduction.operand, reduction.second);
    }
    printed_.add(chunk.printed.text, chunk.printed.full);
  }
  add_counts(first_worker);
  for (const Member& member : members)
    if (member.worker != nullptr) add_counts(*member.worker);
  merge.finish(helpers());
  events_seen_ += merge.seen();
  // Each frees its own: one after the other on this thread they take a tenth of a millisecond on 16 cores.
  helpers().run([&](int i) { members[static_cast<std::size_t>(i)] = {}; });
  return Attempt::done;
}

}  // namespace lanescope::sim
