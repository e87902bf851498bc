#pragma once
// The speed of the engine on this machine: four kernels with known results in the interpreter, the PTX parser, and the
// metrics. Wall time of the steady clock, medians of several runs. Results are checked.

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::bench {

// "copy2", "reduce0", "saxpy", "matmul"; each is in kernels/NAME.cu.
const std::vector<std::string>& kernel_names();

struct Options {
  std::string folder;                // bench/, which contains kernels/
  std::vector<std::string> kernels;  // of kernel_names(); empty = all
  std::vector<int> threads;          // each once; empty = 1, 2 and all cores, up to the machine's number
  int times = 1;                     // each kernel runs this many times as many blocks; from 1
  double seconds = 0.5;              // approximate time per figure, with at least three runs; 0: a single run
};

// One kernel with a number of threads. The time of a run is that of sim::run alone: without compiling and without
// copying the buffers into the launch, but with collecting the events into the trace.
struct EngineSpeed {
  std::string kernel;
  int threads = 1;
  std::uint64_t lane_instructions = 0;  // per run; must be equal in all runs, or the measurement fails
  double untraced_per_second = 0;       // lane-instructions, without counting anything (median run)
  double traced_per_second = 0;         // with totals and every event recorded (median run)
  std::uint64_t events = 0;             // that a traced run kept: all of them
  int runs = 0;                         // of each kind; runs apart: the same number, up to ten
  // The total speed of as many single-threaded runs of this kernel at the same time, each with its own buffers: the
  // limit of the machine with shared memory bandwidth. 0 for one thread.
  double untraced_apart_per_second = 0;
  double traced_apart_per_second = 0;
};
// Runs of all thread counts, untraced and traced, alternate, so that their ratios hold even if the machine's speed
// drifts; the runs apart come last. Errors: the compiler's (kernels, toolchain.*), io.cannot_read, bench.wrong_result.
Result<std::vector<EngineSpeed>> measure_engine(const Options& options);

// A stage of the engine other than the interpreter.
struct StageSpeed {
  std::string stage;      // "parse", "metrics"
  std::string of;         // its input
  std::string unit;       // "MB/s" (10⁶ bytes of PTX), "events/s"
  double per_second = 0;  // in the unit's numerator: MB, not bytes
};
// parse: the PTX of kernels/grid_sum.cu, including what cooperative groups add. metrics: recomputes all totals from the
// events of matmul.
Result<std::vector<StageSpeed>> measure_stages(const Options& options);

}  // namespace lanescope::bench
