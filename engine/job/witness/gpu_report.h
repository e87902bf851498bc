#pragma once
// All GPU results of a run: result and time of the unmodified kernel, and the three witnesses side by side. Starts from
// the interpreter's outcome, so kernel, arguments and launch are the same.

#include <functional>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "job/witness/verify.h"

namespace lanescope::job {

struct GpuReport {
  GpuRun run;  // timed
  // One per execution in telling_executions(), in order. Launch 1 is always present.
  std::vector<LaunchWitness> launches = std::vector<LaunchWitness>(1);

  LaunchWitness& first() { return launches.front(); }
  const LaunchWitness& first() const { return launches.front(); }
};

struct GpuReportOptions {
  GpuOptions run;
  VerifyOptions witnesses;
};

// Diagnostics: those of run_on_gpu(). The agreement states why a witness gave no value.
Result<GpuReport> run_with_witnesses(
    const Outcome& interpreted, gpu::Session& session, const GpuReportOptions& options,
    const std::function<bool()>& keep_going = [] { return true; });

// The interpreter's outcome with the GPU's results: buffers and checks come from the GPU. The numbers are the recorded
// ones (origin `recorded`) if every launch of the report was recorded completely. Otherwise the numbers of all launches
// stay the interpreter's (origin `interpreted`), so that no sum mixes both. A report of launch 1 alone only concerns
// launch 1.
Outcome on_gpu(const Outcome& interpreted, const GpuReport& report, const lesson::Variant* variant);

nlohmann::ordered_json timing_json(const gpu::Timing& timing);
// Per row: {"number", "counter", "interpreted", "recorded", "counted", "verdict", "evidence"}; then the comparison of
// the records with the number of launches that recording took; "lines", if VerifyOptions::lines is set. "launch" and
// "launches", "repeat" and "repeats" tell which launch this is.
nlohmann::ordered_json agreement_json(const Agreement& agreement);
// The key "gpu" of a document: device, driver, registers, occupancy, time, agreement (of launch 1), later_agreements.
nlohmann::ordered_json gpu_json(const GpuReport& report);

}  // namespace lanescope::job
