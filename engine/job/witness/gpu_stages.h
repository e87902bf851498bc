#pragma once
// Reports a GPU run stage by stage: the result, a first time, the recording, a better time, the counters. For callers
// that show each result when it arrives; run_with_witnesses() returns all at once.

#include <functional>

#include "job/witness/gpu_report.h"

namespace lanescope::job {

// The current work of the GPU, in this order. `refining` is skipped if the first time is good enough.
enum class GpuStage : std::uint8_t { running, timing, recording, refining, counting, done };

// The results so far.
struct GpuSoFar {
  GpuStage stage{};  // the stage that begins now
  GpuReport report;  // run: from `timing` on, with a time from `recording` on; recorded: in the course of
                     // `recording`; the agreement without counts from `refining` on, with them at `done`
  bool has_agreement = false;
};

struct GpuStageOptions {
  gpu::TimingOptions timing;         // the refined time
  double first_time_seconds = 0.02;  // duration of the first timing, without its warm-up
  bool witnesses = true;             // false: only the time
  VerifyOptions verify;              // run_in_stages() sets its callbacks
  double watchdog_seconds = 5;
};

// `tell` is called at the start of each stage, once more within `recording` when the recording is complete, and finally
// with `done`. If `keep_going` returns false, the results so far are reported with `done` and returned. Diagnostics:
// those of run_on_gpu(). The agreement states why a witness gave no value.
Result<GpuReport> run_in_stages(const Outcome& interpreted, gpu::Session& session, const GpuStageOptions& options,
                                const std::function<void(const GpuSoFar&)>& tell,
                                const std::function<bool()>& keep_going);

// Compile ahead of time: what the first stage needs, while the interpreter works; then the kernels that record
// themselves; and these with the instructions of the kernel, which is all that run_with_witnesses() needs for the first
// launch. May run on any thread.
void prepare_for_gpu(const Request& request, const std::string& arch);
void prepare_recording(const Outcome& interpreted, const std::string& arch);
void prepare_witnesses(const Outcome& interpreted, const std::string& arch);

}  // namespace lanescope::job
