// Blocks on several threads. CUDA allows any order of blocks, but the result that this program shows must not depend on
// it: it is always that of blocks one after the other.
//
// The first block runs alone. Often it is the whole launch, and its length tells whether threads are worthwhile. Then
// workers take chunks of consecutive blocks. Each worker notes the words that it reads, writes and reduces; reductions
// without a result are deferred. If no worker accessed what another one wrote, the order cannot matter, and the
// deferred reductions are applied in the order of blocks. If one did, or if anything failed, the buffers are restored
// (or made again by the caller), and all blocks run one after the other.
//
// Only buffers that the earlier blocks wrote to are watched. If a worker writes to another buffer, everything is
// restored and tried again with that buffer watched too. Kernels whose blocks are likely to wait for each other run one
// block after the other from the start. If the events are likely to exceed their budget, blocks are recorded one after
// the other until it is used up, because the first events are the ones to keep; only then the threads start.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "core/architecture.h"
#include "core/os/cores.h"
#include "core/worded.h"
#include "sim/event_merge.h"
#include "sim/launch_check.h"
#include "sim/launch_run.h"
#include "sim/races/races.h"

namespace lanescope::sim {

namespace {

// The number of warp instructions for which starting threads is worthwhile: about half a millisecond.
constexpr std::uint64_t worth_threads = 50'000;

// Warp instructions of a block that others may be keeping waiting: a fraction of a second.
constexpr std::uint64_t long_block = std::uint64_t{1} << 23;

}  // namespace

int LaunchRun::threads() const {
  return request_.threads > 0 ? request_.threads : usable_cores();
}

HelperThreads& LaunchRun::helpers() {
  if (!helpers_)
    helpers_.emplace(static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(threads()), blocks_)) - 1);
  return *helpers_;
}

// A guess before anything has run: whether that many are executed if each warp executes every instruction four times,
// as with loops.
bool LaunchRun::looks_worth_threads() const {
  return std::uint64_t{4} * blocks_ * context_.launch.warps_per_block() * program_.functions[0]->operations.size() >=
         worth_threads;
}

// Whether all blocks of the launch are resident on the imitated GPU from its beginning.
bool LaunchRun::all_blocks_fit() const {
  const MultiprocessorLimits limits =
      multiprocessor_limits(request_.arch).value_or(*multiprocessor_limits(imitated_gpu::arch));
  return blocks_ <= resident_blocks(limits, context_.launch, request_.multiprocessors);
}

// Whether a block may see what a later one writes, and a GPU runs both at once.
bool LaunchRun::may_wait_for_later_blocks() const {
  return blocks_ > 1 && program_.blocks_may_communicate && !context_.memory.has_heap() && all_blocks_fit();
}

// One block after the other, a block would not end. A loop that reads several words, and finds something else each
// time, is not known to wait: so a block that runs for long is taken for one that may.
void LaunchRun::limit_steps_of(std::uint32_t block, Worker& worker) const {
  const bool is_last = block + 1 == blocks_;
  worker.limit_steps(is_last ? context_.max_steps : std::min(context_.max_steps, worker.steps() + long_block));
}

// One block after the other, a block waited for a later one, or may have (no `deadlock`). A GPU on which all blocks are
// resident completes such a launch, although CUDA does not promise it unless the launch is cooperative.
void LaunchRun::run_all_resident(const Diagnostic* deadlock, std::optional<RaceDetector>& races) {
  result_.diagnostics.pop_back();  // the deadlock, or that the steps are used up
  result_.fault.reset();
  if (!start_again()) return;
  if (races) watch_for_races(races);
  context_.all_resident = true;
  run_cooperatively();
  if (deadlock == nullptr || has_error(result_.diagnostics)) return;
  result_.diagnostics.push_back(
      {Severity::warning, "run.waits_for_later_block", deadlock->place,
       worded("kernel {}: a block waits here for a later block of the launch; this ends only because all {} blocks are "
              "resident at once",
              context_.short_kernel_name(), blocks_),
       "Make the launch cooperative: then all of its blocks are resident on every GPU, or it is refused."});
}

void LaunchRun::run_blocks(std::optional<RaceDetector>& races) {
  const bool watches_all = context_.races != nullptr && request_.races_in_first_blocks == 0;
  const bool alone =
      threads() == 1 || blocks_ < 3 || program_.blocks_may_communicate || watches_all || context_.memory.has_heap();
  const bool may_wait = may_wait_for_later_blocks();
  // If the arguments stay in the request or can be made again, nothing needs to be saved for another run.
  context_.writes.begin(context_.memory, (!alone || may_wait) && request_.arguments.empty() && !request_.make_again);
  // The helpers arrive while the first block runs.
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
  bool ran = true;
  for (std::uint32_t b = 0; ran && b < blocks_; ++b) {
    if (may_wait) limit_steps_of(b, worker);
    ran = run_block(worker, block, store, b);
  }
  if (may_wait && worker.fault() && worker.fault()->code == "run.deadlock")
    run_all_resident(&*worker.fault(), races);
  else if (may_wait && worker.out_of_steps() && worker.steps() < context_.max_steps)
    run_all_resident(nullptr, races);
  else
    finish(worker, store);
}

// Runs one block after the previous one. False if the launch ended with it.
bool LaunchRun::run_block(Worker& worker, BlockState& block, EventStore& store, std::uint32_t b) {
  worker.recorder().begin_events(store);
  const std::uint32_t watched = request_.races_in_first_blocks;
  if (context_.races != nullptr && (context_.races->has_seen_enough() || (watched != 0 && b >= watched)))
    watch_no_more_races(worker);
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

// The workers of other threads are not told of the detector at all.
void LaunchRun::watch_no_more_races(Worker& worker) {
  if (context_.races == nullptr) return;
  context_.races->stop();
  worker.watch_no_races();
  context_.races = nullptr;
}

// Runs the first block alone, the others that are watched for races, and more blocks while the events are likely not to
// fit (`until_full`: until one did not fit). Then, if it is worthwhile, runs the others on several threads.
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
  while (ran && done < request_.races_in_first_blocks && context_.races != nullptr) ran = one_more();
  while (ran && done < blocks_ && may_fill()) ran = one_more();
  if (done < blocks_) watch_no_more_races(worker);
  const std::uint64_t expected = worker.steps() / done * (blocks_ - done);
  if (ran && expected >= worth_threads) return run_parallel(worker, store, done);
  while (ran && done < blocks_) ran = one_more();
  finish(worker, store);
  return Attempt::done;
}

// Restores memory to its state before the launch, and drops everything recorded. False if this is not possible.
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
  printed_ = {.most = request_.printf_bytes};
  result_.trace.events.clear();
  result_.trace.addresses.clear();
  result_.trace.source_lanes.clear();
  if (request_.progress != nullptr) request_.progress->blocks_done = 0;
  return !has_error(result_.diagnostics);
}

// The blocks from `first` on, in chunks of consecutive blocks. Each thread takes the next chunk.
class LaunchRun::ParallelBlocks {
 public:
  ParallelBlocks(LaunchRun& launch, Worker& first_worker, std::uint32_t first, std::int64_t budget)
      : launch_(launch),
        first_worker_(first_worker),
        first_(first),
        left_(launch.blocks_ - first),
        budget_(budget),
        chunks_(std::min<std::uint64_t>(left_, static_cast<std::uint64_t>(launch.threads()) * 32)),
        members_(static_cast<std::size_t>(launch.helpers().count()) + 1),
        merge_(launch.result_.trace, chunks_.size()),
        has_events_(launch.request_.record.totals && launch.request_.record.events),
        last_printing_(chunk_count()),
        steps_(first_worker.steps()) {}

  Attempt run();

 private:
  // In cache lines of its own, because threads work on neighbouring chunks at the same time.
  struct alignas(64) Chunk {
    PrintedText printed;
    std::vector<DeferredReduction> deferred;
  };
  // Created by its own thread, so that no two threads write to the same cache line.
  struct Member {
    std::unique_ptr<AccessSets> sets;
    std::unique_ptr<Worker> worker;
  };
  // Counts that a thread has not added to the common ones yet: it adds them from time to time, not after every block.
  struct NotAdded {
    std::uint64_t steps = 0;
    std::int64_t bytes = 0;
  };

  std::uint32_t chunk_count() const { return static_cast<std::uint32_t>(chunks_.size()); }
  // Large chunks first: the smaller the last ones are, the less a thread waits for the others at the end.
  std::uint32_t first_block_of(std::uint32_t chunk) const {
    const double share = static_cast<double>(chunk_count() - chunk) / chunk_count();
    return first_ + left_ - static_cast<std::uint32_t>(left_ * share * share);
  }
  void work(int i);
  void run_chunk(Worker& worker, BlockState& block, std::uint32_t c);
  bool run_block(Worker& worker, BlockState& block, EventStore& store, std::uint32_t b, NotAdded& counts);
  void keep_printed(const BlockState& block, std::uint32_t c);
  bool exceeds_a_limit(NotAdded& counts);
  bool conflict() const;
  void take_results();

  LaunchRun& launch_;
  Worker& first_worker_;
  const std::uint32_t first_, left_;
  const std::int64_t budget_;  // for events, in bytes; < 0: none
  std::vector<Chunk> chunks_;
  std::vector<Member> members_;
  EventMerge merge_;
  const bool has_events_;
  std::atomic<std::uint32_t> next_chunk_{0};
  std::atomic<std::uint64_t> deferred_{0};
  std::atomic<std::uint32_t> last_printing_;  // after a chunk that fills printf's buffer, text is dropped
  std::atomic<bool> full_{false}, unforeseen_{false}, cancelled_{false};
  alignas(64) std::atomic<bool> give_up_{false};  // read for every block
  alignas(64) std::atomic<std::uint64_t> steps_;
  std::atomic<std::int64_t> kept_{0};  // bytes of all chunks
};

void LaunchRun::ParallelBlocks::keep_printed(const BlockState& block, std::uint32_t c) {
  if (block.printed.empty() && !block.print_is_full) return;
  Chunk& chunk = chunks_[c];
  chunk.printed.most = launch_.request_.printf_bytes;
  if (c <= last_printing_.load(std::memory_order_relaxed)) chunk.printed.add(block.printed, block.print_is_full);
  for (std::uint32_t last = last_printing_;
       chunk.printed.full && c < last && !last_printing_.compare_exchange_weak(last, c);) {
  }
}

bool LaunchRun::ParallelBlocks::exceeds_a_limit(NotAdded& counts) {
  const bool over_budget = budget_ >= 0 && (kept_ += std::exchange(counts.bytes, 0)) > budget_;
  if (over_budget) full_ = true;
  return (steps_ += std::exchange(counts.steps, 0)) >= launch_.context_.max_steps || over_budget;
}

// False if the launch cannot continue in parallel.
bool LaunchRun::ParallelBlocks::run_block(Worker& worker, BlockState& block, EventStore& store, std::uint32_t b,
                                          NotAdded& counts) {
  const std::uint64_t steps_before = worker.steps();
  const std::int64_t room_before = store.bytes_left;
  // A block that uses a large share of all steps may never end. The serial run handles that.
  worker.limit_steps(steps_before + launch_.context_.max_steps / 16 + Worker::quantum);
  const bool ran = worker.run(block, b, launch_.records(b));
  if (block.record) worker.recorder().end_block(block.warps, store);
  counts.steps += worker.steps() - steps_before;
  counts.bytes += room_before - store.bytes_left;
  if (worker.cancelled()) cancelled_ = true;
  if (worker.wrote_unforeseen()) unforeseen_ = true;
  return ran && !worker.wrote_unforeseen() && !worker.too_many_deferred();
}

void LaunchRun::ParallelBlocks::run_chunk(Worker& worker, BlockState& block, std::uint32_t c) {
  EventStore store;
  if (has_events_) store = merge_.take();
  store.limit_to(budget_);
  worker.recorder().begin_events(store);
  NotAdded counts;
  const std::uint32_t first = first_block_of(c), end = first_block_of(c + 1);
  for (std::uint32_t b = first; b < end; ++b) {
    if (give_up_.load(std::memory_order_relaxed)) return;
    const bool ran = run_block(worker, block, store, b, counts);
    if (b == first) store.expect(end - b - 1);
    keep_printed(block, c);
    const bool time_to_add = counts.steps >= Worker::quantum || counts.bytes >= 1 << 18 || b + 1 == end;
    if (!ran || (time_to_add && exceeds_a_limit(counts))) {
      give_up_ = true;
      return;
    }
    launch_.count_block();
  }
  if (has_events_) merge_.put(c, std::move(store));
  deferred_ += worker.deferred().size();
  chunks_[c].deferred = std::move(worker.deferred());
  worker.deferred().clear();
  if (deferred_ > Worker::max_deferred) give_up_ = true;
}

void LaunchRun::ParallelBlocks::work(int i) {
  Member& member = members_[static_cast<std::size_t>(i)];
  member.sets = std::make_unique<AccessSets>(launch_.context_.memory, launch_.context_.writes);
  member.worker = std::make_unique<Worker>(launch_.context_, member.sets.get());
  member.worker->copy_written_from(first_worker_);
  BlockState block;
  for (;;) {
    const std::uint32_t c = next_chunk_++;
    if (c >= chunk_count() || give_up_.load(std::memory_order_relaxed)) break;
    run_chunk(*member.worker, block, c);
  }
  member.worker->finish_sets();
}

bool LaunchRun::ParallelBlocks::conflict() const {
  std::vector<AccessSets*> views;
  for (const Member& member : members_)
    if (member.sets != nullptr) views.push_back(member.sets.get());
  return AccessSets::conflict(views);
}

// Takes the reductions and the printed text in the order of blocks, the counts, and the events.
void LaunchRun::ParallelBlocks::take_results() {
  for (Chunk& chunk : chunks_) {
    for (const DeferredReduction& reduction : chunk.deferred) {
      const Region& region = *launch_.context_.memory.find(reduction.address);
      reduction.apply(reinterpret_cast<void*>(region.host() + reduction.address), reduction.operand, reduction.second);
    }
    launch_.printed_.add(chunk.printed.text, chunk.printed.full);
  }
  launch_.add_counts(first_worker_);
  for (const Member& member : members_)
    if (member.worker != nullptr) launch_.add_counts(*member.worker);
  merge_.finish(launch_.helpers());
  launch_.events_seen_ += merge_.seen();
}

LaunchRun::Attempt LaunchRun::ParallelBlocks::run() {
  launch_.helpers().run([&](int i) { work(i); });
  if (cancelled_) {
    launch_.result_.diagnostics.push_back(cancelled_diagnostic());
    return Attempt::done;
  }
  if (unforeseen_) return Attempt::unforeseen;
  if (give_up_) return full_ ? Attempt::full : Attempt::conflict;
  if (conflict()) return Attempt::conflict;
  take_results();
  // Each thread frees its own worker, because freeing all of them on one thread takes a tenth of a millisecond on 16
  // cores.
  launch_.helpers().run([&](int i) { members_[static_cast<std::size_t>(i)] = {}; });
  return Attempt::done;
}

LaunchRun::Attempt LaunchRun::run_parallel(Worker& first_worker, EventStore& first_store, std::uint32_t first) {
  const std::int64_t budget = first_store.bytes_left;
  take_events(first_store);
  return ParallelBlocks(*this, first_worker, first, budget).run();
}

}  // namespace lanescope::sim
