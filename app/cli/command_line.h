#pragma once
// The command line: from argv to a subcommand's options. The only user of CLI11.

namespace lanescope::cli {

// Parses, runs the subcommand, returns the exit code. argv has at least one argument besides the program's name.
int run_command_line(int argc, const char* const* argv);

}  // namespace lanescope::cli
