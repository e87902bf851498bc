// A launch from its first block to its result, and the runs on one thread: cooperative launches, clusters, other
// orders, replays.

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/worded.h"
#include "sim/decode/decode.h"
#include "sim/decode/order_in_program.h"
#include "sim/decode/places_in_common.h"
#include "sim/launch_run.h"
#include "sim/pointer_tables.h"
#include "sim/races/races.h"
#include "sim/scheduled_run.h"

namespace lanescope::sim {

Diagnostic cancelled_diagnostic() {
  Diagnostic diagnostic;
  diagnostic.code = "run.cancelled";
  diagnostic.message = "the run was cancelled";
  return diagnostic;
}

EventStore LaunchRun::new_store() const {
  EventStore store;
  store.limit_to(event_budget_);
  return store;
}

std::uint64_t LaunchRun::blocks_to_record() const {
  if (context_.chosen_blocks.empty()) return blocks_;
  return static_cast<std::uint64_t>(std::count(context_.chosen_blocks.begin(), context_.chosen_blocks.end(), true));
}

void LaunchRun::run() {
  if (request_.progress != nullptr) {
    request_.progress->blocks_done = 0;
    request_.progress->blocks_total = blocks_;
  }
  const auto start = std::chrono::steady_clock::now();
  std::optional<RaceDetector> races;
  const bool in_a_row = request_.schedule_seed == 0 && !context_.launch.cooperative && context_.clusters.blocks() == 1;
  if (request_.races && (in_a_row || request_.races_in_first_blocks == 0)) watch_for_races(races);
  std::optional<Schedule> schedule;
  if (request_.schedule_seed != 0) context_.schedule = &schedule.emplace(request_.schedule_seed);
  context_.writes.begin(context_.memory, false);
  if (schedule)
    run_in_schedule();
  else if (context_.launch.cooperative)
    run_cooperatively();
  else if (context_.clusters.blocks() > 1)
    run_in_clusters();
  else
    run_blocks(races);
  context_.schedule = nullptr;
  for (auto& [site, remark] : remarks_) result_.diagnostics.push_back(std::move(remark.diagnostic));
  take_printed();
  take_variables();
  take_heap();
  result_.completed = result_.trace.ended = !has_error(result_.diagnostics);
  if (races) result_.races = races->take_report(result_.trace);
  for (Race& race : result_.races.races) {
    const std::uint32_t one = race.first.site, other = race.second.site;
    if (result_.trace.sites[one].function != result_.trace.sites[other].function) continue;
    const ptx::Instruction &first = *program_.site_instruction[one], &second = *program_.site_instruction[other];
    race.in_common = places_in_common(program_.module, first, second);
    race.second_is_earlier = comes_before(program_.module, second, first);
  }
  find_one_steps(result_.races.races);
  result_.races.ended = result_.completed;
  context_.races = nullptr;
  for (const Region& region : context_.memory.regions())
    if (region.argument >= 0)
      result_.arguments[static_cast<std::size_t>(region.argument)].stored_to |= context_.writes.written(region);
  take_pointers(result_.arguments, places_);
  result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trace::Trace& trace = result_.trace;
  trace.events_dropped = events_seen_ - trace.events.size();
  if (request_.record.events && !context_.chosen_blocks.empty())
    trace.blocks_not_chosen =
        static_cast<std::uint64_t>(std::count(context_.chosen_blocks.begin(), context_.chosen_blocks.end(), false));
}

void LaunchRun::watch_for_races(std::optional<RaceDetector>& races) {
  context_.races = &races.emplace(program_, context_.launch, context_.memory, context_.shared_end());
  races->watch_up_to(request_.races_up_to);
}

// Adds the worker's counts to the result, and the bytes that it wrote first.
void LaunchRun::add_counts(Worker& worker) {
  trace::Trace& trace = result_.trace;
  if (request_.record.totals) worker.recorder().add_to(trace.totals, trace.sites, context_.counter_of_site);
  const EntryCounter* entries = worker.recorder().entries();
  for (std::size_t i = 0; i < trace.sites.size(); ++i)
    if (trace.sites[i].kind == trace::EventKind::block_entry)
      result_.lane_instructions +=
          entries[context_.counter_of_site[i]].lanes * static_cast<std::uint64_t>(trace.sites[i].instruction_count);
  for (const Unexecuted& part : worker.recorder().unexecuted())
    result_.lane_instructions -= std::uint64_t{part.instructions} * part.lanes;
  result_.stack.join(worker.stack());
  for (const auto& [site, remark] : worker.remarks()) {
    const auto known = remarks_.find(site);
    if (known == remarks_.end() || remark.block < known->second.block) remarks_.insert_or_assign(site, remark);
  }
  for (const Region& region : context_.memory.regions()) {
    if (!region.has_unwritten()) continue;
    if (region.allocation != nullptr) {
      worker.written()[region.index].add_to(region.allocation->written);
      continue;
    }
    if (region.argument < 0) continue;
    worker.written()[region.index].add_to(result_.arguments[static_cast<std::size_t>(region.argument)].written);
  }
  for (auto& [number, written] : texture_written_)
    result_.arguments[number].written.assign(written.words().begin(), written.words().end());
  for (auto& [address, allocation] : heap_.allocations())
    if (allocation.bytes() != 0) worker.written()[context_.memory.find(address)->index].add_to(allocation.written);
}

void LaunchRun::finish(Worker& worker, EventStore& store) {
  add_counts(worker);
  take_events(store);
}

// Moves the events of the first blocks into the trace.
void LaunchRun::take_events(EventStore& store) {
  events_seen_ = store.seen;
  result_.trace.events = std::move(store.events);
  result_.trace.addresses = std::move(store.addresses);
  result_.trace.source_lanes = std::move(store.source_lanes);
}

void LaunchRun::take_printed() {
  printed_.end_at_a_line();
  result_.printf_output = std::move(printed_.text);
  if (printed_.full)
    result_.diagnostics.push_back(
        {Severity::warning,
         "run.printf_full",
         {},
         worded("printf wrote more than {} bytes; the "
                "rest is dropped",
                request_.printf_bytes),
         "Print from fewer threads. CUDA's buffer has the same size unless the host changes it "
         "(cudaLimitPrintfFifoSize), and also loses output."});
}

void LaunchRun::report(const Worker& worker) {
  result_.fault = worker.fault_place();
  if (worker.cancelled() && !result_.fault)
    result_.diagnostics.push_back(cancelled_diagnostic());
  else if (worker.cancelled() || worker.out_of_steps())
    result_.diagnostics.push_back(worker.unfinished_diagnostic());
  else if (worker.fault())
    result_.diagnostics.push_back(*worker.fault());
}

// Advances blocks that are resident together and have been started, in turn, until all are done. False if the launch
// ended with an error.
bool LaunchRun::run_resident(Worker& worker, std::vector<BlockState*>& blocks) {
  std::size_t done = 0;
  std::uint32_t idle_passes = 0;
  for (;;) {
    bool any_runnable = false;
    const BlockState* stuck = nullptr;
    std::uint64_t printed_before = 0;
    for (BlockState* const block : blocks) {
      if (std::exchange(printed_before, printed_before + block->printed.size()) >= request_.printf_bytes) {
        block->print_is_full = true;  // the blocks before it have filled printf's buffer
        block->printed.clear();
      }
      if (block->done()) continue;
      if (!worker.advance(*block)) return false;
      if (block->done()) {
        ++done;
        count_block();
      } else if (worker.any_runnable(*block)) {
        any_runnable = true;
      } else if (stuck == nullptr) {
        stuck = block;
      }
    }
    if (done == blocks.size()) return true;
    if (stuck != nullptr) {
      // Only threads of the block itself can complete its barrier.
      worker.diagnose_stuck(*stuck);
      return false;
    }
    idle_passes = worker.progressed() ? 0 : idle_passes + 1;
    if (idle_passes > Worker::max_idle_passes || !any_runnable) {
      worker.diagnose_deadlock(**std::ranges::find_if(blocks, [](const BlockState* block) { return !block->done(); }));
      return false;
    }
  }
}

std::vector<std::unique_ptr<ResidentCluster>> LaunchRun::all_clusters() const {
  std::vector<std::unique_ptr<ResidentCluster>> clusters;
  for (std::uint32_t c = 0; c < context_.clusters.count(); ++c)
    clusters.push_back(std::make_unique<ResidentCluster>(context_.clusters, c));
  return clusters;
}

namespace {

// Sorted by block index.
std::vector<BlockState*> blocks_of(const std::vector<std::unique_ptr<ResidentCluster>>& clusters) {
  std::vector<BlockState*> blocks;
  for (const auto& cluster : clusters)
    for (BlockState& block : cluster->blocks()) blocks.push_back(&block);
  std::ranges::sort(blocks, {}, &BlockState::index);
  return blocks;
}

}  // namespace

void LaunchRun::run_cooperatively() {
  Worker worker(context_, nullptr);
  EventStore store = new_store();
  worker.recorder().begin_events(store);
  const auto clusters = all_clusters();
  std::vector<BlockState*> blocks = blocks_of(clusters);
  for (BlockState* const block : blocks) worker.start(*block, block->index, records(block->index));
  const bool ran = run_resident(worker, blocks);
  // All blocks are done, so the required space is known.
  std::size_t kept = 0;
  for (const BlockState* block : blocks)
    if (block->record) kept += Recorder::kept_by(block->warps);
  make_room(store.events, kept, store.budget);
  for (BlockState* const block : blocks) {
    if (!ran) worker.discount_unexecuted(*block);
    if (block->record) worker.recorder().end_block(block->warps, store);
    printed_.add(block->printed, block->print_is_full);
  }
  if (!ran) report(worker);
  finish(worker, store);
}

// One cluster after the other. Events are added in the order of blocks, so those of a block may have to wait for an
// earlier block's.
void LaunchRun::run_in_clusters() {
  Worker worker(context_, nullptr);
  EventStore store = new_store();
  worker.recorder().begin_events(store);
  std::map<std::uint32_t, std::vector<Warp>> kept;
  bool ran = true;
  for (std::uint32_t c = 0; ran && c < context_.clusters.count(); ++c) {
    ResidentCluster cluster(context_.clusters, c);
    std::vector<BlockState*> blocks;
    for (BlockState& block : cluster.blocks()) {
      worker.start(block, block.index, records(block.index));
      block.print_is_full = printed_.full;
      blocks.push_back(&block);
    }
    ran = worker.begin_turns(*blocks.front()) && run_resident(worker, blocks);
    if (!ran) report(worker);  // while the cluster is there
    for (BlockState* const block : blocks) {
      if (!ran) worker.discount_unexecuted(*block);
      printed_.add(block->printed, block->print_is_full);
      if (block->record) kept[block->index] = std::move(block->warps);
    }
    const bool in_order = context_.clusters.size.y == 1 && context_.clusters.size.z == 1;
    if (!in_order && ran && c + 1 < context_.clusters.count()) continue;
    for (auto& [index, warps] : kept) worker.recorder().end_block(warps, store);
    kept.clear();
  }
  finish(worker, store);
}

void LaunchRun::run_in_schedule() {
  Worker worker(context_, nullptr);
  EventStore store = new_store();
  const ScheduledBlocks blocks{context_.clusters, context_.launch.cooperative,
                               [this](std::uint32_t b) { return records(b); }, [this] { count_block(); },
                               [&] { report(worker); }};
  run_scheduled(worker, *context_.schedule, blocks, store, printed_);
  finish(worker, store);
}

// Advances blocks that have been started in the same order as run_resident().
void LaunchRun::replay_together(Worker& worker, std::vector<BlockState*>& blocks) {
  for (std::uint32_t idle_passes = 0; idle_passes <= Worker::max_idle_passes;) {
    bool any_runnable = false;
    for (BlockState* const block : blocks) {
      if (block->done()) continue;
      if (!worker.advance(*block)) return;
      any_runnable |= !block->done() && worker.any_runnable(*block);
    }
    if (!any_runnable) return;  // all are done, or none can continue
    idle_passes = worker.progressed() ? 0 : idle_passes + 1;
  }
}

bool LaunchRun::replay(Recorder::Watch* watch, Recorder::Listener* listener) {
  std::optional<Schedule> schedule;
  if (request_.schedule_seed != 0) context_.schedule = &schedule.emplace(request_.schedule_seed);
  context_.writes.begin(context_.memory, false);
  Worker worker(context_, nullptr);
  EventStore store;
  store.limit_to(-1);
  worker.recorder().begin_events(store);
  worker.recorder().watch(watch);
  worker.recorder().listen(listener);
  const auto heard = [&](std::uint32_t b) { return listener != nullptr || watch->block == b; };
  const auto start_quietly = [&](const std::vector<BlockState*>& blocks) {
    for (BlockState* const block : blocks) {
      worker.start(*block, block->index, heard(block->index));
      block->print_is_full = true;  // nobody reads what they print
    }
  };
  if (context_.schedule != nullptr) {
    PrintedText printed;
    run_scheduled(worker, *context_.schedule, {context_.clusters, context_.launch.cooperative, heard, [] {}, [] {}},
                  store, printed);
  } else if (context_.launch.cooperative) {
    const auto clusters = all_clusters();
    std::vector<BlockState*> blocks = blocks_of(clusters);
    start_quietly(blocks);
    replay_together(worker, blocks);
  } else if (context_.clusters.blocks() > 1) {
    bool goes_on = true;
    for (std::uint32_t c = 0; goes_on && c < context_.clusters.count(); ++c) {
      ResidentCluster cluster(context_.clusters, c);
      std::vector<BlockState*> blocks;
      for (BlockState& block : cluster.blocks()) blocks.push_back(&block);
      start_quietly(blocks);
      if (!worker.begin_turns(*blocks.front())) break;
      replay_together(worker, blocks);
      goes_on = std::ranges::all_of(blocks, [](const BlockState* block) { return block->done(); }) &&
                (listener != nullptr || c != context_.clusters.cluster(watch->block));
    }
  } else {
    BlockState block;
    const bool may_wait = may_wait_for_later_blocks();
    for (std::uint32_t b = 0; b < blocks_; ++b) {
      if (may_wait) limit_steps_of(b, worker);
      if (!worker.run(block, b, heard(b)) || (listener == nullptr && b == watch->block)) break;
    }
  }
  context_.schedule = nullptr;
  return !worker.cancelled();
}

}  // namespace lanescope::sim
