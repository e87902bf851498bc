#pragma once
// CLI11's help and errors in the language that the command line asks for, with the program name as typed.

#include <string>

#include "core/wording.h"
#include "words/language.h"

namespace CLI {
class App;
}

namespace lanescope::command {

// Of `--language zh-CN` or `--language=zh-CN`, wherever it stands: what is wrong before it is told in it as well.
diagram::Language language_asked(int argc, const char* const* argv);
// A complaint of CLI11 (2.1's Error.hpp and Validators.hpp), with the pattern that it was made by.
Wording said_by_parser(const std::string& text);
// Descriptions with program_name() at their "{}", groups and headings. After all options and subcommands are there.
void word_help(CLI::App& app, diagram::Language language);

}  // namespace lanescope::command
