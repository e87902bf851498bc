#pragma once
// Numbers of an argument's type: text to bits, and their range.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/worded.h"
#include "sim/launch_request.h"

namespace lanescope::job {

std::optional<sim::ElementType> type_named(std::string_view name);  // "f32"
bool is_signed(sim::ElementType type);
std::uint64_t mask_of(sim::ElementType type);  // mask of the type's bits
// The bits of a value rounded to a floating type.
std::uint64_t float_bits(sim::ElementType type, double value);

// True if the whole text is a number that T can hold.
template <typename T>
bool parse_whole(std::string_view text, T& value, int base = 10) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return status == std::errc{} && end == text.data() + text.size();
}

// The bits of "-4", "0xff" or "1.5"; nullopt if the text is not a number or does not fit the type.
std::optional<std::uint64_t> parse_integer(sim::ElementType type, std::string_view text);
std::optional<std::uint64_t> parse_number(sim::ElementType type, std::string_view text);
// "an integer from 0 to 255"
Wording range_of(sim::ElementType type);

}  // namespace lanescope::job
