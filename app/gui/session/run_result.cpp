#include "gui/session/run_result.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <string_view>

#include "compile/nvcc/nvcc_kernels.h"
#include "core/os/clock.h"
#include "core/os/environment.h"
#include "core/text.h"
#include "gui/forms/cures.h"
#include "gui/forms/kernel_file.h"
#include "gui/programs/open_run.h"
#include "job/lesson/lesson_request.h"
#include "job/report/pictures.h"
#include "job/request/launch_completion.h"
#include "job/run/kept.h"
#include "job/run/numbers.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"
#include "metrics/site_requests.h"
#include "ptx/module.h"
#include "ptx/source_line.h"

namespace lanescope::gui {
namespace {

using trace::EventKind;
using trace::MemorySpace;

double lanes_of(const trace::SiteTotals& totals) {
  if (totals.executions == 0) return -1;
  // wmma.load and wmma.store make several requests of up to 32 lanes each time.
  const bool several = totals.executed_lanes > totals.executions * MemoryModel::lanes && totals.memory.requests > 0;
  return static_cast<double>(totals.executed_lanes) /
         (static_cast<double>(MemoryModel::lanes) *
          static_cast<double>(several ? totals.memory.requests : totals.executions));
}

// An access that reached several memories: an entry for its requests of shared memory, and one for the others. Empty if
// the events do not tell them apart.
std::vector<LineEntry> parts_of(const trace::Trace& t, const LineEntry& entry, std::uint32_t site) {
  if (metrics::requests_are_alike(entry.totals.memory) || !metrics::events_are_complete(t)) return {};
  std::vector<LineEntry> parts(2, entry);
  for (LineEntry& part : parts) part.totals.memory = {};
  for (const trace::WarpEvent& event : t.events)
    if (event.site == site && event.kind == EventKind::memory)
      metrics::add(parts[event.space == MemorySpace::shared].totals.memory, metrics::cost(t, event), event.executed,
                   entry.operation);
  return parts;
}

std::vector<LineCost> cost_by_line(const job::Outcome& outcome) {
  std::map<int, LineCost> lines;
  const trace::Trace& t = outcome.first().trace;
  // The totals of a branch count the lanes that jump; those that reach it entered its basic block.
  std::map<std::pair<std::int32_t, std::int32_t>, double> entered;
  for (std::size_t i = 0; i < t.sites.size() && i < t.totals.sites.size(); ++i)
    if (const trace::Site& site = t.sites[i]; site.kind == EventKind::block_entry)
      entered[{site.function, site.basic_block}] = lanes_of(t.totals.sites[i]);
  for (std::size_t i = 0; i < t.sites.size() && i < t.totals.sites.size(); ++i) {
    const trace::Site& site = t.sites[i];
    if (site.line <= 0 || site.file != outcome.request.source.name) continue;
    LineCost& line = lines[site.line];
    line.line = site.line;
    double lanes = lanes_of(t.totals.sites[i]);
    if (site.kind == EventKind::branch && lanes >= 0) {
      const auto block = entered.find({site.function, site.basic_block});
      lanes = block == entered.end() ? -1 : block->second;
    }
    const LineEntry entry{site.opcode, site.kind, site.operation, t.totals.sites[i], lanes};
    std::vector<LineEntry> parts = parts_of(t, entry, site.id);
    if (parts.empty()) parts.push_back(entry);
    for (LineEntry& part : parts) line.entries.push_back(std::move(part));
  }
  std::vector<LineCost> sorted;
  for (auto& [number, line] : lines) sorted.push_back(std::move(line));
  return sorted;
}

std::vector<PtxLine> ptx_listing(const job::Outcome& outcome) {
  const auto module = ptx::parse(outcome.first().ptx, outcome.request.source.name);
  if (!module) return {};
  const ptx::Function* kernel = module->find_function(outcome.first().mangled_kernel);
  if (kernel == nullptr || kernel->instructions.empty()) return {};
  const std::vector<std::string_view> text = split(outcome.first().ptx, '\n');
  std::map<int, int> line_of;
  int first = kernel->ptx_line, last = first;
  for (const ptx::Instruction& i : kernel->instructions) {
    line_of[i.ptx_line] = ptx::line_in(*module, i.source, outcome.request.source.name);
    last = std::max(last, i.ptx_line);
  }
  std::vector<PtxLine> listing;
  for (int number = std::max(first, 1); number <= last && number <= static_cast<int>(text.size()); ++number) {
    std::string line(text[static_cast<std::size_t>(number) - 1]);
    const std::size_t word = line.find_first_not_of(" \t");
    if (word == std::string::npos || line.compare(word, 4, ".loc") == 0) continue;
    for (std::size_t pad; (pad = line.find(" \t")) != std::string::npos;) line.erase(pad + 1, 1);
    for (std::size_t tab; (tab = line.find('\t')) != std::string::npos;) line.replace(tab, 1, "  ");
    const auto found = line_of.find(number);
    listing.push_back({number, found == line_of.end() ? 0 : found->second, std::move(line)});
  }
  return listing;
}

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serials{0};
  return ++serials;
}

// Computes once what the window shows of a trace.
void prepare(RunResult& result, bool events) {
  result.numbers = metrics::report(result.outcome.first().trace);
  if (!events) return;
  result.lines = cost_by_line(result.outcome);
  result.ptx = ptx_listing(result.outcome);
  result.phase_work = job::phase_work(result.outcome.first().trace, result.outcome.request);
}

bool was_stopped(const job::Outcome& outcome) {
  return std::ranges::any_of(outcome.diagnostics, [](const Diagnostic& one) { return one.code == "run.cancelled"; });
}

std::shared_ptr<const RunResult> later_launch(const RunResult& whole, int launch) {
  const job::LaunchOutcome& of = *whole.outcome.launch(launch);
  if (of.repeats == 0) return nullptr;
  auto result = std::make_shared<RunResult>();
  result->serial = next_serial();
  result->key = whole.key;
  result->launch = launch;
  result->repeats = of.repeats;
  job::Outcome& outcome = result->outcome;
  outcome.request = whole.outcome.request;
  outcome.request.first().kernel = of.trace.kernel;
  outcome.request.first().shape = of.trace.launch;
  outcome.completed = !of.fault;
  outcome.first().fault = of.fault;
  result->stopped = was_stopped(whole.outcome);
  outcome.first().trace = of.trace;
  outcome.first().ptx = of.ptx;
  outcome.first().mangled_kernel = of.mangled_kernel;
  outcome.checks = whole.outcome.checks;
  prepare(*result, true);
  return result;
}

}  // namespace

HeatValue heat_of(const LineCost& line, Heat heat) {
  HeatValue best;
  const auto offer = [&](const LineEntry& entry, double value, double ideal, bool worse) {
    if (best.any && !worse) return;
    best = {true, value, ideal, &entry};
  };
  for (const LineEntry& e : line.entries) {
    const auto requests = static_cast<double>(e.totals.memory.requests);
    switch (heat) {
      case Heat::sectors_per_request: {
        if (e.totals.memory.sectors == 0 || !metrics::requests_are_alike(e.totals.memory)) break;
        const double value = static_cast<double>(e.totals.memory.sectors) / requests;
        offer(e, value, static_cast<double>(e.totals.memory.ideal_sectors) / requests, value > best.value);
        break;
      }
      case Heat::wavefronts_per_request: {
        const trace::MemoryTotals& m = e.totals.memory.wavefronts > 0 ? e.totals.memory : e.totals.memory_shared_part;
        if (m.wavefronts == 0 || !metrics::requests_are_alike(m)) break;
        const double value = static_cast<double>(m.wavefronts) / static_cast<double>(m.requests);
        offer(e, value, static_cast<double>(m.ideal_wavefronts) / static_cast<double>(m.requests), value > best.value);
        break;
      }
      case Heat::lanes: {
        if (e.lanes >= 0) offer(e, e.lanes, 1, e.lanes < best.value);
        break;
      }
      case Heat::executions: {
        if (e.totals.executions == 0) break;
        const auto value = static_cast<double>(e.totals.executions);
        offer(e, value, 0, value > best.value);
        break;
      }
    }
  }
  return best;
}

Heat farthest_from_ideal(const RunResult& result) {
  struct Sum {
    double is = 0, ideal = 0;
    void add(double of, double ideal_of) { is += of, ideal += ideal_of; }
    double ratio() const { return ideal > 0 ? is / ideal : 1; }
  } sectors, wavefronts, lanes;
  for (const LineCost& line : result.lines)
    for (const LineEntry& e : line.entries) {
      const trace::MemoryTotals& m = e.totals.memory;
      if (metrics::requests_are_alike(m))
        sectors.add(static_cast<double>(m.sectors), static_cast<double>(m.ideal_sectors));
      for (const trace::MemoryTotals* part : {&m, &e.totals.memory_shared_part})
        if (metrics::requests_are_alike(*part))
          wavefronts.add(static_cast<double>(part->wavefronts), static_cast<double>(part->ideal_wavefronts));
      const auto executions = static_cast<double>(e.totals.executions);
      if (e.lanes >= 0) lanes.add(executions, executions * e.lanes);
    }
  constexpr double telling = 1.05;  // a tail of idle lanes is not
  Heat most = Heat::sectors_per_request;
  double ratio = std::max(sectors.ratio(), telling);
  for (const auto& [heat, of] :
       {std::pair{Heat::wavefronts_per_request, wavefronts.ratio()}, {Heat::lanes, lanes.ratio()}})
    if (of > ratio) most = heat, ratio = of;
  return most;
}

const RunResult* RunResult::of_launch(int number) const {
  if (number < 1 || number > launch_count()) return nullptr;
  return number == 1 ? this : launches[static_cast<std::size_t>(number) - 1].get();
}

const trace::FaultPlace* RunResult::fault() const {
  const auto& of = outcome.first().fault;
  return of ? &*of : nullptr;
}

int RunResult::faulty_launch() const {
  for (int number = 1; number <= outcome.launch_count(); ++number)
    if (outcome.launch(number)->fault) return number;
  return 0;
}

std::optional<std::size_t> RunResult::fault_step() const {
  if (fault() == nullptr) return std::nullopt;
  const auto events = outcome.first().trace.warp(fault()->block, fault()->warp);
  if (events.empty()) return std::nullopt;
  const auto at =
      std::ranges::find_if(events, [&](const trace::WarpEvent& event) { return event.sequence == fault()->sequence; });
  return static_cast<std::size_t>((at == events.end() ? at - 1 : at) - events.begin());
}

bool RunResult::reaches_fault() const {
  const auto step = fault_step();
  return step && outcome.first().trace.warp(fault()->block, fault()->warp)[*step].sequence == fault()->sequence;
}

const LineCost* RunResult::line(int number) const {
  const auto found = std::ranges::find(lines, number, &LineCost::line);
  return found == lines.end() ? nullptr : &*found;
}

namespace {

// The events of the faulty launch that can be kept may end before the warp that failed. Then runs again for the events
// of its block and of the first one.
template <typename Run>
job::Outcome run_up_to_fault(job::Request& request, const sim::Progress& progress, const Run& run) {
  constexpr double most_seconds = 10;  // of a run that is made twice
  job::Outcome outcome = run();
  if (outcome.completed || progress.cancel || !request.record.events || outcome.run_seconds > most_seconds)
    return outcome;
  const auto faulty =
      std::ranges::find_if(outcome.launches, [](const auto& launch) { return launch.fault.has_value(); });
  if (faulty == outcome.launches.end() || faulty->trace.events_dropped == 0) return outcome;
  const trace::FaultPlace& place = *faulty->fault;
  const auto kept = faulty->trace.warp(place.block, place.warp);
  if (!kept.empty() && kept.back().sequence == place.sequence) return outcome;
  request.record.blocks = {place.block};
  if (place.block != 0) request.record.blocks.insert(request.record.blocks.begin(), 0);
  return run();
}

// Whether there is something to show: the run came to its end, or into a launch.
bool has_run(const job::Outcome& outcome) {
  return outcome.completed || std::ranges::any_of(outcome.launches, [](const job::LaunchOutcome& launch) {
           return launch.fault.has_value();
         });
}

// Several results are kept at the same time. The picture of blocks × phases needs all blocks of a grid.
std::uint64_t event_budget(const job::Request& request) {
  if (const auto asked = value_of_variable("LANESCOPE_EVENTS_MIB")) {
    std::uint64_t mib = 0;
    if (std::from_chars(asked->data(), asked->data() + asked->size(), mib).ec == std::errc() && mib > 0 &&
        mib < 1u << 20)
      return mib << 20;
  }
  if (request.kept && request.kept->event_budget != 0) return request.kept->event_budget;
  return (request.first().shape.cooperative ? 128ull : 32ull) << 20;
}

std::shared_ptr<RunResult> new_result(const RunKey& key) {
  auto result = std::make_shared<RunResult>();
  result->serial = next_serial();
  result->key = key;
  return result;
}

}  // namespace

std::shared_ptr<const RunResult> result_of(job::Outcome outcome, const RunKey& key) {
  auto result = new_result(key);
  result->outcome = std::move(outcome);
  result->numbers = metrics::report(result->outcome.first().trace);
  result->lines = cost_by_line(result->outcome);
  result->ptx = ptx_listing(result->outcome);
  result->running_sum = job::running_sum(result->outcome);
  return result;
}

std::shared_ptr<const RunResult> result_of_launch(job::Outcome outcome, const RunKey& key,
                                                  const job::WhichLaunch& which) {
  auto result = new_result(key);
  result->launch = which.number, result->repeats = which.repeats;
  result->first_repeat_alone = which.repeats > 1;
  result->outcome = std::move(outcome);
  result->numbers = metrics::report(result->outcome.first().trace);
  result->lines = cost_by_line(result->outcome);
  result->ptx = ptx_listing(result->outcome);
  return result;
}

namespace {

// The variant as this run launches and checks it.
lesson::Variant launched(const lesson::Lesson& lesson, const lesson::Variant& variant, const RunKey& key) {
  const auto task = std::ranges::find(lesson.tasks, key.launch, &lesson::Task::id);
  if (key.launch.empty() || task == lesson.tasks.end() || task->variant != variant.id) return variant;
  lesson::Variant made = lesson.variant_of(*task);
  made.file = variant.file;
  return made;
}

}  // namespace

Result<job::Request> request_of(const lesson::Lesson& lesson, const lesson::Variant& variant, const RunKey& key) {
  auto request = job::from_lesson(lesson, launched(lesson, variant, key), key.controls);
  if (request) request->source.text = key.source;
  return request;
}

std::shared_ptr<const RunResult> make_result(const lesson::Lesson& lesson, const RunKey& key, sim::Progress& progress,
                                             RunFor purpose) {
  auto result = new_result(key);
  const double start = seconds_now();
  const lesson::Variant* const of = lesson.find_variant(key.variant);
  if (of == nullptr) return result;
  const lesson::Variant as_launched = launched(lesson, *of, key);
  const lesson::Variant* const variant = &as_launched;
  auto request = request_of(lesson, *variant, key);
  if (!request) {
    result->outcome.diagnostics = request.take_errors();
    return result;
  }
  const bool events = purpose != RunFor::totals;
  request->record.events = events;
  request->record.event_budget_bytes = event_budget(*request);
  request->results = purpose != RunFor::totals;
  // The lesson's own text is known to have no races, or to be broken on purpose.
  const auto own = lesson.sources.find(variant->file);
  request->races_if_small =
      purpose == RunFor::screen && (own == lesson.sources.end() || own->second != key.text_to_record());
  constexpr std::uint64_t steps_beside = 50'000'000;  // far more than any lesson takes
  if (purpose != RunFor::screen) {
    request->threads = 1;
    request->max_steps = steps_beside;
  }
  result->outcome = run_up_to_fault(*request, progress, [&] { return job::run(*request, variant, &progress); });
  result->outcome.diagnostics = as_window_cures(std::move(result->outcome.diagnostics), *variant);
  result->stopped = was_stopped(result->outcome);
  if (has_run(result->outcome)) {
    prepare(*result, events);
    if (events) {
      if (result->outcome.completed) result->running_sum = job::running_sum(result->outcome);
      for (int launch = 2; launch <= result->outcome.launch_count(); ++launch)
        result->launches.push_back(later_launch(*result, launch));
      if (result->outcome.completed) result->wrong = job::wrong_results(result->outcome);
    }
  }
  for (const job::WrongResult& wrong : result->wrong) result->remarks.push_back(wrong.said);
  result->remarks.insert(result->remarks.end(), result->outcome.diagnostics.begin(), result->outcome.diagnostics.end());
  result->seconds = seconds_now() - start;
  return result;
}

namespace {

// Runs what replaces the lessons, which has no checks and no later launches. `make_request` is part of its time;
// `cures` puts the window's words in place of the engine's.
template <typename MakeRequest, typename Cures>
std::shared_ptr<const RunResult> run_alone(std::shared_ptr<RunResult> result, const MakeRequest& make_request,
                                           const Cures& cures, sim::Progress& progress) {
  const double start = seconds_now();
  Result<job::Request> request = make_request();
  if (!request) {
    result->outcome.diagnostics = request.take_errors();
    return result;
  }
  request->record.events = true;
  request->record.event_budget_bytes = event_budget(*request);
  result->outcome = run_up_to_fault(*request, progress, [&] { return job::run(*request, nullptr, &progress); });
  result->outcome.diagnostics = cures(std::move(result->outcome.diagnostics));
  result->stopped = was_stopped(result->outcome);
  if (has_run(result->outcome)) {
    prepare(*result, true);
    if (result->outcome.completed) result->running_sum = job::running_sum(result->outcome);
  }
  result->remarks = result->outcome.diagnostics;
  result->seconds = seconds_now() - start;
  return result;
}

}  // namespace

Result<job::Request> request_of(const OpenRun& run, const lesson::Variant& variant) {
  const std::optional<std::size_t> index = run.file->find(std::stoull(variant.id));
  auto launch = run.file->launch(index.value());
  if (!launch) return launch.take_errors();
  return job::request_of(std::move(*launch));
}

std::shared_ptr<const RunResult> make_result(const OpenRun& run, const RunKey& key, sim::Progress& progress) {
  auto result = new_result(key);
  const auto of = std::ranges::find(run.lesson.variants, key.variant, &lesson::Variant::id);
  if (of == run.lesson.variants.end()) return result;
  const auto make_request = [&] {
    Result<job::Request> request = request_of(run, *of);
    if (request) request->races_if_small = true;
    return request;
  };
  return run_alone(
      std::move(result), make_request, [&](Diagnostics said) { return as_window_cures(std::move(said), *of); },
      progress);
}

Result<job::Request> request_of(const KernelFile& file, const RunKey& key) {
  Diagnostics notes;
  return job::request_of(job::with_a_byte(job::form_from(key.launch)), file.source(key.source), notes);
}

namespace {

// What the compiler says about a text without a kernel; if it says nothing, that there is none.
std::shared_ptr<const RunResult> without_kernel(const KernelFile& file, const RunKey& key, sim::Progress& progress) {
  auto result = new_result(key);
  compile::Options options;
  options.cancel = &progress.cancel;
  Result<compile::Ptx> compiled = compile::compile_with_either(file.source(key.source), options);
  result->outcome.diagnostics = compiled ? Diagnostics{{Severity::error,
                                                        "command.which_kernel",
                                                        {file.path},
                                                        "The file has no kernel.",
                                                        "Mark a function with __global__."}}
                                         : as_form_cures(compiled.take_errors());
  return result;
}

}  // namespace

std::shared_ptr<const RunResult> make_result(const KernelFile& file, const RunKey& key, sim::Progress& progress) {
  if (!file.has_kernel()) return without_kernel(file, key, progress);
  return run_alone(
      new_result(key), [&] { return request_of(file, key); }, as_form_cures, progress);
}

std::optional<double> quoted_number(const RunResult& result, const lesson::NumberReference& reference) {
  const auto number = job::number_of(result.outcome, reference);
  return number.ok() ? number.value() : std::nullopt;
}

std::int64_t event_weight(const trace::Trace& trace, const trace::WarpEvent& event) {
  if (event.kind == EventKind::shuffle) return 1;
  if (event.kind != EventKind::memory) return 0;
  const bool shared = event.space == MemorySpace::shared;
  if (!shared && event.space != MemorySpace::global && event.space != MemorySpace::local) return 0;
  const metrics::RequestCost cost = metrics::cost(trace, event);
  if (shared) return 2 + std::int64_t{cost.bank_conflicts()};
  if (trace::is_atomic(trace.sites[event.site].operation)) return 2 + std::int64_t{cost.serial_depth};
  return 2 + std::int64_t{cost.sectors} - std::int64_t{cost.ideal_sectors};
}

std::size_t most_telling_step(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp) {
  const auto events = trace.warp(block, warp);
  std::size_t best = 0;
  std::int64_t best_weight = -1;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::int64_t weight = event_weight(trace, events[i]);
    if (weight > best_weight) best = i, best_weight = weight;
  }
  return best;
}

}  // namespace lanescope::gui
