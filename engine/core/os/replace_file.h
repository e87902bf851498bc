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
  later,   // when the system sees fit: what was just written may be lost if the machine stops
  to_disk  // before the old contents are given up
};

// Writes the pieces, one after another, beside the file and renames that over it. A link stays: the file that it points
// to is replaced; permissions stay as they were. A device or a pipe is written to. Returns 0, or the system's reason
// (errno, a full disk among them): what was there is then untouched and nothing is left beside it.
int replace_file(const std::string& path, std::initializer_list<std::span<const std::byte>> pieces,
                 Flush flush = Flush::later);
int replace_file(const std::string& path, std::string_view contents);

}  // namespace lanescope
