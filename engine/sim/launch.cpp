// run(): checks, sets memory up, runs the blocks and collects the result.
//
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
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/os/cores.h"
#include "core/worded.h"
#include "sim/event_merge.h"
#include "sim/helper_threads.h"
#include "sim/launch.h"
#include "sim/launch_check.h"
#include "sim/memory/address_space.h"
#include "sim/races/races.h"
#include "sim/scheduled_run.h"
#include "sim/unfilled.h"
#include "sim/warp/device_printf.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

// Warp instructions that make the start of threads worth while: about half a millisecond.
constexpr std::uint64_t worth_threads = 50'000;

Diagnostic cancelled_diagnostic() {
  Diagnostic diagnostic;
  diagnostic.code = "run.cancelled";
  diagnostic.message = "the run was cancelled";
  return diagnostic;
}

class LaunchRun {
 public:
  LaunchRun(const Program& program, const LaunchRequest& request, LaunchResult& result);
  void run();
  // Runs up to a warp's event; the frame it was in, while this object lives.
  const Frame* run_to(std::uint32_t block, Recorder::Watch& watch);

 private:
  void set_up_memory();
  void set_up_parameters(const std::vector<std::uint64_t>& pointers);
  void set_up_constants();
  std::vector<std::byte> initial(const VariablePlace& place) const;
  void take_variables();
  void set_up_sites();
  std::uint64_t add_region(Region region, std::uint64_t at);

  int threads() const;
  std::uint64_t blocks_to_record() const {
    if (context_.chosen_blocks.empty()) return blocks_;
    return static_cast<std::uint64_t>(std::count(context_.chosen_blocks.begin(), context_.chosen_blocks.end(), true));
  }
  void run_blocks();
  bool run_block(Worker& worker, BlockState& block, EventStore& store, std::uint32_t b);
  // full: the events did not fit, so it must be known which came first. unforeseen: a buffer was written that nobody
  // watched. conflict: all else that needs the blocks' order.
  enum class Attempt : std::uint8_t { done, full, unforeseen, conflict };
  Attempt run_together(bool until_full);
  Attempt run_parallel(Worker& first_worker, EventStore& first_store, std::uint32_t first);
  HelperThreads& helpers();
  bool looks_worth_threads() const;
  bool start_again();
  void run_cooperatively();
  void run_in_schedule();
  void add_counts(Worker& worker);
  void take_events(EventStore& store);
  void finish(Worker& worker, EventStore& store);
  void take_printed();
  void report(const Worker& worker);
  EventStore new_store() const;
  bool records(std::uint32_t block) const {
    return request_.record.totals && request_.record.events && context_.chosen(block);
  }
  void count_block() {
    if (request_.progress != nullptr) request_.progress->blocks_done.fetch_add(1, std::memory_order_relaxed);
  }

  const Program& program_;
  const LaunchRequest& request_;
  LaunchResult& result_;
  LaunchContext context_;
  std::vector<std::vector<std::byte>> variables_;  // contents, parallel to Program::variables
  std::vector<std::byte> workspace_;
  PrintedText printed_;
  std::uint32_t blocks_ = 0;
  std::int64_t event_budget_ = 0;  // bytes
  std::uint64_t events_seen_ = 0;
  std::map<std::uint32_t, Worker::Remark> remarks_;  // by site
  std::optional<HelperThreads> helpers_;
  std::optional<Schedule> replay_schedule_;
  std::unique_ptr<Worker> replay_worker_;
};

LaunchRun::LaunchRun(const Program& program, const LaunchRequest& request, LaunchResult& result)
    : program_(program), request_(request), result_(result), context_(program, request) {
  context_.launch = request.launch;
  context_.launch.static_shared_bytes = program.static_shared_bytes;
  context_.shared_bytes = program.static_shared_bytes + request.launch.dynamic_shared_bytes;
  if (program.uses_reserved_shared) context_.reserved_shared = address_space::reserved_shared(context_.shared_bytes);
  context_.max_steps = request.max_steps != 0 ? request.max_steps : default_max_steps;
  blocks_ = static_cast<std::uint32_t>(request.launch.grid.count());
  event_budget_ =
      static_cast<std::int64_t>(std::min<std::uint64_t>(request.record.event_budget_bytes, std::uint64_t{1} << 40));
  if (!request.record.blocks.empty()) {
    context_.chosen_blocks.assign(blocks_, false);
    for (std::uint32_t block : request.record.blocks)
      if (block < blocks_) context_.chosen_blocks[block] = true;
  }
  set_up_memory();
  set_up_constants();
  set_up_sites();
}

// ---- setting up -------------------------------------------------------------------------------------

std::uint64_t LaunchRun::add_region(Region region, std::uint64_t at) {
  region.address = at;
  const std::uint64_t end = region.end();
  result_.trace.buffers.push_back({region.name, region.argument, at, region.bytes});
  context_.memory.add(std::move(region));
  return address_space::after(end);
}

void LaunchRun::set_up_memory() {
  context_.parameters.assign(program_.kernel->parameter_bytes, std::byte{0});
  std::uint64_t next = address_space::buffers;
  std::vector<std::uint64_t> pointers(result_.arguments.size());
  for (std::size_t i = 0; i < result_.arguments.size(); ++i) {
    Argument& argument = result_.arguments[i];
    if (argument.is_buffer) {
      Region region;
      region.bytes = argument.contents.size();
      region.data = argument.contents.data();
      region.argument = static_cast<std::int32_t>(i);
      region.written = std::min<std::uint64_t>(argument.uninitialised_from, region.bytes);
      region.written_bits = &argument.written;
      region.name = worded("arg {}", i);
      pointers[i] = next + argument.base_offset;
      next = add_region(region, next);
    }
  }
  set_up_parameters(pointers);
  variables_.reserve(program_.variables.size());
  for (const VariablePlace& place : program_.variables) {
    variables_.push_back(initial(place));
    Region region;
    region.bytes = region.written = place.initial.size();
    region.data = variables_.back().data();
    region.kind = place.variable->space == ptx::Space::constant ? RegionKind::constant : RegionKind::variable;
    region.name = place.variable->name;
    add_region(region, place.address);
  }
  if (request_.launch.cooperative && program_.uses_grid_workspace) {
    // Its size, then the word on which the blocks count themselves.
    workspace_.assign(64, std::byte{0});
    workspace_[0] = std::byte{64};
    Region region;
    region.bytes = region.written = workspace_.size();
    region.data = workspace_.data();
    region.kind = RegionKind::workspace;
    region.name = "the workspace of grid.sync()";
    context_.workspace = address_space::workspace;
    add_region(region, address_space::workspace);
  }
  // Names for messages; the trace keeps the plain ones.
  context_.memory.sort([&](Region& region) {
    if (region.argument < 0) {
      if (region.kind != RegionKind::workspace) region.name = worded("variable {}", region.name);
      return;
    }
    const Argument& argument = result_.arguments[static_cast<std::size_t>(region.argument)];
    region.name = worded("{} ({}[{}])", region.name, name_of(argument.type), argument.count());
  });
}

// `pointers`: of the arguments that are buffers.
void LaunchRun::set_up_parameters(const std::vector<std::uint64_t>& pointers) {
  for (std::size_t i = 0; i < result_.arguments.size(); ++i) {
    const Argument& argument = result_.arguments[i];
    const ptx::Parameter& parameter = program_.kernel->parameters[i];
    std::uint64_t value = argument.is_buffer ? pointers[i] : argument.scalar_bits;
    if (!argument.is_buffer && argument.same_as >= 0) value += pointers.at(static_cast<std::size_t>(argument.same_as));
    const std::byte* source = reinterpret_cast<const std::byte*>(&value);
    std::size_t bytes = std::min<std::size_t>(parameter.bytes(), 8);
    if (!argument.raw_parameter.empty()) {
      source = argument.raw_parameter.data();
      bytes = argument.raw_parameter.size();
    }
    if (parameter.offset + bytes <= context_.parameters.size())
      std::memcpy(context_.parameters.data() + parameter.offset, source, bytes);
  }
}

std::vector<std::byte> LaunchRun::initial(const VariablePlace& place) const {
  std::vector<std::byte> contents = place.initial;
  if (const auto given = request_.variables.find(place.variable->name); given != request_.variables.end())
    std::copy_n(given->second.begin(), std::min(given->second.size(), contents.size()), contents.begin());
  return contents;
}

// What is left in variables, and which of them nobody had given anything to hold.
void LaunchRun::take_variables() {
  for (const Region& region : context_.memory.regions())
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (region.data == variables_[i].data() && context_.writes.written(region))
        result_.variables[program_.variables[i].variable->name] = variables_[i];
  if (!request_.record.totals) return;
  result_.unfilled =
      unfilled_variables(program_, result_.trace, request_.user_file, [&](const ptx::Variable& variable) {
        return request_.variables.contains(variable.name) || result_.variables.contains(variable.name);
      });
}

void LaunchRun::set_up_constants() {
  const trace::Launch& launch = context_.launch;
  context_.thread_indices.resize(launch.warps_per_block());
  for (std::uint32_t thread = 0; thread < context_.thread_indices.size() * 32; ++thread) {
    const Dim3 at = launch.block.at(thread);
    auto& of = context_.thread_indices[thread / 32].of;
    of[0][thread % 32] = at.x;
    of[1][thread % 32] = at.y;
    of[2][thread % 32] = at.z;
  }
  for (const auto& function : program_.functions) {
    std::vector<std::byte> constants = function->constants;
    const auto place = [&](std::uint32_t slot) { return constants.data() + (slot - function->constants_begin); };
    for (const SpecialSlot& slot : function->launch_specials) fill_special(slot, context_, 0, 0, place(slot.slot));
    for (const ParameterSlot& slot : function->parameter_slots) {
      std::uint64_t value = 0;
      if (slot.offset + slot.memory_bytes <= context_.parameters.size())
        std::memcpy(&value, context_.parameters.data() + slot.offset, slot.memory_bytes);
      if (slot.is_signed && slot.memory_bytes < 8) {
        const int unused = 64 - 8 * slot.memory_bytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
      }
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        std::memcpy(place(slot.slot) + lane * slot.register_bytes, &value, slot.register_bytes);
    }
    context_.constants.push_back(std::move(constants));
  }
}

void LaunchRun::set_up_sites() {
  trace::Trace& trace = result_.trace;
  trace.origin = trace::Origin::interpreted;
  trace.kernel = context_.kernel_name();
  trace.arch = request_.arch;
  trace.launch = context_.launch;
  for (const auto& function : program_.functions) trace.functions.push_back(function->source->name);
  trace.sites = program_.sites;
  for (std::size_t i = 0; i < trace.sites.size(); ++i) {
    trace::Site& site = trace.sites[i];
    if (!request_.user_file.empty())
      place_site(site, program_.module, *program_.site_instruction[i], request_.user_file);
    const FunctionCode& code = *program_.functions[static_cast<std::size_t>(site.function)];
    context_.counter_of_site.push_back(code.blocks[static_cast<std::size_t>(site.basic_block)].counter);
  }
}

// ---- running ----------------------------------------------------------------------------------------

EventStore LaunchRun::new_store() const {
  EventStore store;
  store.limit_to(event_budget_);
  return store;
}

void LaunchRun::run() {
  if (request_.progress != nullptr) {
    request_.progress->blocks_done = 0;
    request_.progress->blocks_total = blocks_;
  }
  const auto start = std::chrono::steady_clock::now();
  std::optional<RaceDetector> races;
  if (request_.races)
    context_.races = &races.emplace(program_, context_.launch, context_.memory, context_.shared_end());
  std::optional<Schedule> schedule;
  if (request_.schedule_seed != 0) context_.schedule = &schedule.emplace(request_.schedule_seed);
  context_.writes.begin(context_.memory, false);
  if (schedule)
    run_in_schedule();
  else if (context_.launch.cooperative)
    run_cooperatively();
  else
    run_blocks();
  context_.schedule = nullptr;
  for (auto& [site, remark] : remarks_) result_.diagnostics.push_back(std::move(remark.diagnostic));
  take_printed();
  take_variables();
  result_.completed = !has_error(result_.diagnostics);
  if (races) result_.races = races->take_report(result_.trace);
  result_.races.ended = result_.completed;
  context_.races = nullptr;
  for (const Region& region : context_.memory.regions())
    if (region.argument >= 0)
      result_.arguments[static_cast<std::size_t>(region.argument)].stored_to |= context_.writes.written(region);
  result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trace::Trace& trace = result_.trace;
  trace.events_dropped = events_seen_ - trace.events.size();
  if (request_.record.events && !context_.chosen_blocks.empty())
    trace.blocks_not_chosen =
        static_cast<std::uint64_t>(std::count(context_.chosen_blocks.begin(), context_.chosen_blocks.end(), false));
}

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
  const bool alone = threads() == 1 || blocks_ < 3 || program_.blocks_may_communicate || request_.races;
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

// Adds what the worker counted, and what it wrote for the first time, to the result.
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
  for (const auto& [site, remark] : worker.remarks()) {
    const auto known = remarks_.find(site);
    if (known == remarks_.end() || remark.block < known->second.block) remarks_.insert_or_assign(site, remark);
  }
  for (const Region& region : context_.memory.regions()) {
    if (region.argument < 0 || region.written >= region.bytes) continue;
    std::vector<std::uint64_t>& known = result_.arguments[static_cast<std::size_t>(region.argument)].written;
    const std::vector<std::uint64_t>& now = worker.written()[region.index].words();
    known.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) known[i] |= now[i];
  }
}

void LaunchRun::finish(Worker& worker, EventStore& store) {
  add_counts(worker);
  take_events(store);
}

// The events of the first blocks become the trace's.
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
                printf_buffer_bytes),
         "Print from fewer threads. CUDA's buffer has the same size unless the host changes it "
         "(cudaLimitPrintfFifoSize), and also loses output."});
}

void LaunchRun::report(const Worker& worker) {
  if (worker.cancelled())
    result_.diagnostics.push_back(cancelled_diagnostic());
  else if (worker.out_of_steps())
    result_.diagnostics.push_back(worker.step_budget_diagnostic());
  else if (worker.fault())
    result_.diagnostics.push_back(*worker.fault());
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
  std::atomic<std::uint32_t> next_chunk{0};
  std::atomic<std::uint64_t> deferred{0};
  std::atomic<std::uint32_t> last_printing{count};  // behind a chunk that fills printf's buffer nothing is kept
  std::atomic<bool> full{false}, unforeseen{false}, cancelled{false};
  alignas(64) std::atomic<bool> give_up{false};  // read for every block
  alignas(64) std::atomic<std::uint64_t> steps{first_worker.steps()};
  std::atomic<std::int64_t> kept{0};  // bytes, by all chunks

  const auto run_chunk = [&](Worker& worker, BlockState& block, std::uint32_t c) {
    Chunk& chunk = chunks[c];
    EventStore store = merge.take();
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
    merge.put(c, std::move(store));
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
  return Attempt::done;
}

// All blocks are resident; each gets its turn, again and again.
void LaunchRun::run_cooperatively() {
  Worker worker(context_, nullptr);
  EventStore store = new_store();
  worker.recorder().begin_events(store);
  std::vector<BlockState> blocks(blocks_);
  for (std::uint32_t b = 0; b < blocks_; ++b) worker.start(blocks[b], b, records(b));
  std::uint32_t done = 0, idle_passes = 0;
  bool failed = false;
  while (done < blocks_ && !failed) {
    bool any_runnable = false;
    const BlockState* stuck = nullptr;
    std::uint64_t printed_before = 0;
    for (BlockState& block : blocks) {
      if (std::exchange(printed_before, printed_before + block.printed.size()) >= printf_buffer_bytes) {
        block.print_is_full = true;  // what the blocks before it printed fills the buffer
        block.printed.clear();
      }
      if (block.done()) continue;
      if (!worker.advance(block)) {
        failed = true;
        break;
      }
      if (block.done()) {
        ++done;
        count_block();
      } else if (worker.any_runnable(block)) {
        any_runnable = true;
      } else if (stuck == nullptr) {
        stuck = &block;
      }
    }
    if (failed || done == blocks_) break;
    if (stuck != nullptr) {
      // Nobody outside a block can open its barrier.
      worker.diagnose_stuck(*stuck);
      failed = true;
      break;
    }
    idle_passes = worker.progressed() ? 0 : idle_passes + 1;
    if (idle_passes > Worker::max_idle_passes || !any_runnable) {
      for (const BlockState& block : blocks)
        if (!block.done()) {
          worker.diagnose_deadlock(block);
          break;
        }
      failed = true;
    }
  }
  // All of them end here, so the room that they need is known.
  std::size_t kept = 0;
  for (const BlockState& block : blocks)
    if (block.record) kept += Recorder::kept_by(block.warps);
  make_room(store.events, kept, store.budget);
  for (BlockState& block : blocks) {
    if (failed) worker.discount_unexecuted(block);
    if (block.record) worker.recorder().end_block(block.warps, store);
    printed_.add(block.printed, block.print_is_full);
  }
  if (failed) report(worker);
  finish(worker, store);
}

void LaunchRun::run_in_schedule() {
  Worker worker(context_, nullptr);
  EventStore store = new_store();
  const ScheduledBlocks blocks{blocks_, context_.launch.cooperative, [this](std::uint32_t b) { return records(b); },
                               [this] { count_block(); }};
  if (!run_scheduled(worker, *context_.schedule, blocks, store, printed_)) report(worker);
  finish(worker, store);
}

const Frame* LaunchRun::run_to(std::uint32_t block_index, Recorder::Watch& watch) {
  if (request_.schedule_seed != 0) context_.schedule = &replay_schedule_.emplace(request_.schedule_seed);
  context_.writes.begin(context_.memory, false);
  replay_worker_ = std::make_unique<Worker>(context_, nullptr);
  Worker& worker = *replay_worker_;
  EventStore store;
  store.limit_to(-1);
  worker.recorder().begin_events(store);
  if (context_.schedule != nullptr) {
    worker.recorder().watch(&watch);
    const ScheduledBlocks blocks{blocks_, context_.launch.cooperative,
                                 [&](std::uint32_t b) { return b == block_index; }, [] {}};
    PrintedText printed;
    run_scheduled(worker, *context_.schedule, blocks, store, printed);
    return worker.watched_frame();
  }
  if (context_.launch.cooperative) {
    std::vector<BlockState> blocks(blocks_);
    for (std::uint32_t b = 0; b < blocks_; ++b) {
      worker.start(blocks[b], b, b == block_index);
      blocks[b].print_is_full = true;  // nobody reads it
    }
    worker.recorder().watch(&watch);
    for (bool running = true; running;) {
      running = false;
      for (BlockState& block : blocks) {
        if (block.done()) continue;
        running = true;
        if (!worker.advance(block)) return worker.watched_frame();
      }
    }
    return nullptr;
  }
  BlockState block;
  for (std::uint32_t b = 0; b < block_index; ++b)
    if (!worker.run(block, b, false)) return nullptr;
  worker.recorder().watch(&watch);
  worker.run(block, block_index, true);
  return worker.watched_frame();
}

// `take` gives the request's arguments to the result, by a copy or by a move.
template <typename Request, typename Take>
LaunchResult checked_run(const Program& program, Request& request, Take&& take) {
  LaunchResult result;
  trace::Launch launch = request.launch;
  launch.static_shared_bytes = program.static_shared_bytes;
  result.diagnostics = check_launch(*program.kernel, request, launch);
  result.arguments = take(request.arguments);
  if (has_error(result.diagnostics)) {
    result.trace.launch = launch;
    return result;
  }
  LaunchRun(program, request, result).run();
  return result;
}

Diagnostic no_such_event(std::uint32_t block, std::uint32_t warp, std::uint32_t sequence) {
  Diagnostic diagnostic;
  diagnostic.code = "run.no_such_event";
  diagnostic.message = worded("block {}, warp {} has no event number {}", block, warp, sequence);
  diagnostic.cure = "Choose an event of the trace.";
  return diagnostic;
}

}  // namespace

Diagnostics check_shape(const Program& program, const LaunchRequest& request) {
  trace::Launch launch = request.launch;
  launch.static_shared_bytes = program.static_shared_bytes;
  return check_shape(*program.kernel, request, launch);
}

LaunchResult run(const Program& program, const LaunchRequest& request) {
  return checked_run(program, request, [](const std::vector<Argument>& arguments) { return arguments; });
}

LaunchResult run(const Program& program, LaunchRequest&& request) {
  return checked_run(program, request, [](std::vector<Argument>& arguments) { return std::move(arguments); });
}

Result<std::vector<RegisterValues>> values_at(const Program& program, const LaunchRequest& request, std::uint32_t block,
                                              std::uint32_t warp, std::uint32_t sequence) {
  LaunchResult result;
  result.arguments = request.arguments;
  trace::Launch launch = request.launch;
  launch.static_shared_bytes = program.static_shared_bytes;
  result.diagnostics = check_launch(*program.kernel, request, launch);
  if (has_error(result.diagnostics)) return std::move(result.diagnostics);
  LaunchRequest replay = request;
  replay.record.totals = true;
  replay.record.events = true;
  replay.progress = nullptr;
  LaunchRun run(program, replay, result);
  Recorder::Watch watch{warp, sequence, false};
  const Frame* frame = run.run_to(block, watch);
  if (frame == nullptr || !watch.reached) return no_such_event(block, warp, sequence);
  std::vector<RegisterValues> values;
  const FunctionCode& code = *frame->code;
  for (std::size_t id = 0; id < code.register_slot.size(); ++id) {
    const std::uint32_t slot = code.register_slot[id];
    if (slot == 0) continue;
    RegisterValues& value = values.emplace_back();
    value.name = code.source->registers[id].name;
    value.type = code.source->registers[id].type;
    const int type_bytes = ptx::bytes_of(value.type);
    const auto bytes = static_cast<std::size_t>(std::min(type_bytes == 1 ? 2 : type_bytes, 8));
    std::uint32_t predicate = 0;
    std::memcpy(&predicate, frame->file + slot, 4);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (value.type == ptx::Type::pred)
        value.lanes[lane] = predicate >> lane & 1u;
      else
        std::memcpy(&value.lanes[lane], frame->file + slot + lane * bytes, bytes);
    }
  }
  return values;
}

}  // namespace lanescope::sim
