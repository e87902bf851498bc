#pragma once
// --values and --writer: what `run` and `trace` answer by running once more.

#include <string>

#include <nlohmann/json.hpp>

#include "cli/input/options.h"
#include "job/run/job.h"

namespace lanescope::cli {

// What is wrong with how they are written. Code: command.bad_step.
Diagnostics check_replays(const RunnerOptions& options);

// Of a run that came to at least one step: what they found, as text and as JSON's keys "values" and "writers".
// Problems join the outcome's diagnostics.
struct Replays {
  std::string text;
  nlohmann::ordered_json json;
};
Replays replay(job::Outcome& outcome, const RunnerOptions& options);

}  // namespace lanescope::cli
