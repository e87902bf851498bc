#pragma once
// Reading a whole file, with the system's reason where that fails.

#include <cstddef>
#include <string>

namespace lanescope {

// More than any text that somebody wrote or a compiler made; a device may have no end.
inline constexpr std::size_t most_text_bytes = std::size_t{256} << 20;

// `contents` becomes what the file, pipe or device holds. Returns 0, or why not (errno): EISDIR of a folder, EFBIG of more than
// `most` bytes; `contents` is then empty.
int read_file(const std::string& path, std::string& contents, std::size_t most = most_text_bytes);

}  // namespace lanescope
