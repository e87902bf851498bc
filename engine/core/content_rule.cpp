#include "core/content_rule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace lanescope {
namespace {

using Kind = ContentRule::Kind;
using Type = ContentRule::Type;

struct Half {
  std::uint16_t bits;
};

// m / 2^11 as a half. It is exact: m has eleven bits at most, and 2^-11 is a normal number.
Half half_of(std::uint64_t m) {
  if (m == 0) return {0};
  const int top = static_cast<int>(std::bit_width(m)) - 1;
  return {static_cast<std::uint16_t>((top + 4) << 10 | (m << (10 - top) & 0x3ff))};
}

template <typename Element>
Element counted(const ContentRule& rule, std::uint64_t k) {
  if constexpr (std::is_floating_point_v<Element>)
    return static_cast<Element>(std::bit_cast<double>(rule.first) +
                                static_cast<double>(k) * std::bit_cast<double>(rule.step));
  else if constexpr (std::is_integral_v<Element>)
    return static_cast<Element>(rule.first + k * rule.step);
  else
    return {};
}

// A float has all bits of its significand, so it is exact, and below 1.
template <typename Element>
Element drawn(const ContentRule& rule, std::uint64_t k) {
  const std::uint64_t x = splitmix64(rule.first, k);
  if constexpr (std::is_same_v<Element, Half>)
    return half_of(x >> 53);
  else if constexpr (std::is_same_v<Element, float>)
    return static_cast<float>(x >> 40) / static_cast<float>(1 << 24);
  else if constexpr (std::is_same_v<Element, double>)
    return static_cast<double>(x >> 11) / static_cast<double>(std::uint64_t{1} << 53);
  else
    return static_cast<Element>(x >> (64 - 8 * sizeof(Element)));
}

template <typename Element>
void make(Element* to, const ContentRule& rule, std::uint64_t begin, std::uint64_t count) {
  if (rule.kind == Kind::counting)
    for (std::uint64_t i = 0; i < count; ++i) to[i] = counted<Element>(rule, begin + i);
  else
    for (std::uint64_t i = 0; i < count; ++i) to[i] = drawn<Element>(rule, begin + i);
}

constexpr std::size_t piece_bytes = 1 << 15;
template <typename Element>
using Piece = std::array<Element, piece_bytes / sizeof(Element)>;

template <typename Element>
bool fill_as(std::span<std::byte> into, const ContentRule& rule) {
  if (into.size() % sizeof(Element) != 0) return false;
  if (std::is_same_v<Element, Half> && rule.kind == Kind::counting) return false;
  Piece<Element> piece;
  for (std::size_t at = 0; at < into.size(); at += piece_bytes) {
    const std::size_t bytes = std::min(piece_bytes, into.size() - at);
    make(piece.data(), rule, at / sizeof(Element), bytes / sizeof(Element));
    std::memcpy(into.data() + at, piece.data(), bytes);
  }
  return true;
}

template <typename Element>
bool makes(const ContentRule& rule, std::span<const std::byte> bytes) {
  Piece<Element> piece;
  for (std::size_t at = 0; at < bytes.size();) {
    // A short beginning first: most contents differ in it.
    const std::size_t count = std::min(at == 0 ? std::size_t{64} : piece_bytes, bytes.size() - at);
    make(piece.data(), rule, at / sizeof(Element), count / sizeof(Element));
    if (std::memcmp(piece.data(), bytes.data() + at, count) != 0) return false;
    at += count;
  }
  return true;
}

// Whether all elements are whole numbers that double arithmetic gives exactly: then every machine makes the same bytes.
bool is_exact(double first, double step, std::size_t count) {
  constexpr double most = 9007199254740992.0;  // 2^53
  const auto whole = [](double number) { return number > -most && number < most && number == std::trunc(number); };
  return whole(first) && whole(step) && std::abs(first) + static_cast<double>(count) * std::abs(step) < most;
}

template <typename Element>
std::optional<ContentRule> counting_rule(Type type, std::span<const std::byte> bytes) {
  if (bytes.size() % sizeof(Element) != 0 || bytes.size() < 2 * sizeof(Element)) return std::nullopt;
  Element first, second;
  std::memcpy(&first, bytes.data(), sizeof first);
  std::memcpy(&second, bytes.data() + sizeof first, sizeof second);
  ContentRule rule{.kind = Kind::counting, .type = type};
  if constexpr (std::is_floating_point_v<Element>) {
    const double begin = static_cast<double>(first), step = static_cast<double>(second) - begin;
    if (!is_exact(begin, step, bytes.size() / sizeof(Element))) return std::nullopt;
    rule.first = std::bit_cast<std::uint64_t>(begin);
    rule.step = std::bit_cast<std::uint64_t>(step);
  } else {
    rule.first = first;
    rule.step = static_cast<std::uint64_t>(second) - first;
  }
  return makes<Element>(rule, bytes) ? std::optional(rule) : std::nullopt;
}

template <typename Element>
std::optional<ContentRule> random_rule(Type type, std::span<const std::byte> bytes) {
  constexpr std::uint64_t seeds = 1024;
  if (bytes.size() % sizeof(Element) != 0 || bytes.size() < 64) return std::nullopt;
  ContentRule rule{.kind = Kind::random, .type = type};
  for (; rule.first < seeds; ++rule.first) {
    const Element begin = drawn<Element>(rule, 0);
    if (std::memcmp(&begin, bytes.data(), sizeof begin) == 0 && makes<Element>(rule, bytes)) return rule;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ContentRule> content_rule_of(std::span<const std::byte> bytes) {
  std::optional<ContentRule> rule = counting_rule<std::uint64_t>(Type::u64, bytes);
  if (!rule) rule = counting_rule<std::uint32_t>(Type::u32, bytes);
  if (!rule) rule = counting_rule<float>(Type::f32, bytes);
  if (!rule) rule = counting_rule<double>(Type::f64, bytes);
  if (!rule) rule = counting_rule<std::uint16_t>(Type::u16, bytes);
  if (!rule) rule = counting_rule<std::uint8_t>(Type::u8, bytes);
  if (!rule) rule = random_rule<float>(Type::f32, bytes);
  if (!rule) rule = random_rule<Half>(Type::f16, bytes);
  if (!rule) rule = random_rule<double>(Type::f64, bytes);
  if (!rule) rule = random_rule<std::uint32_t>(Type::u32, bytes);
  if (!rule) rule = random_rule<std::uint64_t>(Type::u64, bytes);
  if (!rule) rule = random_rule<std::uint16_t>(Type::u16, bytes);
  if (!rule) rule = random_rule<std::uint8_t>(Type::u8, bytes);
  return rule;
}

bool fill(std::span<std::byte> into, const ContentRule& rule) {
  if (rule.kind != Kind::counting && rule.kind != Kind::random) return false;
  switch (rule.type) {
    case Type::u8:
      return fill_as<std::uint8_t>(into, rule);
    case Type::u16:
      return fill_as<std::uint16_t>(into, rule);
    case Type::u32:
      return fill_as<std::uint32_t>(into, rule);
    case Type::u64:
      return fill_as<std::uint64_t>(into, rule);
    case Type::f16:
      return fill_as<Half>(into, rule);
    case Type::f32:
      return fill_as<float>(into, rule);
    case Type::f64:
      return fill_as<double>(into, rule);
  }
  return false;
}

}  // namespace lanescope
