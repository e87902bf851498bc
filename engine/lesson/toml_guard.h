#pragma once
// Refuses input that the TOML parser cannot handle.

#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.h"

namespace lanescope::lesson {

// The parser is recursive and assumes that some bytes never occur outside strings and comments. So this refuses text
// with more than 64 nested brackets or parts of a dotted key, with a bracket that closes one of another kind, with
// a quotation mark in the middle of a value, with invalid UTF-8 or control characters, or with characters outside ASCII
// where TOML allows none. Code: lesson.syntax, with its place.
std::optional<Diagnostic> refused_before_parsing(std::string_view text, const std::string& file);

}  // namespace lanescope::lesson
