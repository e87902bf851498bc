#include "job/values/element_numbers.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "core/half.h"

namespace lanescope::job {

using sim::ElementType;

namespace {

constexpr ElementType all_types[] = {ElementType::u8,  ElementType::i8,   ElementType::u16, ElementType::i16,
                                     ElementType::f16, ElementType::bf16, ElementType::i32, ElementType::u32,
                                     ElementType::f32, ElementType::i64,  ElementType::u64, ElementType::f64};

}  // namespace

std::optional<ElementType> type_named(std::string_view name) {
  for (const ElementType type : all_types)
    if (name == sim::name_of(type)) return type;
  return std::nullopt;
}

bool is_signed(ElementType type) {
  return type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32 || type == ElementType::i64;
}
std::uint64_t mask_of(ElementType type) {
  return sim::bytes_of(type) == 8 ? ~0ull : (1ull << (8 * sim::bytes_of(type))) - 1;
}

std::uint64_t float_bits(ElementType type, double value) {
  if (type == ElementType::f16) return half_bits(value);
  if (type == ElementType::bf16) return bfloat_bits(value);
  if (type == ElementType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

std::optional<std::uint64_t> parse_integer(ElementType type, std::string_view text) {
  const std::uint64_t mask = mask_of(type);
  std::uint64_t bits = 0;
  if (text.starts_with("0x") || text.starts_with("0X"))
    return parse_whole(text.substr(2), bits, 16) && bits <= mask ? std::optional(bits) : std::nullopt;
  if (!is_signed(type)) return parse_whole(text, bits, 10) && bits <= mask ? std::optional(bits) : std::nullopt;
  std::int64_t value = 0;
  const auto highest = static_cast<std::int64_t>(mask >> 1);
  if (!parse_whole(text, value, 10) || value > highest || value < -highest - 1) return std::nullopt;
  return static_cast<std::uint64_t>(value) & mask;
}

namespace {

std::optional<std::uint64_t> parse_float(ElementType type, std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    std::uint64_t bits = 0;
    return parse_whole(text.substr(2), bits, 16) && bits <= mask_of(type) ? std::optional(bits) : std::nullopt;
  }
  const char* end_of_text = text.data() + text.size();
  if (type == ElementType::f32) {  // rounded once, directly to float
    float value = 0;
    const auto [end, status] = std::from_chars(text.data(), end_of_text, value);
    if (status != std::errc{} || end != end_of_text) return std::nullopt;
    return std::bit_cast<std::uint32_t>(value);
  }
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), end_of_text, value);
  if (status != std::errc{} || end != end_of_text) return std::nullopt;
  const std::uint64_t bits = float_bits(type, value);
  const auto small = static_cast<std::uint16_t>(bits);
  if (type == ElementType::f16 && std::isfinite(value) && std::isinf(half_value(small))) return std::nullopt;
  if (type == ElementType::bf16 && std::isfinite(value) && std::isinf(bfloat_value(small))) return std::nullopt;
  return bits;
}

}  // namespace

std::optional<std::uint64_t> parse_number(ElementType type, std::string_view text) {
  return is_floating(type) ? parse_float(type, text) : parse_integer(type, text);
}

Wording range_of(ElementType type) {
  if (is_floating(type)) return worded("a number that {} can hold, such as 1.5, -2e-3, inf or nan", sim::name_of(type));
  const std::uint64_t mask = mask_of(type);
  if (is_signed(type)) return worded("an integer from -{} to {}", (mask >> 1) + 1, mask >> 1);
  return worded("an integer from 0 to {}", mask);
}

}  // namespace lanescope::job
