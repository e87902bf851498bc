#pragma once
// Reading a whole file, with the system's reason where that fails.

#include <cstddef>
#include <string>

namespace lanescope {

// More than any text that a compiler made, and than any that somebody wrote.
inline constexpr std::size_t most_text_bytes = std::size_t{256} << 20;
inline constexpr std::size_t most_source_bytes = std::size_t{16} << 20;

// `contents` becomes what the regular file holds, or the pipe that a shell has opened (<(…), /dev/stdin). Returns 0, or
// why not (errno): EISDIR of a folder, ESPIPE of a named pipe or a device, which may have no end, EFBIG of more than
// `most` bytes; `contents` is then empty. Never waits for somebody to open the other end.
int read_file(const std::string& path, std::string& contents, std::size_t most = most_text_bytes);

}  // namespace lanescope
