#pragma once
// Adds command-line options to the engine's cures, which do not know them. Only options that the command has are named.

#include <string>
#include <vector>

#include "core/diagnostic.h"

namespace lanescope::cli {

// The names of the command's options, "--max-steps": none until then.
void offer(std::vector<std::string> options);
Diagnostics with_options(Diagnostics diagnostics);

}  // namespace lanescope::cli
