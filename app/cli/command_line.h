#pragma once
// The command line: turns argv into a subcommand's options. Only this file and its helpers use CLI11.

namespace lanescope::cli {

// Parses, runs the subcommand and returns the exit code. argv needs at least one argument besides the program's name.
int run_command_line(int argc, const char* const* argv);

}  // namespace lanescope::cli
