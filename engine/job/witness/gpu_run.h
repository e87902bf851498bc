#pragma once
// The second and third witness of a run, and its time: the same PTX on a real GPU.
// Everything here starts from the interpreter's Outcome, so that kernel, arguments and
// launch are the same.

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
  WhichLaunch which;  // what `launch` means in the comments below
  gpu::KernelAttributes attributes;
  compile::Sass sass;
  std::vector<sim::Argument> before;  // as the launch finds them; and as the GPU takes them:
  std::vector<gpu::Argument> given;   // (behind them the module's variables that are set before the launch)
  gpu::Launch launch;                 // by the places in `given`
  // Of a launch of a program: its memory in the interpreter, by the places in `given`, where it stands behind the
  // parameters (kept_on_gpu.h). Else empty.
  std::vector<DeviceRange> kept_ranges;
  std::vector<sim::Argument> after_first;  // with the buffers' contents after the launch, and
  std::vector<sim::Argument>
      arguments;  // after the last launch that was run; the request's buffers follow the arguments
  bool repeatable =
      true;  // two runs of the launch, from the same memory, gave the same, bit for bit (GpuOptions::twice)
  bool same_start = true;     // two runs of the launches before it left the same memory (likewise)
  bool start_rounds = false;  // one of them rounds_by_order()
  bool same_result = false;   // as the interpreter's, bit for bit
  Wording first_difference;   // "arg 1 (out), byte 132"; empty when same
  std::optional<gpu::Timing> timing;
  Diagnostics not_listed;  // warnings: why `sass` has no instructions though they were asked for
};

struct GpuOptions {
  bool time = true;
  gpu::TimingOptions timing;
  bool twice = true;  // run the launch again, to see whether the kernel is repeatable
  double watchdog_seconds = 20;
  bool disassemble = true;  // false: GpuRun::sass has no instructions yet; compile::disassemble() adds them
};

// gpu.throttled, a warning: why there is a timing without samples.
Diagnostic all_discarded(const gpu::Timing& timing);

// Compiles the outcome's PTX for the session's GPU, runs it once, and times it. Diagnostics: those of gpu.h and
// compiler.h.
Result<GpuRun> run_on_gpu(
    const Outcome& interpreted, gpu::Session& session, const GpuOptions& options,
    const std::function<bool()>& keep_going = [] { return true; });

// One launch of `whole`, which is where `one` came from: the launches before it run plainly, on the same buffers, as
// the whole run has them, and what they leave is what this launch starts from, here and whenever it is recorded or
// counted. `arguments` are those after this launch, in its own order (OneLaunch); it is not timed. agree() takes the
// two: agree(one.outcome, …).
Result<GpuRun> run_launch_on_gpu(
    const Outcome& whole, const OneLaunch& one, gpu::Session& session, const GpuOptions& options,
    const std::function<bool()>& keep_going = [] { return true; });

// How far recording goes. What does not fit the buffer at once is recorded in ranges of blocks, launch after launch,
// each from the same starting memory; of a kernel that is not repeatable the ranges are then of several executions.
struct RecordingLimits {
  std::uint64_t bytes = 256ull << 20;  // the buffer on the device
  std::uint32_t launches = 64;         // also those repeated with more room
  double seconds = 10;                 // no launch is begun later
};
// The kernel recording itself: one pass, from the memory in GpuRun::given. The blocks chosen are [first_block,
// first_block + block_count), cut to the grid.
struct GpuRecording {
  trace::Trace trace;
  std::vector<DeviceRange> ranges;       // where the arguments lay, as the trace's addresses have it
  std::vector<DeviceRange> kept_ranges;  // GpuRun's
  std::uint32_t first_block = 0;
  bool same_result = false;    // the learner's result, as the plain kernel gave it, in every one of `launches`
  std::uint32_t blocks = 0;    // recorded, from first_block on; fewer than chosen where a limit ended it
  std::uint32_t launches = 0;  // it took
};
Result<GpuRecording> record_on_gpu(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session,
                                   instrument::Pass pass, std::uint32_t first_block, std::uint32_t block_count,
                                   const RecordingLimits& limits = {});
// Over the blocks that were recorded. On any thread.
RecordComparison compare_with(const Outcome& interpreted, const GpuRecording& recording, instrument::Pass pass);

// The cost of recording: the plain kernel's time beside the same launch recording itself, all timed the same way.
struct RecordingCost {
  struct Row {
    instrument::Pass pass{};
    std::uint32_t blocks = 0;   // chosen, of the grid's
    std::uint64_t records = 0;  // events written per launch
    gpu::Timing timing;
  };
  gpu::Timing plain;
  std::vector<Row> rows;  // each pass over all blocks, then over `chosen` blocks
};
Result<RecordingCost> measure_recording(const Outcome& interpreted, gpu::Session& session,
                                        const gpu::TimingOptions& timing, std::uint32_t chosen);

}  // namespace lanescope::job
