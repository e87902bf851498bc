#include "job/gpu_report.h"

#include <nlohmann/json.hpp>

#include "job/numbers.h"

namespace lanescope::job {

using Json = nlohmann::ordered_json;

Result<GpuReport> run_with_witnesses(const Outcome& interpreted, gpu::Session& session, const GpuReportOptions& options,
                                     const std::function<bool()>& keep_going) {
  Result<GpuRun> run = run_on_gpu(interpreted, session, options.run, keep_going);
  if (!run) return run.take_errors();
  GpuReport report{.run = std::move(*run), .agreement = {}, .recorded = {}};
  report.agreement = agree(interpreted, report.run, session, options.witnesses, &report.recorded);
  return report;
}

Outcome on_gpu(const Outcome& interpreted, const GpuReport& report, const lesson::Variant* variant) {
  Outcome outcome = interpreted;
  if (report.recorded) outcome.trace = *report.recorded;
  outcome.arguments = report.run.arguments;
  outcome.buffers = summaries(outcome.request, outcome.arguments);
  for (Diagnostic why : report.agreement.diagnostics) {
    why.severity = Severity::warning;  // a silent witness is no failure of the run
    outcome.diagnostics.push_back(std::move(why));
  }
  if (!variant || variant->checks.empty()) return outcome;
  std::vector<sim::Argument> before;
  for (const auto* list : {&outcome.request.arguments, &outcome.request.buffers})
    for (const ArgumentText& text : *list)
      if (Result<sim::Argument> argument = parse_argument(text)) before.push_back(std::move(*argument));
  outcome.checks = run_checks(*variant, outcome, before);
  return outcome;
}

Json timing_json(const gpu::Timing& timing) {
  return {{"median_seconds", timing.seconds.median},
          {"low_seconds", timing.seconds.low},
          {"high_seconds", timing.seconds.high},
          {"confidence", 0.95},
          {"samples", timing.seconds.samples},
          {"discarded", timing.discarded},
          {"l2", timing.cache == gpu::CacheState::flushed ? "flushed" : "warm"},
          {"sm_clock_khz", {timing.sm_clock_khz_low, timing.sm_clock_khz_high}},
          {"stopped_because", timing.stop_reason}};
}

Json agreement_json(const Agreement& agreement) {
  const auto value = [](const std::optional<std::uint64_t>& number) { return number ? Json(*number) : Json(nullptr); };
  Json rows = Json::array(), records = Json::array();
  for (const AgreementRow& row : agreement.rows)
    rows.push_back({{"number", row.number}, {"counter", row.nsight_name}, {"interpreted", value(row.interpreted)},
                    {"recorded", value(row.recorded)}, {"counted", value(row.counted)}, {"verdict", to_string(row.agreed)},
                    {"evidence", row.evidence}});
  for (const RecordComparison& one : agreement.records)
    records.push_back({{"pass", to_string(one.pass)}, {"interpreted", one.interpreted}, {"recorded", one.recorded},
                       {"equal", one.equal}, {"dropped", one.dropped}, {"launches", one.launches}, {"differences", one.differences}});
  return {{"launch", agreement.launch}, {"launches", agreement.launches}, {"rows", rows}, {"records", records}, {"same_result", agreement.same_result},
          {"repeatable", agreement.repeatable}, {"recording_kept_result", agreement.recording_kept_result}};
}

Json gpu_json(const GpuReport& report) {
  const gpu::KernelAttributes& attributes = report.run.attributes;
  return {{"device", report.run.device.name},
          {"driver", report.run.device.kernel_driver_version},
          {"arch", report.run.device.arch()},
          {"registers", attributes.registers},
          {"static_shared_bytes", attributes.static_shared_bytes},
          {"local_bytes", attributes.local_bytes},
          {"resident_blocks_per_multiprocessor", attributes.resident_blocks_per_multiprocessor},
          {"occupancy", attributes.occupancy},
          {"time", report.run.timing ? timing_json(*report.run.timing) : Json(nullptr)},
          {"first_difference", report.run.first_difference},
          {"agreement", agreement_json(report.agreement)}};
}

}  // namespace lanescope::job
