#pragma once
// The subcommand `exec`: runs a whole program.

#include "cli/input/program_options.h"

namespace lanescope::cli {

// Returns the exit code of the program that it starts, or 128 + the signal's number if a signal ended it. If the
// program cannot be started, returns a code of commands.h.
int exec(const ProgramOptions& options);

}  // namespace lanescope::cli
