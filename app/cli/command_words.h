#pragma once
// CLI11's help and errors in the language of the command line, with the program name as the user types it.

#include <optional>
#include <string>
#include <vector>

#include "core/wording.h"
#include "words/language.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lanescope::command {

// The language of `--language zh-CN` or `--language=zh-CN` anywhere in argv, so that errors before it use it too.
diagram::Language language_asked(int argc, const char* const* argv);
// Takes a `--` between the options of `exec` and its program out of argv[1…]. CLI11 would hand the words after it to
// the app above `exec`, as if they were options of that.
void take_out_mark(const CLI::App& exec, std::vector<std::string>& words);
// nullptr if there is none of this name.
const CLI::App* command_named(const CLI::App& app, const std::string& name);
// An option of the named command that needs a value and is followed by another of its options, which CLI11 would take
// for the value: `run coalescing --set --json`.
std::optional<Wording> option_without_value(const CLI::App& app, const std::vector<std::string>& words);
// An error of CLI11 (Error.hpp and Validators.hpp, 2.1 to 2.7) together with the pattern that made it: the same text
// with each version.
Wording said_by_parser(const CLI::App& app, const CLI::ParseError& error);
// Translates descriptions (with program_name() at their "{}"), groups and headings. Call after all options and
// subcommands were added.
void word_help(CLI::App& app, diagram::Language language);

}  // namespace lanescope::command
