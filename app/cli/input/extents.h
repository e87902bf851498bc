#pragma once
// Short notations of the command line.

#include <string>
#include <vector>

#include "core/dim3.h"
#include "core/result.h"
#include "sim/launch.h"

namespace lanescope::cli {

// "X", "X,Y" or "X,Y,Z". `option` is named in the error (command.bad_extent).
Result<Dim3> parse_extent(const std::string& text, const char* option);

// "all", "none", "0", "0-3", "0,5,9-12": the blocks whose events are kept. Errors: command.bad_blocks, also for a block
// outside the grid of `blocks` blocks.
Result<sim::Record> parse_blocks(const std::string& text, std::uint64_t blocks);

}  // namespace lanescope::cli
