#include "job/witness/gpu_report.h"

#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "job/run/numbers.h"
#include "job/witness/gpu_fault.h"

namespace lanescope::job {

using Json = nlohmann::ordered_json;

Result<GpuReport> run_with_witnesses(const Outcome& interpreted, gpu::Session& session, const GpuReportOptions& options,
                                     const std::function<bool()>& keep_going) {
  Result<GpuRun> run = run_on_gpu(interpreted, session, options.run, keep_going);
  if (!run) return after_the_interpreter(run.take_errors(), interpreted);
  GpuReport report;
  report.run = std::move(*run);
  LaunchWitness& first = report.first();
  first.agreement = agree(interpreted, report.run, session, options.witnesses, &first.recorded);
  const std::vector<RequestedLaunch>& requested = interpreted.request.launches;
  if (requested.size() == 1) return report;
  const std::vector<WhichLaunch> which = executions(interpreted);
  for (const std::size_t execution : telling_executions(interpreted)) {
    if (execution == 0) continue;
    Result<LaunchReport> one = verify_launch(interpreted, execution, session, options.witnesses);
    LaunchWitness& witness = report.launches.emplace_back();
    if (one) {
      witness = std::move(one->witness);
      continue;
    }
    witness.agreement.kernel = requested[execution].kernel;
    witness.agreement.which = which[execution];
    witness.problems = one.take_errors();
  }
  return report;
}

namespace {

// True if everything that the report covers was recorded: launch 1 alone, or every launch.
bool recorded_whole(const Outcome& interpreted, const GpuReport& report) {
  return (report.launches.size() == 1 || report.launches.size() == interpreted.request.launches.size()) &&
         std::ranges::all_of(report.launches, [](const LaunchWitness& one) { return one.recorded.has_value(); });
}

// Sums repeats and keeps the events of the first, as the interpreter does.
void put_recordings(Outcome& outcome, const GpuReport& report) {
  for (const LaunchWitness& one : report.launches) {
    trace::Trace& trace = outcome.launches.at(static_cast<std::size_t>(one.agreement.which.number) - 1).trace;
    if (one.agreement.which.repeat == 1)
      trace = *one.recorded;
    else
      trace.totals += one.recorded->totals;
  }
}

}  // namespace

Outcome on_gpu(const Outcome& interpreted, const GpuReport& report, const lesson::Variant* variant) {
  Outcome outcome = interpreted;
  if (recorded_whole(interpreted, report)) put_recordings(outcome, report);
  outcome.arguments = report.run.arguments;
  outcome.buffers = summaries(outcome.request, outcome.arguments);
  std::vector<const Diagnostics*> silent;
  for (const LaunchWitness& one : report.launches)
    silent.push_back(one.problems.empty() ? &one.agreement.diagnostics : &one.problems);
  for (const Diagnostics* list : silent)
    for (Diagnostic why : *list) {
      why.severity = Severity::warning;  // a witness without a value does not fail the run
      const auto same = [&](const Diagnostic& there) { return there.code == why.code && there.message == why.message; };
      if (std::none_of(outcome.diagnostics.begin(), outcome.diagnostics.end(), same))
        outcome.diagnostics.push_back(std::move(why));
    }
  if (!variant || variant->checks.empty()) return outcome;
  std::vector<sim::Argument> before;
  for (const auto* list : {&outcome.request.arguments, &outcome.request.buffers})
    for (const RequestedArgument& text : *list)
      if (Result<sim::Argument> argument = make_argument(text)) before.push_back(std::move(*argument));
  outcome.checks = run_checks(*variant, outcome, before);
  return outcome;
}

Json timing_json(const gpu::Timing& timing) {
  return {
      {"median_seconds", timing.seconds.median}, {"low_seconds", timing.seconds.low},
      {"high_seconds", timing.seconds.high},     {"confidence", 0.95},
      {"samples", timing.seconds.samples},       {"discarded", timing.discarded},
      {"l2", gpu::to_string(timing.cache)},      {"sm_clock_khz", {timing.sm_clock_khz_low, timing.sm_clock_khz_high}},
      {"stopped_because", timing.stop_reason}};
}

namespace {

Json which_json(const WhichLaunch& which) {
  return {{"launch", which.number}, {"launches", which.launches}, {"repeat", which.repeat}, {"repeats", which.repeats}};
}

Json lines_json(const Agreement& agreement) {
  Json lines = Json::array();
  for (const AgreementLine& one : agreement.lines)
    lines.push_back({{"number", one.number},
                     {"line", one.line},
                     {"interpreted", one.interpreted ? Json(*one.interpreted) : Json(nullptr)},
                     {"counted", one.counted ? Json(*one.counted) : Json(nullptr)},
                     {"instruction", one.instruction.empty() ? Json(nullptr) : Json(one.instruction)},
                     {"address", one.instruction.empty() ? Json(nullptr) : Json(one.address)}});
  return lines;
}

}  // namespace

Json agreement_json(const Agreement& agreement) {
  const auto value = [](const std::optional<std::uint64_t>& number) { return number ? Json(*number) : Json(nullptr); };
  Json rows = Json::array(), records = Json::array();
  for (const AgreementRow& row : agreement.rows)
    rows.push_back({{"number", row.number},
                    {"counter", row.nsight_name},
                    {"interpreted", value(row.interpreted)},
                    {"recorded", value(row.recorded)},
                    {"counted", value(row.counted)},
                    {"verdict", to_string(row.agreed)},
                    {"evidence", row.evidence}});
  for (const RecordComparison& one : agreement.records)
    records.push_back({{"pass", to_string(one.pass)},
                       {"interpreted", one.interpreted},
                       {"recorded", one.recorded},
                       {"equal", one.equal},
                       {"dropped", one.dropped},
                       {"launches", one.launches},
                       {"differences", one.differences}});
  Json json = which_json(agreement.which);
  json.update({{"rows", rows},
               {"records", records},
               {"same_result", agreement.same_result},
               {"repeatable", agreement.repeatable},
               {"recording_kept_result", agreement.recording_kept_result}});
  if (!agreement.lines.empty()) json["lines"] = lines_json(agreement);
  if (!agreement.why_result_differs.empty()) json["why_result_differs"] = agreement.why_result_differs;
  return json;
}

Json gpu_json(const GpuReport& report) {
  const gpu::KernelAttributes& attributes = report.run.attributes;
  Json later = Json::array();
  for (const LaunchWitness& one : std::span(report.launches).subspan(1)) {
    Json said = one.problems.empty() ? agreement_json(one.agreement) : which_json(one.agreement.which);
    if (!one.problems.empty()) said["problem"] = std::string(one.problems.front().message);
    later.push_back(std::move(said));
  }
  const std::string& where = report.run.device.where;
  return {{"device", report.run.device.name},
          {"where", where.empty() ? Json(nullptr) : Json(where)},
          {"driver", report.run.device.kernel_driver_version},
          {"arch", report.run.device.arch()},
          {"registers", attributes.registers},
          {"static_shared_bytes", attributes.static_shared_bytes},
          {"local_bytes", attributes.local_bytes},
          {"resident_blocks_per_multiprocessor", attributes.resident_blocks_per_multiprocessor},
          {"occupancy", attributes.occupancy},
          {"time", report.run.timing ? timing_json(*report.run.timing) : Json(nullptr)},
          {"first_difference", report.run.first_difference},
          {"agreement", agreement_json(report.first().agreement)},
          {"later_agreements", later}};
}

}  // namespace lanescope::job
