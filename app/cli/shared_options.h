#pragma once
// Options that several subcommands share.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/input/options.h"

namespace lanescope::cli {

inline constexpr double most_steps = 1e15, most_event_megabytes = 1e6, most_heap_megabytes = 65536;

// Like CLI::Range, which accepts text that is not a number, but checks the text: a negative number must not become a
// large one.
CLI::Validator between(double least, double most, const char* type);
// Only checks the value: run_command_line() has already read the language, so that errors can use it.
void hear_language(CLI::Option* option);
// For a command that draws nothing; for one that draws.
void add_language(CLI::App& command);
void add_svg(CLI::App& command, std::string& folder, std::string& language);
// Options for how a kernel runs and what is shown of it.
void add_runner(CLI::App& command, RunnerOptions& runner);

// The options of `exec` among the arguments that words[0], a .cu file, gets; not those that programs often have too.
// None if `--` follows the file.
std::vector<std::string> options_behind_file(const CLI::App& exec, const std::vector<std::string>& words);

}  // namespace lanescope::cli
