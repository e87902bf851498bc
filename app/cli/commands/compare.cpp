// lanescope compare LESSON A B

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/gpu_session.h"
#include "cli/commands/runner.h"
#include "cli/input/lessons.h"
#include "cli/output/control_values.h"
#include "cli/output/gpu_tables.h"
#include "cli/output/output.h"
#include "cli/output/report.h"
#include "cli/output/table.h"
#include "core/worded.h"
#include "diagram/words.h"
#include "job/lesson/lesson_request.h"
#include "job/lesson/measured.h"
#include "job/report/json.h"
#include "lesson/nearest.h"
#include "lesson/text.h"
#include "metrics/report.h"

namespace lanescope::cli {

namespace {

using metrics::Measurement;

// A setting applies to the variants that have its control. One that neither variant has is a mistake.
Diagnostics check_settings(const lesson::ControlValues& settings, const std::vector<const lesson::Variant*>& variants) {
  std::vector<std::string> known;
  for (const lesson::Variant* variant : variants)
    for (const std::string& name : variant->controls)
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  Diagnostics problems;
  for (const auto& [name, value] : settings)
    if (std::find(known.begin(), known.end(), name) == known.end())
      problems.push_back({Severity::error,
                          "control.unknown",
                          {},
                          variants.size() > 1 ? worded("Neither variant has a control `{}`.", name)
                                              : worded("Variant `{}` has no control `{}`.", variants[0]->id, name),
                          lesson::did_you_mean(name, known)});
  return problems;
}

lesson::ControlValues settings_for(const lesson::Variant& variant, const lesson::ControlValues& settings) {
  lesson::ControlValues values;
  for (const std::string& name : variant.controls)
    if (const auto found = settings.find(name); found != settings.end()) values[name] = found->second;
  return values;
}

std::string shown(const Measurement& measurement) {
  return measurement.applicable ? number(measurement.value) : "–";
}

bool both_zero(const Measurement& a, const Measurement& b) {
  return (!a.applicable || a.value == 0) && (!b.applicable || b.value == 0);
}

// One side: a variant's run, and the compared launch; 0 = all launches together.
struct Compared {
  const lesson::Variant& variant;
  const DeviceRun& run;
  int launch = 0;

  const job::Outcome& outcome() const { return run.outcome; }
  int launches() const { return outcome().launch_count(); }
  std::vector<Measurement> numbers() const {
    const trace::Trace* of = launch == 0 ? nullptr : outcome().trace_of(launch);
    return of ? metrics::report(*of) : metrics::report(outcome().all_totals(), outcome().first().trace.origin);
  }
};

// The compared launches, one per line.
std::string heading_of(const lesson::Lesson& lesson, const Compared& compared) {
  const int launches = compared.launches();
  const std::string values = controls_text(lesson, compared.variant, compared.outcome().request.controls);
  std::string out = compared.variant.title.en + (values.empty() ? "" : "   " + values) + "\n";
  for (int launch = 1; launch <= launches; ++launch) {
    const trace::Trace* of = compared.outcome().trace_of(launch);
    if (!of || (compared.launch != 0 && compared.launch != launch)) continue;
    const int repeats = compared.outcome().launch(launch)->repeats;
    if (launches > 1)
      out +=
          fmt::format("   launch {} of {}{}", launch, launches, repeats > 1 ? fmt::format(", {} times", repeats) : "");
    out += "   " + heading(*of);
  }
  return out;
}

// Errors for a launch that a variant does not have, or that ran zero times.
Diagnostics check_launch(const Compared& compared, const char* option) {
  if (compared.launch == 0 || compared.outcome().trace_of(compared.launch)) return {};
  const int launches = compared.launches();
  return {{Severity::error,
           "command.bad_launch",
           {},
           worded("`{}` has no launch {}.", compared.variant.id, compared.launch),
           launches == 1 ? worded("It has only one launch: remove {}.", std::string_view(option))
                         : worded("Use a value from 1 to {1} for {0}.", std::string_view(option), launches)}};
}

std::string ratio_between(const Measurement& a, const Measurement& b) {
  if (!a.applicable || !b.applicable) return "–";
  if (a.value == 0) return b.value == 0 ? "–" : "only in B";
  return b.value == 0 ? "only in A" : diagram::ratio_text(b.value / a.value);
}

std::string comparison_table(const Compared& a, const Compared& b, bool nsight) {
  const std::vector<Measurement> first = a.numbers(), second = b.numbers();
  Table table;
  table.column("NUMBER", Align::left);
  table.column("A");
  table.column("B");
  table.column("B ÷ A");
  table.column("UNIT", Align::left);
  if (nsight) table.column("NSIGHT COMPUTE", Align::left);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (both_zero(first[i], second[i])) continue;
    table.row({told(first[i].label), shown(first[i]), shown(second[i]), ratio_between(first[i], second[i]),
               first[i].unit, nsight ? first[i].nsight_name : ""});
  }
  return table.text();
}

// "Faster" only if the intervals of the medians do not overlap.
std::string verdict(const metrics::Interval& a, const metrics::Interval& b) {
  if (a.samples == 0 || b.samples == 0) return "Not compared: one of them has no time.";
  const metrics::Comparison comparison = metrics::compare(a, b);
  const std::string ratio = fmt::format("B ÷ A = {:.4f}", comparison.ratio);
  if (comparison.verdict == metrics::Verdict::a_faster) return "A is faster: " + ratio;
  if (comparison.verdict == metrics::Verdict::b_faster) return "B is faster: " + ratio;
  const std::string needed = with_separators(comparison.samples_needed);
  if (metrics::ranges_apart(a, b))
    return fmt::format("Too few samples for an interval, but their ranges do not overlap: {}; {} of each would decide",
                       ratio, needed);
  return "They cannot be told apart: " + ratio +
         (comparison.samples_needed ? fmt::format("; about {} samples of each would decide", needed) : "");
}

std::string times(const DeviceRun& a, const DeviceRun& b) {
  if (!a.gpu || !b.gpu || !a.gpu->run.timing || !b.gpu->run.timing) return "";
  const gpu::Timing &first = *a.gpu->run.timing, &second = *b.gpu->run.timing;
  const bool several = a.outcome.launch_count() > 1 || b.outcome.launch_count() > 1;
  return fmt::format("\nOn {}, driver {}{}\nA: {}\nB: {}\n{}\n", a.gpu->run.device.name_and_place(),
                     a.gpu->run.device.kernel_driver_version, several ? "; a time is that of all launches" : "",
                     time_sentence(first), time_sentence(second), verdict(first.seconds, second.seconds));
}

// Recorded times of both variants at full size with the other controls unchanged: at looking size a time mostly
// consists of the launch itself. Only for whole runs, and only from a single recording.
struct RecordedPair {
  lesson::ControlValues sizes;  // the size controls of the recording
  job::Measured a, b;
};

std::optional<RecordedPair> recorded_pair(const lesson::Lesson& lesson, const Compared& a, const Compared& b) {
  if (a.run.gpu || b.run.gpu || a.launch != 0 || b.launch != 0) return std::nullopt;
  const job::MeasuredSource measured = job::measured_in(lesson, shipped_recordings(lesson.id));
  const lesson::ControlValues values_a = lesson.at_full_size(a.outcome().request.controls),
                              values_b = lesson.at_full_size(b.outcome().request.controls);
  std::optional<job::Measured> of_a = measured(a.variant, values_a), of_b = measured(b.variant, values_b);
  if (!of_a || !of_b || of_a->label != of_b->label) return std::nullopt;
  RecordedPair pair{{}, std::move(*of_a), std::move(*of_b)};
  for (const lesson::ControlValues* values : {&values_a, &values_b})
    for (const auto& [name, value] : *values)
      if (lesson.find_control(name)->is_size() && pair.sizes.emplace(name, value).first->second != value)
        return std::nullopt;  // a time at another size says nothing
  return pair;
}

std::string recorded_times(const lesson::Lesson& lesson, const std::optional<RecordedPair>& pair) {
  if (!pair) return "";
  const auto line = [](const char* letter, const job::Measured& one) {
    const auto time = [](double seconds) { return lesson::format_number(seconds, "us"); };
    return fmt::format("{}: {} ({})\n", letter, time(one.seconds.median), interval_text(one.seconds, time));
  };
  return fmt::format("\nRecorded times{} · {}\n{}{}{}\n", sizes_text(lesson, pair->sizes), pair->a.label,
                     line("A", pair->a), line("B", pair->b), verdict(pair->a.seconds, pair->b.seconds));
}

nlohmann::ordered_json recorded_json(const RecordedPair& pair) {
  const auto one = [](const job::Measured& time) {
    return nlohmann::ordered_json{{"median_seconds", time.seconds.median},
                                  {"low_seconds", time.seconds.low},
                                  {"high_seconds", time.seconds.high},
                                  {"confidence", 0.95},
                                  {"samples", time.seconds.samples}};
  };
  const metrics::Comparison both = metrics::compare(pair.a.seconds, pair.b.seconds);
  return {{"label", std::string(pair.a.label)},
          {"sizes", pair.sizes},
          {"a", one(pair.a)},
          {"b", one(pair.b)},
          {"ratio", both.ratio},
          {"told_apart", both.verdict != metrics::Verdict::cannot_be_told_apart}};
}

nlohmann::ordered_json device_run_json(const DeviceRun& run) {
  nlohmann::ordered_json json = job::outcome_json(run.outcome);
  if (run.gpu) json["gpu"] = job::gpu_json(*run.gpu);
  return json;
}

nlohmann::ordered_json comparison_json(const Compared& a, const Compared& b,
                                       const std::optional<RecordedPair>& recorded) {
  nlohmann::ordered_json json = job::document_head();
  json["a"] = device_run_json(a.run);
  json["b"] = device_run_json(b.run);
  // The launch that the ratios compare; 0: all launches.
  json["launch"] = {{"a", a.launch}, {"b", b.launch}};
  json["recorded"] = recorded ? recorded_json(*recorded) : nlohmann::ordered_json(nullptr);
  json["ratios"] = nlohmann::ordered_json::array();
  const std::vector<Measurement> first = a.numbers(), second = b.numbers();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool ratio = first[i].applicable && second[i].applicable && first[i].value != 0;
    const auto value = [](const Measurement& m) {
      return m.applicable ? nlohmann::ordered_json(m.value) : nlohmann::ordered_json(nullptr);
    };
    json["ratios"].push_back({{"name", first[i].name},
                              {"a", value(first[i])},
                              {"b", value(second[i])},
                              {"ratio", ratio ? nlohmann::ordered_json(second[i].value / first[i].value)
                                              : nlohmann::ordered_json(nullptr)}});
  }
  return json;
}

}  // namespace

int compare(const CompareOptions& options) {
  const RunnerOptions& runner = options.runner;
  Result<lesson::ControlValues> settings = parse_settings(options.settings);
  if (!settings) return refuse(settings.errors(), runner.json);
  Result<lesson::ControlValues> of_b = parse_settings(options.second_settings);
  if (!of_b) return refuse(of_b.errors(), runner.json);
  Result<lesson::Lesson> lesson = find_lesson(options.lesson);
  if (!lesson) return refuse(lesson.errors(), runner.json);
  std::vector<const lesson::Variant*> variants;
  for (const std::string& id : {options.first, options.second}) {
    Result<const lesson::Variant*> variant = find_variant(*lesson, id);
    if (!variant) return refuse(variant.errors(), runner.json);
    variants.push_back(*variant);
  }
  if (const Diagnostics problems = check_settings(*settings, variants); !problems.empty())
    return refuse(problems, runner.json);
  if (const Diagnostics problems = check_settings(*of_b, {variants[1]}); !problems.empty())
    return refuse(problems, runner.json);
  if (const Diagnostics none = no_gpu(runner.device); !none.empty()) return refuse(none, runner.json);
  OpeningGpu gpu(runner.device, runner.gpu);
  lesson::ControlValues values = settings_for(*variants[1], *settings);
  for (const auto& [name, value] : *of_b) values[name] = value;
  std::vector<DeviceRun> runs;
  for (const lesson::Variant* variant : variants) {
    Result<job::Request> request = job::from_lesson(
        *lesson, *variant, runs.empty() ? settings_for(*variant, *settings) : values, options.full_size);
    if (!request) return refuse(request.errors(), runner.json);
    RunnerOptions without_events = runner;
    // A recording is compared with the interpreter's events.
    if (runner.device == "cpu") without_events.blocks = "none";
    if (const Diagnostics problems = apply(without_events, *request); !problems.empty())
      return refuse(problems, runner.json, *request);
    runs.push_back(run_on_device(*request, variant, runner, gpu));
    print_diagnostics(runs.back().outcome.diagnostics, texts_of(runs.back().outcome));
  }
  const Compared a{*variants[0], runs[0], options.launch_a}, b{*variants[1], runs[1], options.launch_b};
  for (const auto& [one, option] : {std::pair{&a, "--launch-a"}, {&b, "--launch-b"}})
    if (one->outcome().completed)
      if (const Diagnostics problems = check_launch(*one, option); !problems.empty())
        return refuse(problems, runner.json);
  const std::optional<RecordedPair> recorded = recorded_pair(*lesson, a, b);
  const std::string text = runner.json ? job::dumped(comparison_json(a, b, recorded), true) + "\n"
                                       : fmt::format("A: {}B: {}\n{}", heading_of(*lesson, a), heading_of(*lesson, b),
                                                     comparison_table(a, b, runner.nsight) + times(a.run, b.run) +
                                                         recorded_times(*lesson, recorded));
  const bool printed = print(text);
  for (const DeviceRun& run : runs)
    if (const int code = exit_code(run.outcome.diagnostics)) return code;
  return printed ? 0 : 1;
}

}  // namespace lanescope::cli
