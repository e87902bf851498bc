#pragma once
// Three witnesses for every number: the interpreter, the kernel recording itself on a GPU, and the hardware counters.
// They agree exactly, or evidence from the machine code explains the difference, or Lanescope has a bug.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "job/witness/gpu_run.h"

namespace lanescope::job {

enum class Agreed : std::uint8_t {
  equal,      // all witnesses with a value agree
  explained,  // they differ, and `evidence` shows the machine code that causes it
  unexplained,
  not_counted  // fewer than two witnesses have a value
};
const char* to_string(Agreed agreed);

struct AgreementRow {
  std::string number;       // "global_load.sectors"
  std::string nsight_name;  // the counter
  std::optional<std::uint64_t> interpreted, recorded, counted;
  Agreed agreed = Agreed::not_counted;
  Wording evidence;  // if explained: what the compiler changed, with lines and instructions
};

// A number of one source line: as interpreted, and as the hardware counted it for the line's machine instructions.
struct AgreementLine {
  std::string number;  // "global_load.requests"
  int line = 0;
  // nullopt: no access in the PTX makes it; the machine code does, for example to save a register.
  std::optional<std::uint64_t> interpreted;
  std::optional<std::uint64_t> counted;  // nullopt: not counted for some of them (CodeCount::sectors)
  std::string instruction;               // the first of them, "LDG.E R2, [R4]"; empty if ptxas left none
  std::uint32_t address = 0;             // of that, in bytes from the kernel's start
};

struct Agreement {
  std::string kernel, variant;
  WhichLaunch which;  // the launch that this agreement is about
  gpu::Device device;
  gpu::KernelAttributes attributes;
  std::vector<AgreementRow> rows;         // numbers that are zero for all witnesses are left out
  std::vector<AgreementLine> lines;       // VerifyOptions::lines: by number, then by line
  std::vector<RecordComparison> records;  // one per pass
  bool same_result = false;               // GpuRun::same_result
  Wording why_result_differs;             // a race, or what ptxas did to the arithmetic; empty if same_result, or
                                          // neither was found
  bool recording_kept_result = false;     // the instrumented kernels gave the plain kernel's result
  // Two runs of the plain kernel gave the same result, neither it nor an earlier launch has a floating-point atomic,
  // whose rounding depends on order, and no race was found in it (Request::races or races_if_small).
  bool repeatable = true;
  int counter_passes = 0;
  Diagnostics diagnostics;  // why a witness gave no value
  bool holds() const;       // no row is unexplained
};

struct VerifyOptions {
  // Each pass records blocks from block 0 on, as many as the limits allow. The recorded column has values only if these
  // are all blocks (else the diagnostics have gpu.recording_incomplete, a warning).
  RecordingLimits recording;
  bool counters = true;
  // Counts every machine instruction and fills Agreement::lines. Otherwise they are only counted if a number would stay
  // unexplained.
  bool lines = false;
  // Receives what the passes recorded before anything is judged. The plain run's instructions are only used after this
  // call.
  std::function<void(const std::optional<trace::Trace>& recorded)> after_recording;
  // Receives what agree() would return without counters, for callers that show each witness when it arrives. Return
  // false to skip counting.
  std::function<bool(const Agreement&, const std::optional<trace::Trace>& recorded)> before_counting;
  // Called before each pass and each count, and by run_launch_on_gpu(); false skips the rest.
  std::function<bool()> keep_going;
};

// Why a result on the GPU, which differs from the interpreter's, may do so. The first of these that holds: a race was
// found; floating-point atomics, if two runs differ; a clock is read; two runs differ; ptxas fused sums with products;
// the kernel has approximate instructions (on a GPU that is not of compute capability 9.x); floating-point atomics.
// Empty if none does.
Wording why_results_differ(const Outcome& interpreted, const GpuRun& plain);
// The first race that was found, with its lines; empty if there is none.
Wording first_race(const Outcome& interpreted);

// An agreement for each execution in telling_executions(), in order. The results of the run are compared after each of
// them.
Result<std::vector<Agreement>> verify(const Outcome& interpreted, gpu::Session& session,
                                      const VerifyOptions& options = {});

// What the GPU returned for one launch.
struct LaunchWitness {
  Agreement agreement;
  std::optional<trace::Trace> recorded;  // see agree(); empty if the launch is too large to be recorded completely
  Diagnostics problems;                  // why it could not run; the agreement then has only the kernel and `which`
};
// The same with its launch and run.
struct LaunchReport {
  OneLaunch one;
  GpuRun run;
  LaunchWitness witness;
};
// Diagnostics: those of one_launch() and run_launch_on_gpu(). The agreement states why a witness gave no value. `tell`
// receives the results before anything is counted; it replaces options.before_counting.
Result<LaunchReport> verify_launch(const Outcome& whole, std::size_t execution, gpu::Session& session,
                                   VerifyOptions options = {},
                                   const std::function<void(const LaunchReport&)>& tell = {});

// The same for a kernel that has already run on the GPU. If the whole launch was recorded, `recorded` (may be null)
// receives it with origin `recorded`: the totals of all passes, and of the events only the memory accesses, because
// events of different passes have no order.
Agreement agree(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session, const VerifyOptions& options,
                std::optional<trace::Trace>* recorded = nullptr);

// Two witnesses without a GPU: the interpreter's trace of a launch, and the hardware counts of the same launch in a
// recording (`counters` by Nsight Compute's names; missing numbers are left out). `sass`: that machine code.
std::vector<AgreementRow> agree_with_counters(const trace::Trace& interpreted,
                                              const std::map<std::string, double>& counters, const compile::Sass& sass);

}  // namespace lanescope::job
