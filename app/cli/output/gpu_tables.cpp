#include "cli/output/gpu_tables.h"

#include <fmt/format.h>

#include <span>

#include "cli/output/table.h"

namespace lanescope::cli {

namespace {

std::string cell(const std::optional<std::uint64_t>& value) {
  return value ? with_separators(*value) : "–";
}

std::string clocks(const gpu::Timing& timing) {
  const int low = timing.sm_clock_khz_low / 1000, high = timing.sm_clock_khz_high / 1000;
  if (high == 0) return "SM clock unknown";
  return low == high ? fmt::format("SM clock {} MHz", low) : fmt::format("SM clock {} to {} MHz", low, high);
}

// "Launch 2 of 3, repeat 1 of 4, halve:"; empty if there is only one.
std::string launch_line(const job::Agreement& agreement) {
  const job::WhichLaunch& which = agreement.which;
  if (which.launches < 2 && which.repeats < 2) return {};
  const std::string repeat = which.repeats > 1 ? fmt::format(", repeat {} of {}", which.repeat, which.repeats) : "";
  return fmt::format("Launch {} of {}{}, {}:\n", which.number, which.launches, repeat, agreement.kernel);
}

// The machine instructions of each source line, as counted.
std::string lines_table(const job::Agreement& agreement) {
  Table table;
  table.column("NUMBER", Align::left);
  table.column("LINE");
  table.column("INTERPRETED");
  table.column("COUNTED");
  table.column("MACHINE INSTRUCTION", Align::left);
  for (const job::AgreementLine& one : agreement.lines) {
    const std::string instruction =
        one.instruction.empty() ? "none" : fmt::format("{} at 0x{:x}", one.instruction, one.address);
    table.row({one.number, std::to_string(one.line), cell(one.interpreted), cell(one.counted),
               instruction + (one.interpreted ? "" : ", not in the PTX")});
  }
  return agreement.lines.empty() ? "" : "\n" + table.text() + "\n";
}

}  // namespace

std::string seconds(double value) {
  if (value >= 1) return fmt::format("{:.3f} s", value);
  if (value >= 1e-3) return fmt::format("{:.3f} ms", value * 1e3);
  return fmt::format("{:.3f} µs", value * 1e6);
}

std::string agreement_table(const job::Agreement& agreement) {
  Table table;
  table.column("NUMBER", Align::left);
  table.column("INTERPRETED");
  table.column("RECORDED");
  table.column("COUNTED");
  table.column("VERDICT", Align::left);
  for (const job::AgreementRow& row : agreement.rows)
    table.row({row.number, cell(row.interpreted), cell(row.recorded), cell(row.counted),
               std::string(to_string(row.agreed)) + (row.evidence.empty() ? "" : ": " + row.evidence)});
  std::string text = launch_line(agreement) + table.text() + lines_table(agreement);
  for (const job::RecordComparison& records : agreement.records) {
    text +=
        fmt::format("records of {}: {} interpreted, {} recorded, {} equal{}{}\n", to_string(records.pass),
                    with_separators(records.interpreted), with_separators(records.recorded),
                    with_separators(records.equal), records.dropped ? fmt::format(", {} dropped", records.dropped) : "",
                    records.launches > 1 ? fmt::format(", in {} launches", records.launches) : "");
    for (const std::string& difference : records.differences) text += "  " + difference + "\n";
  }
  const char* recording = agreement.recording_kept_result ? "unchanged"
                          : agreement.repeatable          ? "CHANGED"
                                                          : "differs, as the plain kernel's own runs may";
  const std::string why = agreement.why_result_differs.empty() ? "" : ": " + agreement.why_result_differs;
  text += fmt::format("result on the GPU: {}{}; while recording: {}\n",
                      agreement.same_result ? "the interpreter's"
                      : agreement.repeatable
                          ? "not the interpreter's, bit for bit"
                          : "differs, as two runs of the kernel may (order of atomics, rounding, clocks)",
                      why, recording);
  return text;
}

std::string interval_text(const metrics::Interval& interval, const std::function<std::string(double)>& time) {
  if (interval.samples == 1) return "1 sample, so no interval";
  return fmt::format(
      "{} {} … {}, {} samples",
      interval.samples >= metrics::least_samples ? "95 % interval" : "too few samples for an interval: range",
      time(interval.low), time(interval.high), interval.samples);
}

std::string time_sentence(const gpu::Timing& timing) {
  if (timing.samples.empty())
    return fmt::format("not measured: all {} samples were discarded because the clock had dropped", timing.discarded);
  return fmt::format("{} ({}, {} discarded; L2 {}, {}; {})", seconds(timing.seconds.median),
                     interval_text(timing.seconds, [](double time) { return seconds(time); }), timing.discarded,
                     gpu::to_string(timing.cache), clocks(timing), timing.stop_reason);
}

std::string gpu_section(const job::GpuReport& report) {
  const job::GpuRun& run = report.run;
  std::string text = fmt::format("On {}, driver {}\n", run.device.name_and_place(), run.device.kernel_driver_version);
  if (run.timing) text += fmt::format("time: {}\n", time_sentence(*run.timing));
  text +=
      fmt::format("{} registers per thread, {} blocks per multiprocessor, occupancy {} %\n\n", run.attributes.registers,
                  run.attributes.resident_blocks_per_multiprocessor, number(run.attributes.occupancy * 100));
  text += agreement_table(report.first().agreement);
  bool whole = report.first().recorded.has_value();
  for (const job::LaunchWitness& later : std::span(report.launches).subspan(1)) {
    if (later.problems.empty())
      text += "\n" + agreement_table(later.agreement);
    else
      text += fmt::format("\n{}not compared: {}\n", launch_line(later.agreement),
                          std::string(later.problems.front().message));
    whole = whole && later.recorded;
  }
  if (!whole && report.launches.size() == 1)
    text += "The launch was not recorded whole: the numbers further up are the interpreter's.\n";
  if (!whole && report.launches.size() > 1)
    text += "Not every launch was recorded whole: the numbers further up are the interpreter's.\n";
  return text;
}

bool cure_of_events_not_kept(Diagnostic& diagnostic) {
  if (diagnostic.code != "gpu.events_not_kept") return false;
  diagnostic.cure = "Use a smaller launch for this kernel; its numbers are compared in any case.";
  return true;
}

}  // namespace lanescope::cli
