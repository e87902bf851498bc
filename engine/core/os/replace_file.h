#pragma once
// Replaces a file atomically: the old contents stay until the new ones are complete.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

enum class Flush : std::uint8_t {
  later,   // when the system does: data may be lost if the machine stops
  to_disk  // before the old contents are replaced
};

// Writes the pieces, one after another, to a new file in the same folder and renames it. A link stays: the file that it
// points to is replaced. Permissions do not change. A device or a pipe is written to directly. Returns 0 or errno, for
// example for a full disk; then the old file is unchanged and the new one is deleted.
int replace_file(const std::string& path, std::initializer_list<std::span<const std::byte>> pieces,
                 Flush flush = Flush::later);
int replace_file(const std::string& path, std::string_view contents);

}  // namespace lanescope
