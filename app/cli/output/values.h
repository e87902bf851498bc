#pragma once
// Replay results as text: the values at a step, and the last writer of an element.

#include <optional>
#include <string>

#include "job/replay/origins.h"

namespace lanescope::cli {

// One row per lane: the target of its access, each register, and the contents of memory before and after.
std::string values_text(const job::StepValues& values);
// A sentence, and the values at the step that wrote the element.
std::string writer_text(const std::optional<job::Writer>& writer, const std::string& element);
// The steps that a written value came from: one line per step, and below it what the step read.
std::string chain_text(const job::Chain& chain);

}  // namespace lanescope::cli
