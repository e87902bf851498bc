#pragma once
// Macros that the user defines for a source, as nvcc does with -D.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace lanescope::compile {

// Why "NAME" or "NAME=VALUE" cannot be a definition (compile.bad_define); nullopt if it can.
std::optional<Diagnostic> wrong_definition(const std::string& definition);

// A #define line for each definition; without a value, a macro is 1.
std::string define_lines(const std::vector<std::string>& definitions);

// The text that the scans of source_scan.h, launch_scan.h and host_constants.h read as the compiler reads `text` with
// these definitions: each #if that they decide is `#if 0` or `#if 1`, a #define that they exclude is blank, and their
// own #define lines follow the text. Lines and offsets of the text stay the same. A condition that asks for more than
// the definitions and literals stays as it is.
std::string with_definitions(std::string_view text, const std::vector<std::string>& definitions);

// The text with all branches of the conditionals that are neither `#if 0` nor `#if 1`: the scans take only the first.
std::string with_all_branches(std::string_view text);

}  // namespace lanescope::compile
