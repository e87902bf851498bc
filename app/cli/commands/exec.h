#pragma once
// The subcommand `exec`: a whole program.

#include "cli/input/program_options.h"

namespace lanescope::cli {

// Returns the exit code of the program that it starts; of one that a signal ended, 128 + its number. Before that, as
// commands.h says.
int exec(const ProgramOptions& options);

}  // namespace lanescope::cli
