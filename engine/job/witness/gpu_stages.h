#pragma once
// Reports a GPU run stage by stage: the result, a first time, the recording, a better time, the counters. For callers
// that show each result as soon as it is there; run_with_witnesses() returns all at once.

#include <functional>

#include "job/witness/gpu_report.h"

namespace lanescope::job {

// What a GPU is at work on. In this order; `refining` is left out when the first time is good enough.
enum class GpuStage : std::uint8_t { running, timing, recording, refining, counting, done };

// What is known so far.
struct GpuSoFar {
  GpuStage stage{};  // that begins now
  GpuReport report;  // run: from `timing` on, with a time from `recording` on; recorded: in the course of
                     // `recording`; the agreement without counts from `refining` on, with them at `done`
  bool has_agreement = false;
};

struct GpuStageOptions {
  gpu::TimingOptions timing;         // the refined time
  double first_time_seconds = 0.02;  // that the first time takes, its warm-up aside
  bool witnesses = true;             // false: the time alone
  VerifyOptions verify;              // its callbacks are set by run_in_stages()
  double watchdog_seconds = 5;
};

// `tell` is called whenever a stage begins, once more within `recording` when the recording is there, and at last with
// `done`. When `keep_going` says no, what is there is told as done and returned. Diagnostics: those of run_on_gpu(); a
// witness that is silent says why in the agreement.
Result<GpuReport> run_in_stages(const Outcome& interpreted, gpu::Session& session, const GpuStageOptions& options,
                                const std::function<void(const GpuSoFar&)>& tell,
                                const std::function<bool()>& keep_going);

// Compiles what the first stage will ask for, ahead of time, so that it finds it: on any thread, while the interpreter
// is at work.
void prepare_for_gpu(const Request& request, const std::string& arch);

}  // namespace lanescope::job
