#include "job/run/numbers.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/run/machine.h"
#include "lesson/marks.h"
#include "lesson/nearest.h"
#include "metrics/recompute.h"
#include "metrics/report.h"
#include "metrics/request_cost.h"

namespace lanescope::job {

namespace {

constexpr const char* mark_numbers[] = {"executions", "executed_lanes", "divergent"};

Diagnostic unknown_number(const lesson::NumberReference& reference) {
  std::vector<std::string> known = metrics::names();
  if (!reference.mark.empty()) {
    known.insert(known.end(), std::begin(mark_numbers), std::end(mark_numbers));
    known.emplace_back("bank_degree");
  }
  if (reference.step > 0) known.emplace_back("warps");
  if (reference.mark.empty())
    known.insert(known.end(), {"registers", "occupancy", "time", "time_low", "time_high", "time_samples", "bandwidth"});
  return {Severity::error,
          "lesson.unknown_name",
          {},
          worded("There is no number `{}` (in `{}`).", reference.number, reference.text()),
          lesson::did_you_mean(reference.number, known)};
}

// The events and totals of some of a trace's sites.
struct Excerpt {
  trace::Trace trace;                                               // totals of these sites only
  std::set<trace::MemoryClass> classes;                             // classes of their accesses
  std::uint64_t executions = 0, executed_lanes = 0, divergent = 0;  // of the first site
  std::uint64_t bank_degree = 0;
  std::uint64_t warps = 0;  // warps in which a lane executed the first site at the wanted step
};

trace::MemoryClass class_of_site(const trace::Site& site, const trace::MemoryTotals& totals) {
  const bool shared = totals.wavefronts > 0 && totals.sectors == 0;
  const auto generic = shared ? trace::MemorySpace::shared : trace::MemorySpace::global;
  const auto space = site.space == trace::MemorySpace::none ? generic : site.space;
  const bool copies = site.operation == trace::Operation::async_copy;
  return trace::class_of(space, copies ? trace::Operation::load : site.operation);
}

void add_class(Excerpt& excerpt, trace::MemoryClass memory_class, const trace::MemoryTotals& totals) {
  excerpt.trace.totals.of(memory_class) += totals;
  excerpt.classes.insert(memory_class);
}

void add_cost(Excerpt& excerpt, const trace::Trace& trace, const trace::WarpEvent& event) {
  const metrics::RequestCost cost = metrics::cost(trace, event);
  const trace::Site& site = trace.sites[event.site];
  const bool copies = site.operation == trace::Operation::async_copy;
  const bool shared = event.space == trace::MemorySpace::shared;
  const auto operation = !copies ? site.operation : shared ? trace::Operation::store : trace::Operation::load;
  trace::MemoryTotals totals;
  totals.requests = event.executed.empty() ? 0 : 1;
  totals.executed_lanes = static_cast<std::uint64_t>(event.executed.count());
  totals.bytes_requested = cost.bytes_requested;
  totals.sectors = cost.sectors;
  totals.ideal_sectors = cost.ideal_sectors;
  totals.wavefronts = cost.wavefronts;
  totals.ideal_wavefronts = cost.ideal_wavefronts;
  totals.serial_depth = cost.serial_depth;
  add_class(excerpt, trace::class_of(event.space, operation), totals);
}

// The sites on the marked lines in program order, without basic-block entries.
std::vector<std::uint32_t> marked_sites(const trace::Trace& trace, const lesson::Mark& mark) {
  std::vector<std::uint32_t> chosen;
  for (const trace::Site& site : trace.sites)
    if (site.kind != trace::EventKind::block_entry && mark.contains(site.line)) chosen.push_back(site.id);
  return chosen;
}

// The requests of a generic access may be of several classes, which only their events tell.
void add_site(Excerpt& excerpt, const trace::Trace& trace, const trace::Site& site) {
  const trace::SiteTotals& totals = trace.totals.sites[site.id];
  if (site.space == trace::MemorySpace::none && metrics::events_are_complete(trace)) {
    for (const trace::WarpEvent& event : trace.events)
      if (event.site == site.id) add_cost(excerpt, trace, event);
    return;
  }
  add_class(excerpt, class_of_site(site, totals.memory), totals.memory);
  if (site.operation == trace::Operation::async_copy)
    add_class(excerpt, trace::MemoryClass::shared_store, totals.memory_shared_part);
}

Excerpt whole_launch(const trace::Trace& trace, const std::vector<std::uint32_t>& chosen) {
  Excerpt excerpt;
  for (const std::uint32_t id : chosen) {
    const trace::Site& site = trace.sites[id];
    const trace::SiteTotals& totals = trace.totals.sites[id];
    if (id == chosen.front()) {
      excerpt.executions = totals.executions;
      excerpt.executed_lanes = totals.executed_lanes;
      excerpt.divergent = totals.divergent;
    }
    if (site.kind == trace::EventKind::memory) add_site(excerpt, trace, site);
  }
  return excerpt;
}

void add_bank_degree(Excerpt& excerpt, const trace::Trace& trace, const trace::WarpEvent& event) {
  if (event.kind != trace::EventKind::memory || event.space != trace::MemorySpace::shared) return;
  const trace::Site& site = trace.sites[event.site];
  const int degree =
      metrics::bank_degree(trace.lane_addresses(event), event.executed, site.width, metrics::phases_of(site));
  excerpt.bank_degree = std::max(excerpt.bank_degree, static_cast<std::uint64_t>(degree));
}

// The step-th execution of each marked instruction by each warp of block 0.
Excerpt one_step(const trace::Trace& trace, const lesson::Mark& mark, const lesson::NumberReference& reference) {
  Excerpt excerpt;
  const std::vector<std::uint32_t> chosen = marked_sites(trace, mark);
  for (std::uint32_t warp = 0; warp < trace.launch.warps_per_block(); ++warp) {
    if (reference.warp >= 0 && warp != static_cast<std::uint32_t>(reference.warp)) continue;
    const std::span<const trace::WarpEvent> events = trace.warp(0, warp);
    for (const std::size_t index : executions_at(trace, mark, warp, reference.step)) {
      const trace::WarpEvent& event = events[index];
      if (event.site == chosen.front()) {
        const bool further = index > 0 && metrics::same_execution(events[index - 1], event);
        const bool second_side = trace.sites[event.site].operation == trace::Operation::async_copy && further;
        excerpt.executions += further ? 0 : 1;
        excerpt.executed_lanes += second_side ? 0 : static_cast<std::uint64_t>(event.executed.count());
        excerpt.warps += further || event.executed.empty() ? 0 : 1;
        excerpt.divergent +=
            event.kind == trace::EventKind::branch && !event.executed.empty() && event.executed != event.active;
      }
      if (event.kind == trace::EventKind::memory) add_cost(excerpt, trace, event);
      add_bank_degree(excerpt, trace, event);
    }
  }
  return excerpt;
}

Result<std::optional<double>> from_excerpt(const Excerpt& excerpt, const lesson::NumberReference& reference) {
  const std::string& name = reference.number;
  const auto count = [](std::uint64_t value) { return std::optional<double>(static_cast<double>(value)); };
  if (name == "executions") return count(excerpt.executions);
  if (name == "executed_lanes") return count(excerpt.executed_lanes);
  if (name == "divergent") return count(excerpt.divergent);
  if (name == "bank_degree") return count(excerpt.bank_degree);
  if (name == "warps" && reference.step > 0) return count(excerpt.warps);
  // For a part of a kernel, only numbers from memory totals are known.
  const std::size_t dot = name.find('.');
  std::string full = name;
  if (dot == std::string::npos) {
    if (excerpt.classes.size() != 1) {
      std::vector<std::string> classes;
      for (const trace::MemoryClass c : excerpt.classes) classes.emplace_back(trace::name_of(c));
      if (classes.empty()) return unknown_number(reference);
      return Diagnostic{Severity::error,
                        "lesson.unknown_name",
                        {},
                        worded("`{}` does not say which accesses it means.", reference.text()),
                        worded("Write {}.{}, or one of: {}.", classes.front(), name, lesson::joined(classes))};
    }
    full = fmt::format("{}.{}", trace::name_of(*excerpt.classes.begin()), name);
  }
  const metrics::Measurement found = metrics::find(excerpt.trace, full);
  if (found.name.empty()) return unknown_number(reference);
  return found.applicable ? std::optional<double>(found.value) : std::nullopt;
}

Result<lesson::Mark> mark_named(const std::string& source, const std::string& name) {
  std::vector<std::string> known;
  for (lesson::Mark& mark : lesson::marks(source)) {
    if (mark.name == name) return std::move(mark);
    known.push_back(mark.name);
  }
  return Diagnostic{
      Severity::error,
      "lesson.bad_mark",
      {},
      worded("The kernel has no line marked `@{}`.", name),
      worded("Add the comment `// @{}` to the line it refers to. {}", name, lesson::did_you_mean(name, known))};
}

}  // namespace

std::vector<std::size_t> executions_at(const trace::Trace& trace, const lesson::Mark& mark, std::uint32_t warp,
                                       int step) {
  std::vector<std::size_t> found;
  std::map<std::uint32_t, int> executions;  // by instruction
  const std::span<const trace::WarpEvent> events = trace.warp(0, warp);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind == trace::EventKind::block_entry || !mark.contains(trace.sites[events[i].site].line)) continue;
    int& count = executions[events[i].site];
    if (i == 0 || !metrics::same_execution(events[i - 1], events[i])) ++count;
    if (count == step) found.push_back(i);
  }
  return found;
}

Result<std::optional<LaneMask>> lanes_of(const Outcome& outcome, const lesson::NumberReference& reference) {
  const Result<lesson::Mark> mark = mark_named(outcome.request.source.text, reference.mark);
  if (!mark) return mark.errors();
  const trace::Trace* trace = outcome.trace_of(reference.launch);
  if (!trace) return std::optional<LaneMask>();
  const std::vector<std::uint32_t> chosen = marked_sites(*trace, *mark);
  const std::span<const trace::WarpEvent> events = trace->warp(0, static_cast<std::uint32_t>(reference.warp));
  if (chosen.empty() || events.empty()) return std::optional<LaneMask>();
  for (const std::size_t index :
       executions_at(*trace, *mark, static_cast<std::uint32_t>(reference.warp), reference.step))
    if (events[index].site == chosen.front()) return std::optional(events[index].executed);
  return std::optional(LaneMask::none());
}

Result<std::optional<double>> number_of(const trace::Trace& trace, const std::string& source,
                                        const lesson::NumberReference& reference) {
  if (reference.launch != 1)
    return Diagnostic{
        Severity::error, "lesson.unknown_name", {}, worded("`{}` belongs to another launch.", reference.text()), ""};
  if (reference.mark.empty()) {
    const metrics::Measurement found = metrics::find(trace, reference.number);
    if (found.name.empty()) return unknown_number(reference);
    return found.applicable ? std::optional<double>(found.value) : std::nullopt;
  }
  const Result<lesson::Mark> mark = mark_named(source, reference.mark);
  if (!mark) return mark.errors();
  const std::vector<std::uint32_t> chosen = marked_sites(trace, *mark);
  if (reference.step > 0) return from_excerpt(one_step(trace, *mark, reference), reference);
  Excerpt excerpt = whole_launch(trace, chosen);
  if (reference.number == "bank_degree")
    for (const trace::WarpEvent& event : trace.events)
      if (std::find(chosen.begin(), chosen.end(), event.site) != chosen.end()) add_bank_degree(excerpt, trace, event);
  return from_excerpt(excerpt, reference);
}

namespace {

Result<std::optional<double>> buffer_element(const Outcome& outcome, const lesson::NumberReference& reference) {
  std::vector<std::string> known;
  for (const BufferSummary& buffer : outcome.buffers) {
    if (buffer.name == reference.buffer)
      return element_of(outcome.arguments[static_cast<std::size_t>(buffer.argument)], reference.element);
    known.push_back(buffer.name);
  }
  return Diagnostic{Severity::error,
                    "lesson.unknown_name",
                    {},
                    worded("There is no buffer `{}`.", reference.buffer),
                    lesson::did_you_mean(reference.buffer, known)};
}

}  // namespace

Result<std::optional<double>> number_of(const Outcome& outcome, const lesson::NumberReference& reference) {
  if (!reference.buffer.empty()) return buffer_element(outcome, reference);
  if (reference.launch == 0) {
    if (!reference.mark.empty())
      return Diagnostic{Severity::error,
                        "lesson.bad_mark",
                        {},
                        worded("`{}`: a mark belongs to one launch.", reference.text()),
                        "Name the launch, or remove the mark."};
    const metrics::Measurement found =
        metrics::find(outcome.all_totals(), outcome.first().trace.origin, reference.number);
    if (found.name.empty()) return unknown_number(reference);
    return found.applicable ? std::optional<double>(found.value) : std::nullopt;
  }
  const trace::Trace* trace = outcome.trace_of(reference.launch);
  if (!trace) return std::optional<double>();  // the launch was repeated zero times
  if (reference.mark.empty() && (reference.number == "registers" || reference.number == "occupancy")) {
    const Result<MachineFacts> facts = machine_facts(outcome, reference.launch);
    if (!facts) return facts.errors();
    if (reference.number == "registers") return std::optional<double>(facts->registers);
    return facts->occupancy ? std::optional(facts->occupancy->fraction * 100) : std::nullopt;
  }
  lesson::NumberReference within = reference;
  within.launch = 1;
  return number_of(*trace, outcome.request.source.text, within);
}

}  // namespace lanescope::job
