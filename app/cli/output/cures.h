#pragma once
// Adds command-line options, which the engine does not know, to its cures. Only names options that the command has.

#include <string>
#include <vector>

#include "core/diagnostic.h"

namespace lanescope::cli {

// Sets the names of the command's options ("--max-steps"). There are none before the first call.
void offer(std::vector<std::string> options);
Diagnostics with_options(Diagnostics diagnostics);

}  // namespace lanescope::cli
