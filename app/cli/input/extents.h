#pragma once
// Small notations of the command line.

#include <string>
#include <vector>

#include "core/dim3.h"
#include "core/result.h"
#include "sim/launch.h"

namespace lanescope::cli {

// "X", "X,Y" or "X,Y,Z"; `option` names it in the error (command.bad_extent).
Result<Dim3> parse_extent(const std::string& text, const char* option);

// "all", "none", "0", "0-3", "0,5,9-12": whose events a run keeps. Errors: command.bad_blocks, also for a block that
// the grid of `blocks` blocks does not have.
Result<sim::Record> parse_blocks(const std::string& text, std::uint64_t blocks);

}  // namespace lanescope::cli
