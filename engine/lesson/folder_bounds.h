#pragma once
// A lesson's folder may be untrusted, so only files inside it are read. See docs/security.md.

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace lanescope::lesson {

// Largest size of lesson.toml, a text or a kernel.
inline constexpr std::size_t most_file_bytes = std::size_t{1} << 20;

// Reads a file of the folder: a regular file of at most `most` bytes that is inside the folder after all links are
// resolved. Codes: lesson.io (it cannot be read or is not a file), lesson.outside, lesson.too_large.
Result<std::string> read_within(const std::string& folder, const std::string& name, std::size_t most = most_file_bytes);

// The same check without reading the file, for any size.
std::optional<Diagnostic> not_within(const std::string& folder, const std::string& name);

// A lesson's kernel may only include the CUDA compiler's headers: no absolute path, no `..`, no name from a macro, no
// file of the current folder. Code: lesson.outside, with the line of each.
Diagnostics foreign_includes(std::string_view source, const std::string& file);

}  // namespace lanescope::lesson
