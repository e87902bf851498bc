#pragma once
// Output that all subcommands share: diagnostics and the exit codes derived from them.

#include <map>
#include <string>

#include "core/diagnostic.h"
#include "core/result.h"
#include "job/run/job.h"
#include "words/language.h"

namespace lanescope::cli {

// 0 without an error; else the code for the first error (see commands.h).
int exit_code(const Diagnostics& diagnostics);

// Texts that diagnostics may refer to, by file name.
using Texts = std::map<std::string, std::string>;
// Sets the language of told() and print_diagnostics(); English before the call. Errors, help, the names of numbers
// and the heads of tables are translated. Other output and JSON stay English.
void speak(diagram::Language language);
// The text in that language.
std::string told(const Wording& wording);
// Prints to standard error, with the line and a caret if the place is in one of the texts.
void print_diagnostics(const Diagnostics& diagnostics, const Texts& texts = {});
// The kernel's source and its PTX.
Texts texts_of(const job::Outcome& outcome);

// Prints all of `text` to standard output. Returns false after the diagnostic io.cannot_write if that fails, for
// example on a full disk.
bool print(const std::string& text);

// io.cannot_write for a file; `reason`: errno.
Diagnostic cannot_write(const std::string& path, int reason);

// Diagnostic io.cannot_read.
Result<std::string> read_text_file(const std::string& path);

}  // namespace lanescope::cli
