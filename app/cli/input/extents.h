#pragma once
// Short notations of the command line.

#include <string>

#include "core/result.h"
#include "sim/launch.h"

namespace lanescope::cli {

// "all", "none", "0", "0-3", "0,5,9-12": the blocks whose events are kept. Errors: command.bad_blocks, also for a block
// outside the grid of `blocks` blocks.
Result<sim::Record> parse_blocks(const std::string& text, std::uint64_t blocks);

}  // namespace lanescope::cli
