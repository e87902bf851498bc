#pragma once
// The engine's cures name no options, since it knows of none. Where the command has the one that a cure needs, it is named.

#include <string>
#include <vector>

#include "core/diagnostic.h"

namespace lanescope::cli {

// The names of the command's options, "--max-steps": none until then.
void offer(std::vector<std::string> options);
Diagnostics with_options(Diagnostics diagnostics);

}  // namespace lanescope::cli
