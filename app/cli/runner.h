#pragma once
// What `run`, `trace` and `compare` share: from a request to output, files and an exit code.

#include "cli/options.h"
#include "job/job.h"

namespace lanescope::cli {

// Puts the options into the request. Errors: command.bad_blocks, gpu.not_built.
Diagnostics apply(const RunnerOptions& options, job::Request& request);

// Runs, prints (a table or JSON), writes pictures and the trace file, prints diagnostics. With `check`, a check that does
// not hold makes the exit code 1. `title` stands above the table.
int run_and_print(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options, bool check,
                  const std::string& title);

// Output for a request that could not even be made: the diagnostics, and with `json` a document that holds them.
int refuse(const Diagnostics& problems, bool json, const job::Request& request = {});

}  // namespace lanescope::cli
