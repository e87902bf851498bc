#pragma once
// The second and third witness of a run, and its time: the same PTX on a real GPU. Everything here starts from the
// interpreter's Outcome, so kernel, arguments and launch are the same.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gpu.h"
#include "job/run/job.h"
#include "job/run/one_launch.h"
#include "job/witness/record_comparison.h"

namespace lanescope::job {

// The unmodified kernel on a GPU.
struct GpuRun {
  gpu::Device device;
  WhichLaunch which;  // the launch that the comments below call "the launch"
  gpu::KernelAttributes attributes;
  compile::Sass sass;
  std::vector<sim::Argument> before;  // as the launch finds them
  // The same in the GPU's form, followed by the module's variables that are set before the launch.
  std::vector<gpu::Argument> given;
  gpu::Launch launch;  // its parameters are indices into `given`
  // For a launch of a program: its memory ranges in the interpreter, by their index in `given`, where they come after
  // the parameters (kept_on_gpu.h). Else empty.
  std::vector<DeviceRange> kept_ranges;
  std::vector<sim::Argument> after_first;  // with the buffers' contents after the launch
  // After the last launch that ran; the request's buffers come after the arguments.
  std::vector<sim::Argument> arguments;
  // Two runs of the launch from the same memory gave bit for bit the same result (GpuOptions::twice).
  bool repeatable = true;
  bool same_start = true;     // two runs of the earlier launches left the same memory (GpuOptions::twice)
  bool start_rounds = false;  // rounds_by_order() holds for one of the earlier launches
  bool same_result = false;   // bit for bit the interpreter's result
  Wording first_difference;   // "arg 1 (out), byte 132"; empty when same
  std::optional<gpu::Timing> timing;
  Diagnostics not_listed;  // warnings: why `sass` has no instructions although they were requested
};

struct GpuOptions {
  bool time = true;
  gpu::TimingOptions timing;
  bool twice = true;  // run the launch a second time to see whether it is repeatable
  double watchdog_seconds = 20;
  bool disassemble = true;  // false: GpuRun::sass has no instructions; compile::disassemble() adds them later
};

// gpu.throttled, a warning: why a timing has no samples.
Diagnostic all_discarded(const gpu::Timing& timing);

// Compiles the outcome's PTX for the session's GPU, runs it once, and times it. Diagnostics: those of gpu.h and
// compiler.h.
Result<GpuRun> run_on_gpu(
    const Outcome& interpreted, gpu::Session& session, const GpuOptions& options,
    const std::function<bool()>& keep_going = [] { return true; });

// Moves the buffers' contents after a launch on the GPU into the arguments. Pointers in a buffer become
// Argument::pointers again. `done` begins with these arguments and may have more.
void take_results(std::vector<sim::Argument>& arguments, std::vector<gpu::Argument>& done);
// The first difference between two results, "argument 1, byte 132"; empty if there is none.
Wording first_difference(const std::vector<sim::Argument>& a, const std::vector<sim::Argument>& b);

// How run_on_gpu() compiles all kernels of a request into one module.
compile::Options options_for_gpu(const Request& request, const std::string& arch);
// Compiles and disassembles ahead of time what run_on_gpu() needs. May run on any thread.
void compile_for_gpu(const Outcome& interpreted, const std::string& arch);

// Runs one launch of `whole`, from which `one` was made. The earlier launches run unmodified on the same buffers as in
// the whole run; what they leave is the starting memory of this launch, also when it is recorded or counted.
// `arguments` are those after this launch, in its own order (OneLaunch). The launch is not timed. Pass the result to
// agree(one.outcome, …).
Result<GpuRun> run_launch_on_gpu(
    const Outcome& whole, const OneLaunch& one, gpu::Session& session, const GpuOptions& options,
    const std::function<bool()>& keep_going = [] { return true; });

// Limits of recording. A launch that does not fit the buffer is recorded in ranges of blocks, one launch after another,
// each from the same starting memory. If the kernel is not repeatable, the ranges then come from different executions.
struct RecordingLimits {
  std::uint64_t bytes = 256ull << 20;  // the buffer on the device
  std::uint32_t launches = 64;         // including launches that are repeated with a larger buffer
  double seconds = 10;                 // no launch starts after this time
};
// A kernel that recorded itself: one pass, started from the memory in GpuRun::given. The chosen blocks are
// [first_block, first_block + block_count), clipped to the grid.
struct GpuRecording {
  trace::Trace trace;
  std::vector<DeviceRange> ranges;       // the arguments' addresses in the trace
  std::vector<DeviceRange> kept_ranges;  // GpuRun's
  std::uint32_t first_block = 0;
  bool same_result = false;    // every launch gave the learner's result as the plain kernel did
  std::uint32_t blocks = 0;    // recorded blocks, from first_block on; fewer than chosen if a limit ended it
  std::uint32_t launches = 0;  // number of launches that it took
};
Result<GpuRecording> record_on_gpu(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session,
                                   instrument::Pass pass, std::uint32_t first_block, std::uint32_t block_count,
                                   const RecordingLimits& limits = {});
// Compares the recorded blocks. May be called from any thread.
RecordComparison compare_with(const Outcome& interpreted, const GpuRecording& recording, instrument::Pass pass);

// The cost of recording: the plain kernel's time and that of the same launch recording itself, timed in the same way.
struct RecordingCost {
  struct Row {
    instrument::Pass pass{};
    std::uint32_t blocks = 0;   // number of chosen blocks
    std::uint64_t records = 0;  // events written per launch
    gpu::Timing timing;
  };
  gpu::Timing plain;
  std::vector<Row> rows;  // each pass over all blocks, then over `chosen` blocks
};
Result<RecordingCost> measure_recording(const Outcome& interpreted, gpu::Session& session,
                                        const gpu::TimingOptions& timing, std::uint32_t chosen);

}  // namespace lanescope::job
