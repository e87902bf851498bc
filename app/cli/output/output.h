#pragma once
// Output common to all subcommands: diagnostics, and the exit code that follows from them.

#include <map>
#include <string>

#include "core/diagnostic.h"
#include "core/result.h"
#include "job/run/job.h"
#include "words/language.h"

namespace lanescope::cli {

// 0 without an error; else that of the first error: see commands.h.
int exit_code(const Diagnostics& diagnostics);

// Texts that diagnostics may point into, by the file name they use.
using Texts = std::map<std::string, std::string>;
// The language of told() and print_diagnostics() from here on; English until then. Errors, help and the names of
// numbers are in it; the rest of the output is English, and so is JSON.
void speak(diagram::Language language);
// In that language.
std::string told(const Wording& wording);
// To standard error, each with its line and a caret where its place lies in one of the texts.
void print_diagnostics(const Diagnostics& diagnostics, const Texts& texts = {});
// The kernel's source and its PTX.
Texts texts_of(const job::Outcome& outcome);

// To standard output, whole. False (after a diagnostic io.cannot_write) when it cannot take it: a full disk.
bool print(const std::string& text);

// io.cannot_write, of a file; `reason`: the system's (errno).
Diagnostic cannot_write(const std::string& path, int reason);

// Diagnostic io.cannot_read.
Result<std::string> read_text_file(const std::string& path);

}  // namespace lanescope::cli
