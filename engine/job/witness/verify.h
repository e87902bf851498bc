#pragma once
// Three witnesses for every number: the interpreter, the kernel recording itself on a GPU, and the hardware counters.
// They agree exactly, or the difference is explained with evidence from the machine code, or it is a fault of ours.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "job/witness/gpu_run.h"

namespace lanescope::job {

enum class Agreed : std::uint8_t {
  equal,      // every witness that speaks says the same
  explained,  // they part, and `evidence` shows the machine code that makes them
  unexplained,
  not_counted  // fewer than two witnesses speak
};
const char* to_string(Agreed agreed);

struct AgreementRow {
  std::string number;       // "global_load.sectors"
  std::string nsight_name;  // the counter
  std::optional<std::uint64_t> interpreted, recorded, counted;
  Agreed agreed = Agreed::not_counted;
  Wording evidence;  // of explained: what the compiler changed, with lines and instructions
};

struct Agreement {
  std::string kernel, variant;
  WhichLaunch which;  // that all of this is about
  gpu::Device device;
  gpu::KernelAttributes attributes;
  std::vector<AgreementRow> rows;         // zero for all witnesses: left out
  std::vector<RecordComparison> records;  // one a pass
  bool same_result = false;               // GpuRun::same_result
  bool recording_kept_result = false;     // the instrumented kernels gave the plain kernel's result
  bool repeatable = true;  // the plain kernel must: two runs gave the same, and no floating-point atomic rounds by
                           // order, in it or in a launch before it
  int counter_passes = 0;
  Diagnostics diagnostics;  // why a witness is silent
  bool holds() const;       // no row unexplained
};

struct VerifyOptions {
  // Recorded from block 0 on, as many blocks as the limits allow, for each pass; the recorded column speaks only when
  // that is all of them (else gpu.recording_incomplete, a warning among the diagnostics).
  RecordingLimits recording;
  bool counters = true;
  // Told what the passes recorded, before anything is judged by it; the plain run's instructions are looked at only
  // after this.
  std::function<void(const std::optional<trace::Trace>& recorded)> after_recording;
  // Told what is known before the counting, for those who show each witness as it comes: what agree() would give
  // without counters. False = do not count.
  std::function<bool(const Agreement&, const std::optional<trace::Trace>& recorded)> before_counting;
  // Asked before each pass and each count, and by run_launch_on_gpu(); false = leave out what is left.
  std::function<bool()> keep_going;
};

// Each launch of a run for itself, in order: an agreement for each of telling_executions(). What the run gives is
// compared after each of them.
Result<std::vector<Agreement>> verify(const Outcome& interpreted, gpu::Session& session,
                                      const VerifyOptions& options = {});

// What the GPU said of one launch.
struct LaunchWitness {
  Agreement agreement;
  std::optional<trace::Trace> recorded;  // see agree(); nothing when the launch is too large to be recorded whole
  Diagnostics problems;  // why it could not be run; of the agreement only kernel and `which` are known then
};
// The same with the run that it is about.
struct LaunchReport {
  OneLaunch one;
  GpuRun run;
  LaunchWitness witness;
};
// Diagnostics: those of one_launch() and run_launch_on_gpu(); a witness that is silent says why in the agreement.
// `tell` is called with what is there before anything is counted. options.before_counting is taken over by it.
Result<LaunchReport> verify_launch(const Outcome& whole, std::size_t execution, gpu::Session& session,
                                   VerifyOptions options = {},
                                   const std::function<void(const LaunchReport&)>& tell = {});

// The same for a kernel that has run on the GPU already. Where the whole launch was recorded, `recorded` (may be null)
// becomes what the GPU recorded, origin `recorded`: totals of all passes; of the events, which have no order between
// two passes, the memory accesses.
Agreement agree(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session, const VerifyOptions& options,
                std::optional<trace::Trace>* recorded = nullptr);

// Two witnesses, where no GPU is: the interpreter's trace of a launch, and what the hardware counted of the same launch
// when a recording was made (`counters` by Nsight Compute's names; a number that is not among them is left out).
// `sass`: that machine code.
std::vector<AgreementRow> agree_with_counters(const trace::Trace& interpreted,
                                              const std::map<std::string, double>& counters, const compile::Sass& sass);

}  // namespace lanescope::job
