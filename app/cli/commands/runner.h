#pragma once
// Shared by `run`, `trace` and `compare`: turns a request into output, files and an exit code.

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "cli/commands/gpu_session.h"
#include "cli/input/options.h"
#include "job/witness/gpu_report.h"

namespace lanescope::cli {

// Copies the options into the request. Error: command.bad_blocks.
Diagnostics apply(const RunnerOptions& options, job::Request& request);

// The result of the chosen device. The interpreter always runs: it is the first witness.
struct DeviceRun {
  job::Outcome outcome;      // the outcome to print: the GPU's if a GPU was chosen
  trace::Trace interpreted;  // if a GPU was chosen: the interpreter's trace
  std::optional<job::GpuReport> gpu;
  // The trace for pictures: its events have a single order.
  const trace::Trace& pictured() const { return gpu ? interpreted : outcome.first().trace; }
};
// If the GPU fails, the outcome is not completed and has the diagnostics.
DeviceRun run_on_device(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options,
                        OpeningGpu& gpu);

// Additional output of a command.
struct Addition {
  Diagnostics notes;  // about how the request was made; they precede those of the run
  std::function<std::string(const job::Outcome&)> text;
  std::function<void(const job::Outcome&, nlohmann::ordered_json&)> json;
};

// Runs, prints a table or JSON, writes pictures and the trace file, prints diagnostics. With `check`, a failed check
// makes the exit code 1. `title` is printed above the table.
int run_and_print(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options, bool check,
                  const std::string& title, const Addition& addition = {});

// Output for a request that could not be made: the diagnostics and, with `json`, a document with them.
int refuse(const Diagnostics& problems, bool json, const job::Request& request = {});

}  // namespace lanescope::cli
