#pragma once
// Everything that a GPU says of one run: the untouched kernel's result and time, and the three witnesses side by side.
// Start from what the interpreter gave, so that all speak of the same kernel, arguments and launch.

#include <functional>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "job/verify.h"

namespace lanescope::job {

struct GpuReport {
  GpuRun run;                              // timed
  Agreement agreement;
  std::optional<trace::Trace> recorded;    // see agree(); nothing when the launch is too large to be recorded whole
};

struct GpuReportOptions {
  GpuOptions run;
  VerifyOptions witnesses;
};

// Diagnostics: those of run_on_gpu(); a witness that is silent says why in the agreement.
Result<GpuReport> run_with_witnesses(const Outcome& interpreted, gpu::Session& session, const GpuReportOptions& options,
                                     const std::function<bool()>& keep_going = [] { return true; });

// The interpreter's outcome with the GPU's in its place: buffers and checks from the GPU's result and, where the whole launch
// was recorded, the numbers (origin `recorded`). Else the numbers stay the interpreter's, origin `interpreted`.
Outcome on_gpu(const Outcome& interpreted, const GpuReport& report, const lesson::Variant* variant);

nlohmann::ordered_json timing_json(const gpu::Timing& timing);
// {"number", "counter", "interpreted", "recorded", "counted", "verdict", "evidence"} a row, and the records' comparison,
// with the launches that recording took; "launch" and "launches": which one all of this is about, and of how many.
nlohmann::ordered_json agreement_json(const Agreement& agreement);
// The key "gpu" of a document: device, driver, registers, occupancy, time, agreement.
nlohmann::ordered_json gpu_json(const GpuReport& report);

}  // namespace lanescope::job
