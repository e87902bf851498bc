#pragma once
// What went wrong (or deserves a remark), where, and what to do about it. Errors are data: the engine returns them and
// never prints.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/wording.h"

namespace lanescope {

// A place in a text that the user can open. `line` and `column` count from 1; 0 means unknown.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

enum class Severity { note, warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  // A stable dotted name for scripts and tests, such as "memory.out_of_bounds" or "compile.error".
  std::string code;
  SourcePlace place;
  Wording message;  // one sentence: what happened
  Wording cure;     // one sentence: what the user can do; may be empty for notes
};

using Diagnostics = std::vector<Diagnostic>;

const char* to_string(Severity severity);
bool has_error(const Diagnostics& diagnostics);

// Replaces a cure of the engine by one for this front end. The engine does not know whether the user changes a launch
// by command-line options, by the window's controls or in a lesson's text.
struct OwnCure {
  std::string_view general;  // the pattern of the engine's cure
  Wording own;
};
void put_own_cures(Diagnostics& diagnostics, std::span<const OwnCure> cures);

// "file:line:column: error: message\n  cure: …": the form that compilers use and editors understand.
std::string format(const Diagnostic& diagnostic);

// The same, followed by the line of `text` and a caret under the column, if the place is in `text`.
std::string format_with_source(const Diagnostic& diagnostic, const std::string& text);

}  // namespace lanescope
