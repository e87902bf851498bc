#pragma once
// Reads a whole file; gives the system's reason if that fails.

#include <cstddef>
#include <string>

namespace lanescope {

// Larger than any text of a compiler, and than any source file.
inline constexpr std::size_t most_text_bytes = std::size_t{256} << 20;
inline constexpr std::size_t most_source_bytes = std::size_t{16} << 20;

// Sets `contents` to those of the regular file or of a pipe that a shell opened (<(…), /dev/stdin). Returns 0 or errno:
// EISDIR for a folder, ESPIPE for a named pipe or a device, which may have no end, EFBIG for more than `most` bytes.
// `contents` is then empty. Never waits for somebody to open the other end.
int read_file(const std::string& path, std::string& contents, std::size_t most = most_text_bytes);

}  // namespace lanescope
