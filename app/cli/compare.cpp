// lanescope compare LESSON A B

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/gpu_tables.h"
#include "cli/lessons.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/runner.h"
#include "cli/table.h"
#include "job/json.h"
#include "lesson/nearest.h"
#include "metrics/report.h"

namespace lanescope::cli {

namespace {

using metrics::Measurement;

// A setting is for the variants that have its control; one that neither has is a mistake.
Diagnostics check_settings(const lesson::ControlValues& settings, const std::vector<const lesson::Variant*>& variants) {
  std::vector<std::string> known;
  for (const lesson::Variant* variant : variants) known.insert(known.end(), variant->controls.begin(), variant->controls.end());
  Diagnostics problems;
  for (const auto& [name, value] : settings)
    if (std::find(known.begin(), known.end(), name) == known.end())
      problems.push_back({Severity::error, "control.unknown", {}, fmt::format("Neither variant has a control `{}`.", name),
                          lesson::did_you_mean(name, known)});
  return problems;
}

lesson::ControlValues settings_for(const lesson::Variant& variant, const lesson::ControlValues& settings) {
  lesson::ControlValues values;
  for (const std::string& name : variant.controls)
    if (const auto found = settings.find(name); found != settings.end()) values[name] = found->second;
  return values;
}

std::string shown(const Measurement& measurement) { return measurement.applicable ? number(measurement.value) : "–"; }

bool both_zero(const Measurement& a, const Measurement& b) {
  return (!a.applicable || a.value == 0) && (!b.applicable || b.value == 0);
}

// Of all its launches together: a variant of two is compared as a whole.
std::vector<Measurement> numbers_of(const job::Outcome& outcome) {
  return metrics::report(outcome.all_totals(), outcome.trace.origin);
}

std::string heading_of(const lesson::Variant& variant, const job::Outcome& outcome) {
  std::string out = fmt::format("{}\n   {}", variant.title.en, heading(outcome.trace));
  int launches = 1;
  for (const job::LaterLaunch& later : outcome.later) launches += later.repeats;
  if (launches > 1) out += fmt::format("   the first of {} launches; the numbers are those of all\n", launches);
  return out;
}

std::string comparison_table(const job::Outcome& a, const job::Outcome& b, bool nsight) {
  const std::vector<Measurement> first = numbers_of(a), second = numbers_of(b);
  Table table;
  table.column("NUMBER", Align::left);
  table.column("A");
  table.column("B");
  table.column("B ÷ A");
  table.column("UNIT", Align::left);
  if (nsight) table.column("NSIGHT COMPUTE", Align::left);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (both_zero(first[i], second[i])) continue;
    const bool ratio = first[i].applicable && second[i].applicable && first[i].value != 0;
    table.row({first[i].label, shown(first[i]), shown(second[i]), ratio ? number(second[i].value / first[i].value) : "–",
               first[i].unit, nsight ? first[i].nsight_name : ""});
  }
  return table.text();
}

// "Faster" only where the intervals of the medians say so.
std::string verdict(const gpu::Timing& a, const gpu::Timing& b) {
  const metrics::Comparison comparison = metrics::compare(a.seconds, b.seconds);
  const std::string ratio = fmt::format("B ÷ A = {:.4f}", comparison.ratio);
  if (comparison.verdict == metrics::Verdict::a_faster) return "A is faster: " + ratio;
  if (comparison.verdict == metrics::Verdict::b_faster) return "B is faster: " + ratio;
  return "They cannot be told apart: " + ratio +
         (comparison.samples_needed ? fmt::format("; about {} samples of each would decide", with_separators(comparison.samples_needed)) : "");
}

std::string times(const DeviceRun& a, const DeviceRun& b) {
  if (!a.gpu || !b.gpu || !a.gpu->run.timing || !b.gpu->run.timing) return "";
  const gpu::Timing &first = *a.gpu->run.timing, &second = *b.gpu->run.timing;
  return fmt::format("\nOn {}, driver {}\nA: {}\nB: {}\n{}\n", a.gpu->run.device.name, a.gpu->run.device.kernel_driver_version,
                     time_sentence(first), time_sentence(second), verdict(first, second));
}

nlohmann::ordered_json document_of(const DeviceRun& run) {
  nlohmann::ordered_json json = job::outcome_json(run.outcome);
  if (run.gpu) json["gpu"] = job::gpu_json(*run.gpu);
  return json;
}

nlohmann::ordered_json comparison_json(const DeviceRun& run_a, const DeviceRun& run_b) {
  const job::Outcome &a = run_a.outcome, &b = run_b.outcome;
  nlohmann::ordered_json json = job::document_head();
  json["a"] = document_of(run_a);
  json["b"] = document_of(run_b);
  json["ratios"] = nlohmann::ordered_json::array();
  const std::vector<Measurement> first = numbers_of(a), second = numbers_of(b);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool ratio = first[i].applicable && second[i].applicable && first[i].value != 0;
    const auto value = [](const Measurement& m) { return m.applicable ? nlohmann::ordered_json(m.value) : nullptr; };
    json["ratios"].push_back({{"name", first[i].name}, {"a", value(first[i])}, {"b", value(second[i])},
                              {"ratio", ratio ? nlohmann::ordered_json(second[i].value / first[i].value) : nullptr}});
  }
  return json;
}

}  // namespace

int compare(const CompareOptions& options) {
  const RunnerOptions& runner = options.runner;
  Result<lesson::ControlValues> settings = parse_settings(options.settings);
  if (!settings) return refuse(settings.errors(), runner.json);
  Result<lesson::Lesson> lesson = find_lesson(options.lesson);
  if (!lesson) return refuse(lesson.errors(), runner.json);
  std::vector<const lesson::Variant*> variants;
  for (const std::string& id : {options.first, options.second}) {
    Result<const lesson::Variant*> variant = find_variant(*lesson, id);
    if (!variant) return refuse(variant.errors(), runner.json);
    variants.push_back(*variant);
  }
  if (const Diagnostics problems = check_settings(*settings, variants); !problems.empty()) return refuse(problems, runner.json);
  if (runner.device == "gpu")
    if (const auto devices = gpu::devices(); !devices) return refuse(devices.errors(), runner.json);
  std::vector<DeviceRun> runs;
  for (const lesson::Variant* variant : variants) {
    Result<job::Request> request = job::from_lesson(*lesson, *variant, settings_for(*variant, *settings), options.full_size);
    if (!request) return refuse(request.errors(), runner.json);
    RunnerOptions without_events = runner;
    // A recording is held against the interpreter's events.
    if (runner.device != "gpu") without_events.blocks = "none";
    if (const Diagnostics problems = apply(without_events, *request); !problems.empty()) return refuse(problems, runner.json, *request);
    runs.push_back(run_on_device(*request, variant, runner));
    print_diagnostics(runs.back().outcome.diagnostics, texts_of(runs.back().outcome));
  }
  const job::Outcome &a = runs[0].outcome, &b = runs[1].outcome;
  const std::string text = runner.json ? job::dumped(comparison_json(runs[0], runs[1]), true) + "\n"
                                       : fmt::format("A: {}B: {}\n{}", heading_of(*variants[0], a), heading_of(*variants[1], b),
                                                     comparison_table(a, b, runner.nsight) + times(runs[0], runs[1]));
  const bool printed = print(text);
  for (const DeviceRun& run : runs)
    if (const int code = exit_code(run.outcome.diagnostics)) return code;
  return printed ? 0 : 1;
}

}  // namespace lanescope::cli
