#pragma once
// --values and --writer of `run` and `trace`: answered by running the launch again.

#include <string>

#include <nlohmann/json.hpp>

#include "cli/input/options.h"
#include "job/run/job.h"

namespace lanescope::cli {

// Checks the syntax of these options. Code: command.bad_step.
Diagnostics check_replays(const RunnerOptions& options);

// For a run with at least one step: the answers as text and as the JSON keys "values" and "writers". Problems are added
// to the outcome's diagnostics.
struct Replays {
  std::string text;
  nlohmann::ordered_json json;
};
Replays replay(job::Outcome& outcome, const RunnerOptions& options);

}  // namespace lanescope::cli
