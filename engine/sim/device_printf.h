#pragma once
// The text of a device printf.

#include <cstdint>
#include <functional>
#include <string>

namespace lanescope::sim {

// Appends `format` to `out`, its conversions filled in. Arguments lie in a list as vprintf gets it: each at a multiple of its
// size, 4 bytes (int, unsigned, char) or 8 (long, long long, double, pointers). `argument` reads one; `text` reads the string at
// an address. Returns how many arguments there were, as the device's printf does.
int format_device_text(const std::string& format, std::string& out,
                       const std::function<std::uint64_t(std::uint64_t offset, std::uint64_t bytes)>& argument,
                       const std::function<std::string(std::uint64_t address)>& text);

}  // namespace lanescope::sim
