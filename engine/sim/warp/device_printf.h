#pragma once
// The text of a device printf.

#include <cstdint>
#include <functional>
#include <string>

namespace lanescope::sim {

// What CUDA's own buffer holds unless the host asks for another (cudaLimitPrintfFifoSize).
inline constexpr std::uint64_t printf_buffer_bytes = std::uint64_t{1} << 20;

// The text of a launch as far as that buffer goes: what is added once it is full is dropped. Texts joined piece by
// piece give what they give one by one.
struct PrintedText {
  std::string text;
  bool full = false;
  void add(const std::string& more, bool more_is_full);
  // Ends with a whole line where something was dropped.
  void end_at_a_line();
};

// Appends `format` to `out`, its conversions filled in. Arguments lie in a list as vprintf gets it: each at a multiple
// of its size, 4 bytes (int, unsigned, char) or 8 (long, long long, double, pointers). `argument` reads one; `text`
// reads the string at an address. Returns how many arguments there were, as the device's printf does. A width or
// precision beyond the buffer's size adds a text that does not fit the buffer either.
int format_device_text(const std::string& format, std::string& out,
                       const std::function<std::uint64_t(std::uint64_t offset, std::uint64_t bytes)>& argument,
                       const std::function<std::string(std::uint64_t address)>& text);

}  // namespace lanescope::sim
