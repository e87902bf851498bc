#pragma once
// Shared by `run`, `trace` and `compare`: from a request to output, files and an exit code.

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "cli/input/options.h"
#include "job/witness/gpu_report.h"

namespace lanescope::cli {

// Puts the options into the request. Error: command.bad_blocks.
Diagnostics apply(const RunnerOptions& options, job::Request& request);

// What the chosen device gives. The interpreter always runs: it is the first witness.
struct DeviceRun {
  job::Outcome outcome;      // to be printed: the GPU's where that was chosen
  trace::Trace interpreted;  // where the GPU was chosen: what the interpreter gave
  std::optional<job::GpuReport> gpu;
  // Whose events have one order.
  const trace::Trace& pictured() const { return gpu ? interpreted : outcome.first().trace; }
};
// A GPU that fails leaves the outcome not completed, with its diagnostics.
DeviceRun run_on_device(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options);

// What a command adds to the output of its run.
struct Addition {
  Diagnostics notes;  // of how the request was made: before those of the run
  std::function<std::string(const job::Outcome&)> text;
  std::function<void(const job::Outcome&, nlohmann::ordered_json&)> json;
};

// Runs, prints (a table or JSON), writes pictures and the trace file, prints diagnostics. With `check`, a check that
// does not hold makes the exit code 1. `title` stands above the table.
int run_and_print(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options, bool check,
                  const std::string& title, const Addition& addition = {});

// Output for a request that could not even be made: the diagnostics, and with `json` a document that holds them.
int refuse(const Diagnostics& problems, bool json, const job::Request& request = {});

}  // namespace lanescope::cli
