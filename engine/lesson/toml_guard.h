#pragma once
// Refuses input that the TOML parser must not see.

#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.h"

namespace lanescope::lesson {

// The parser calls itself for each level of nesting, and takes some bytes outside strings and comments for impossible.
// So a text is refused that nests deeper than 64 brackets or 64 parts of a dotted key, holds bytes that are no UTF-8,
// control characters, or anything but ASCII where TOML allows nothing else. Code lesson.syntax, with its place.
std::optional<Diagnostic> refused_before_parsing(std::string_view text, const std::string& file);

}  // namespace lanescope::lesson
