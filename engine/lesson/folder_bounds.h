#pragma once
// A lesson's folder may be untrusted: only files inside it are read. See docs/security.md.

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace lanescope::lesson {

// Of lesson.toml, a text or a kernel.
inline constexpr std::size_t most_file_bytes = std::size_t{1} << 20;

// A file of the folder: a regular one that lies in it once every link is followed, of at most `most` bytes. Codes:
// lesson.io (it cannot be read, or is no file), lesson.outside, lesson.too_large.
Result<std::string> read_within(const std::string& folder, const std::string& name, std::size_t most = most_file_bytes);

// The same without reading it; any size will do.
std::optional<Diagnostic> not_within(const std::string& folder, const std::string& name);

// A lesson's kernel includes the CUDA compiler's headers alone: no path that is absolute or holds `..`, no name that a
// macro makes, no file of the current folder. Code lesson.outside, each with its line.
Diagnostics foreign_includes(std::string_view source, const std::string& file);

}  // namespace lanescope::lesson
