#pragma once
// Options that several subcommands have.

#include <string>

#include <CLI/CLI.hpp>

#include "cli/input/options.h"

namespace lanescope::cli {

inline constexpr double most_steps = 1e15, most_event_megabytes = 1e6, most_heap_megabytes = 65536;

// As CLI::Range, which lets what is no number pass, and as text: a negative number must not become a large one.
CLI::Validator between(double least, double most, const char* type);
// run_command_line() has heard it: so it is known while errors are told.
void hear_language(CLI::Option* option);
// Of a command that draws nothing; of one that draws.
void add_language(CLI::App& command);
void add_svg(CLI::App& command, std::string& folder, std::string& language);
// How a kernel runs, and what is shown of it.
void add_runner(CLI::App& command, RunnerOptions& runner);

}  // namespace lanescope::cli
