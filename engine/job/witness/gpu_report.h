#pragma once
// All GPU results of one run: result and time of the unmodified kernel, and the three witnesses side by side. Starts
// from the interpreter's outcome, so that kernel, arguments and launch are the same.

#include <functional>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "job/witness/verify.h"

namespace lanescope::job {

struct GpuReport {
  GpuRun run;  // timed
  // Of telling_executions(), in order; launch 1 is always there.
  std::vector<LaunchWitness> launches = std::vector<LaunchWitness>(1);

  LaunchWitness& first() { return launches.front(); }
  const LaunchWitness& first() const { return launches.front(); }
};

struct GpuReportOptions {
  GpuOptions run;
  VerifyOptions witnesses;
};

// Diagnostics: those of run_on_gpu(); a witness that is silent says why in the agreement.
Result<GpuReport> run_with_witnesses(
    const Outcome& interpreted, gpu::Session& session, const GpuReportOptions& options,
    const std::function<bool()>& keep_going = [] { return true; });

// The interpreter's outcome with the GPU's in its place: buffers and checks from the GPU's result and, where every
// launch that the report is about was recorded whole, the numbers (origin `recorded`). Else the numbers of all launches
// stay the interpreter's, origin `interpreted`, so that no sum over launches is of both. A report of launch 1 alone is
// about nothing else.
Outcome on_gpu(const Outcome& interpreted, const GpuReport& report, const lesson::Variant* variant);

nlohmann::ordered_json timing_json(const gpu::Timing& timing);
// {"number", "counter", "interpreted", "recorded", "counted", "verdict", "evidence"} a row, and the records'
// comparison, with the launches that recording took; "launch" and "launches", "repeat" and "repeats": which one all of
// this is about.
nlohmann::ordered_json agreement_json(const Agreement& agreement);
// The key "gpu" of a document: device, driver, registers, occupancy, time, agreement (of launch 1), later_agreements.
nlohmann::ordered_json gpu_json(const GpuReport& report);

}  // namespace lanescope::job
