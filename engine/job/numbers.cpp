#include "job/numbers.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/machine.h"
#include "lesson/marks.h"
#include "lesson/nearest.h"
#include "metrics/report.h"
#include "metrics/request_cost.h"

namespace lanescope::job {

namespace {

// A slider that is dragged about leaves runs behind; a text needs a few dozen at once.
constexpr std::size_t most_runs_kept = 256;
// Of each buffer of such a run: sums and other small results, which a text may quote.
constexpr std::size_t most_bytes_kept = 1 << 20;

constexpr const char* mark_numbers[] = {"executions", "executed_lanes", "divergent"};

Diagnostic unknown_number(const lesson::NumberReference& reference) {
  std::vector<std::string> known = metrics::names();
  if (!reference.mark.empty()) {
    known.insert(known.end(), std::begin(mark_numbers), std::end(mark_numbers));
    known.emplace_back("bank_degree");
  }
  if (reference.step > 0) known.emplace_back("warps");
  if (reference.mark.empty()) known.insert(known.end(), {"registers", "occupancy", "time", "time_low", "time_high", "time_samples", "bandwidth"});
  return {Severity::error, "lesson.unknown_name", {},
          worded("There is no number `{}` (in `{}`).", reference.number, reference.text()),
          lesson::did_you_mean(reference.number, known)};
}

// What happened at some of a trace's sites.
struct Excerpt {
  trace::Trace trace;                    // totals of these sites only
  std::set<trace::MemoryClass> classes;  // of their accesses
  std::uint64_t executions = 0, executed_lanes = 0, divergent = 0;  // of the first site
  std::uint64_t bank_degree = 0;
  std::uint64_t warps = 0;               // with a lane that executed the first site, at the wanted step
};

trace::MemoryClass class_of(const trace::Site& site) {
  const auto space = site.space == trace::MemorySpace::none ? trace::MemorySpace::global : site.space;
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

// The sites on the marked lines, entries of basic blocks left out, in program order.
std::vector<std::uint32_t> marked_sites(const trace::Trace& trace, const lesson::Mark& mark) {
  std::vector<std::uint32_t> chosen;
  for (const trace::Site& site : trace.sites)
    if (site.kind != trace::EventKind::block_entry && mark.contains(site.line)) chosen.push_back(site.id);
  return chosen;
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
    if (site.kind != trace::EventKind::memory) continue;
    add_class(excerpt, class_of(site), totals.memory);
    if (site.operation == trace::Operation::async_copy)
      add_class(excerpt, trace::MemoryClass::shared_store, totals.memory_shared_part);
  }
  return excerpt;
}

void add_bank_degree(Excerpt& excerpt, const trace::Trace& trace, const trace::WarpEvent& event) {
  if (event.kind != trace::EventKind::memory || event.space != trace::MemorySpace::shared) return;
  const int degree = metrics::bank_degree(trace.lane_addresses(event), event.executed, trace.sites[event.site].width);
  excerpt.bank_degree = std::max(excerpt.bank_degree, static_cast<std::uint64_t>(degree));
}

// Each warp's step-th execution of each marked instruction, in block 0.
Excerpt one_step(const trace::Trace& trace, const lesson::Mark& mark, const lesson::NumberReference& reference) {
  Excerpt excerpt;
  const std::vector<std::uint32_t> chosen = marked_sites(trace, mark);
  for (std::uint32_t warp = 0; warp < trace.launch.warps_per_block(); ++warp) {
    if (reference.warp >= 0 && warp != static_cast<std::uint32_t>(reference.warp)) continue;
    for (const std::size_t index : executions_at(trace, mark, warp, reference.step)) {
      const trace::WarpEvent& event = trace.warp(0, warp)[index];
      if (event.site == chosen.front()) {
        ++excerpt.executions;
        excerpt.executed_lanes += static_cast<std::uint64_t>(event.executed.count());
        excerpt.warps += event.executed.empty() ? 0 : 1;
        excerpt.divergent += event.kind == trace::EventKind::branch && !event.executed.empty() &&
                             event.executed != event.active;
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
  // Only what comes from memory totals is known for part of a kernel.
  const std::size_t dot = name.find('.');
  std::string full = name;
  if (dot == std::string::npos) {
    if (excerpt.classes.size() != 1) {
      std::vector<std::string> classes;
      for (const trace::MemoryClass c : excerpt.classes) classes.emplace_back(trace::name_of(c));
      if (classes.empty()) return unknown_number(reference);
      return Diagnostic{Severity::error, "lesson.unknown_name", {},
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
  return Diagnostic{Severity::error, "lesson.bad_mark", {}, worded("The kernel has no line marked `@{}`.", name),
                    worded("Add the comment `// @{}` to the line it refers to. {}", name, lesson::did_you_mean(name, known))};
}

}  // namespace

std::vector<std::size_t> executions_at(const trace::Trace& trace, const lesson::Mark& mark, std::uint32_t warp, int step) {
  std::vector<std::size_t> found;
  std::map<std::uint32_t, int> executions;  // by instruction
  const std::span<const trace::WarpEvent> events = trace.warp(0, warp);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].kind != trace::EventKind::block_entry && mark.contains(trace.sites[events[i].site].line) &&
        ++executions[events[i].site] == step)
      found.push_back(i);
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
  for (const std::size_t index : executions_at(*trace, *mark, static_cast<std::uint32_t>(reference.warp), reference.step))
    if (events[index].site == chosen.front()) return std::optional(events[index].executed);
  return std::optional(LaneMask::none());
}

Result<std::optional<double>> number_of(const trace::Trace& trace, const std::string& source,
                                        const lesson::NumberReference& reference) {
  if (reference.launch != 1)
    return Diagnostic{Severity::error, "lesson.unknown_name", {}, worded("`{}` belongs to another launch.", reference.text()), ""};
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
      if (std::find(chosen.begin(), chosen.end(), event.site) != chosen.end())
        add_bank_degree(excerpt, trace, event);
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
  return Diagnostic{Severity::error, "lesson.unknown_name", {}, worded("There is no buffer `{}`.", reference.buffer),
                    lesson::did_you_mean(reference.buffer, known)};
}

}  // namespace

Result<std::optional<double>> number_of(const Outcome& outcome, const lesson::NumberReference& reference) {
  if (!reference.buffer.empty()) return buffer_element(outcome, reference);
  if (reference.launch == 0) {
    if (!reference.mark.empty())
      return Diagnostic{Severity::error, "lesson.bad_mark", {}, worded("`{}`: a mark belongs to one launch.", reference.text()),
                        "Name the launch, or remove the mark."};
    const metrics::Measurement found = metrics::find(outcome.all_totals(), outcome.trace.origin, reference.number);
    if (found.name.empty()) return unknown_number(reference);
    return found.applicable ? std::optional<double>(found.value) : std::nullopt;
  }
  const trace::Trace* trace = outcome.trace_of(reference.launch);
  if (!trace) return std::optional<double>();  // it was repeated zero times
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

std::shared_ptr<const LessonNumbers::Run> LessonNumbers::run(const lesson::Variant& variant, const lesson::ControlValues& controls,
                                                             const std::string* source) {
  std::string key = variant.id;
  for (const auto& [name, value] : controls) key += fmt::format(",{}={}", name, value);
  if (source) key += '\n' + *source;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = runs_.find(key); found != runs_.end()) return found->second;
  }
  auto made = std::make_shared<Run>();
  Result<Request> request = from_lesson(lesson_, variant, controls);
  if (request) {
    request->record.blocks = {0};
    if (source) request->source.text = *source;
    made->outcome = job::run(*request);
    if (!made->outcome.completed) made->errors = made->outcome.diagnostics;
    for (sim::Argument& argument : made->outcome.arguments)
      if (argument.contents.size() > most_bytes_kept) argument.contents = {};
  } else {
    made->errors = request.take_errors();
  }
  const std::lock_guard lock(mutex_);
  if (runs_.size() >= most_runs_kept) runs_.clear();
  return runs_.emplace(key, std::move(made)).first->second;
}

namespace {

// What is on screen, the reference's own before it, the defaults behind it.
lesson::ControlValues controls_of(const lesson::Lesson& lesson, const lesson::Variant& variant,
                                  const lesson::NumberReference& reference, const lesson::ControlValues& on_screen) {
  lesson::ControlValues values = lesson.defaults(variant);
  for (auto& [name, value] : values) {
    if (const auto found = on_screen.find(name); found != on_screen.end()) value = found->second;
    if (const auto found = reference.controls.find(name); found != reference.controls.end()) value = found->second;
  }
  return values;
}

}  // namespace

LessonNumbers::LessonNumbers(const lesson::Lesson& lesson, MeasuredSource measured)
    : lesson_(lesson), measured_(std::move(measured)) {
  for (const lesson::Yardstick& yardstick : lesson.yardsticks) {
    lesson::Variant& made = yardsticks_.emplace_back();
    made.id = yardstick.id;
    made.title = yardstick.title;
    made.controls = yardstick.controls;
    made.bytes = yardstick.bytes;
    made.place = yardstick.place;
    made.gpu_only = true;
  }
}

const lesson::Variant* LessonNumbers::variant_of(const lesson::NumberReference& reference, const std::string& on_screen) const {
  for (const lesson::Variant& yardstick : yardsticks_)
    if (yardstick.id == reference.variant) return &yardstick;
  return lesson_.find_variant(reference.variant == "current" || reference.variant.empty() ? on_screen : reference.variant);
}

std::optional<Measured> LessonNumbers::measured(const lesson::NumberReference& reference, const std::string& on_screen,
                                                const lesson::ControlValues& controls) const {
  const lesson::Variant* variant = variant_of(reference, on_screen);
  if (!variant || !measured_ || !lesson::is_measured(reference)) return std::nullopt;
  return measured_(*variant, controls_of(lesson_, *variant, reference, controls));
}

Result<std::optional<double>> LessonNumbers::value(const lesson::NumberReference& reference, const std::string& on_screen,
                                                   const lesson::ControlValues& controls, const std::string* edited) {
  const lesson::Variant* variant = variant_of(reference, on_screen);
  if (!variant)
    return Diagnostic{Severity::error, "lesson.unknown_name", {}, worded("There is no variant `{}`.", reference.variant), ""};
  const lesson::ControlValues values = controls_of(lesson_, *variant, reference, controls);
  if (lesson::is_measured(reference)) {
    const std::optional<Measured> found = measured(reference, on_screen, controls);
    if (reference.number.starts_with("time")) {
      if (!found) return std::optional<double>();
      return std::optional(reference.number == "time_low"       ? found->seconds.low
                           : reference.number == "time_high"    ? found->seconds.high
                           : reference.number == "time_samples" ? static_cast<double>(found->seconds.samples)
                                                                : found->seconds.median);
    }
    if (variant->bytes.text.empty())
      return Diagnostic{Severity::error, "lesson.unknown_name", variant->place,
                        worded("`{}` needs the number of bytes that `{}` must move.", reference.text(), variant->id),
                        "Add bytes = \"8 * n\" to the variant."};
    const Result<std::int64_t> bytes = lesson::evaluate(variant->bytes, values);
    if (!bytes) return bytes.errors();
    return found ? std::optional(static_cast<double>(*bytes) / found->seconds.median) : std::nullopt;
  }
  if (variant->gpu_only)
    return Diagnostic{Severity::error, "lesson.unknown_name", variant->place,
                      worded("`{}` runs on a GPU only: it has no number `{}`.", variant->id, reference.number),
                      "Refer to its time, or to another variant."};
  const auto own = lesson_.sources.find(variant->file);
  const bool is_edited = edited && variant->id == on_screen && own != lesson_.sources.end() && own->second != *edited;
  const std::shared_ptr<const Run> made = run(*variant, values, is_edited ? edited : nullptr);
  if (has_error(made->errors)) return made->errors;
  return number_of(made->outcome, reference);
}

lesson::NumberSource LessonNumbers::source(const std::string& variant, const lesson::ControlValues& controls) {
  return [this, variant, controls](const lesson::NumberReference& reference) -> std::optional<double> {
    const Result<std::optional<double>> found = value(reference, variant, controls);
    return found ? *found : std::nullopt;
  };
}

}  // namespace lanescope::job
