#pragma once
// The text of a device printf.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/memory_model.h"

namespace lanescope::sim {

// The text of a launch, as far as it fits in a buffer of `most` bytes: text that is added once it is full is dropped.
// Texts that are joined piece by piece give the same result as single ones.
struct PrintedText {
  std::uint64_t most = printf_buffer_bytes;
  std::string text;
  bool full = false;
  void add(const std::string& more, bool more_is_full);
  // If something was dropped, cuts the text at the end of a line.
  void end_at_a_line();
};

// Appends `format` to `out` with its conversions filled in. The arguments are in a list as for vprintf, each at a
// multiple of its size: 4 bytes (int, unsigned, char) or 8 (long, long long, double, pointers). `argument` reads one of
// them; `text` reads the string at an address. Returns the number of arguments, like the device's printf. With a width
// or precision beyond the buffer's size, the added text does not fit in the buffer either.
int format_device_text(const std::string& format, std::string& out,
                       const std::function<std::uint64_t(std::uint64_t offset, std::uint64_t bytes)>& argument,
                       const std::function<std::string(std::uint64_t address)>& text);

// The first conversion of `format` that CUDA's printf does not have, such as "%zu" or "%.*f"; empty if there is none
// ("CUDA C++ Programming Guide", formatted output: %[flags][width][.precision][size]type, of which the precision is a
// number and the size is h, l or ll). On an H200 such a conversion and those behind it print whatever the host's
// registers hold. format_device_text() prints it as the host's printf does.
std::string_view undefined_conversion(std::string_view format);

}  // namespace lanescope::sim
