#pragma once
// What a replay found, as text: the values at a step, and who wrote an element last.

#include <optional>
#include <string>

#include "job/replay/origins.h"

namespace lanescope::cli {

// A row for each lane: what its access goes to, each register, and what memory held before and after.
std::string values_text(const job::StepValues& values);
// A sentence, and the values of the step that wrote it.
std::string writer_text(const std::optional<job::Writer>& writer, const std::string& element);
// The steps that the values of a writer came from, a line for each and below it what it read.
std::string chain_text(const job::Chain& chain);

}  // namespace lanescope::cli
