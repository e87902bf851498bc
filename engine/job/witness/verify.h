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

// A memory instruction of the machine code, read from its text.
struct SassAccess {
  enum class Kind : std::uint8_t { none, load, store, atomic, reduction, compare_and_swap, async_copy };
  Kind kind{};
  trace::MemorySpace space{};  // none: generic
  int bytes = 4;               // a lane
};
SassAccess classify(const std::string& sass_text);

// Why interpreted and counted may part for this number, from the machine code of this kernel: empty when it gives no
// reason. `followed`: each access has been followed to what is left of it, and another number came out: how many
// instructions there are explains nothing then. Pure; tested without a GPU.
Wording explain(const std::string& number, const trace::Trace& interpreted, const compile::Sass& sass,
                std::uint64_t interpreted_value, std::uint64_t counted_value, bool followed = false);

// Counters that tell why the one of bank conflicts may hold more than the kernel's own: how many wavefronts the
// accesses took, counted by instruction, and how many conflicts came of L1's clients meeting.
struct ConflictCounts {
  std::optional<std::uint64_t> wavefronts, arbitration;
};
// Evidence that conflicts counted beyond the interpreted ones are none of the kernel's; empty when there is none. Pure.
// `number`: shared_load.bank_conflicts or shared_store.bank_conflicts.
Wording explain_conflicts(const std::string& number, std::uint64_t interpreted_wavefronts,
                          const ConflictCounts& counts);

}  // namespace lanescope::job
