#pragma once
// How fast the engine is on this machine: four kernels with known results through the interpreter, and the speed of the
// PTX parser and of the metrics. Wall time by the steady clock, medians of several runs. Results are checked.

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::bench {

// "copy2", "reduce0", "saxpy", "matmul"; the file of each is kernels/NAME.cu.
const std::vector<std::string>& kernel_names();

struct Options {
  std::string folder;                // bench/: holds kernels/
  std::vector<std::string> kernels;  // of kernel_names(); empty = all
  std::vector<int> threads;          // each once; empty = 1, 2 and all cores, as far as there are so many
  double seconds = 0.5;              // about so long for each figure, and at least three runs; 0: a single one
};

// One kernel on so many threads. A run's time is that of sim::run alone: without compiling, and without copying the
// buffers into the launch; with collecting the events into the trace.
struct EngineSpeed {
  std::string kernel;
  int threads = 1;
  std::uint64_t lane_instructions = 0;  // of one run; the same in every run, or the measurement fails
  double untraced_per_second = 0;       // lane-instructions, without counting anything (median run)
  double traced_per_second = 0;         // with totals and every event recorded (median run)
  std::uint64_t events = 0;             // that a traced run kept: all of them
  int runs = 0;                         // of each of the two; of those apart as many, up to ten
  // What as many single-threaded runs of this kernel, each with buffers of its own, do together at the same time: what
  // the machine has to give, its memory shared. 0 for one thread.
  double untraced_apart_per_second = 0;
  double traced_apart_per_second = 0;
};
// Runs of all thread counts, untraced and traced, take turns, so that their ratios hold when the machine's speed
// drifts; those apart come after them. Errors: the compiler's (kernels, toolchain.*), io.cannot_read,
// bench.wrong_result.
Result<std::vector<EngineSpeed>> measure_engine(const Options& options);

// A stage of the engine that is no interpreter.
struct StageSpeed {
  std::string stage;      // "parse", "metrics"
  std::string of;         // what it works on
  std::string unit;       // "MB/s" (10⁶ bytes of PTX), "events/s"
  double per_second = 0;  // in the unit's numerator; MB, not bytes
};
// parse: the PTX of kernels/grid_sum.cu, with what cooperative groups bring along. metrics: all totals worked out again
// from the events of matmul.
Result<std::vector<StageSpeed>> measure_stages(const Options& options);

}  // namespace lanescope::bench
