#include "core/progression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace lanescope {
namespace {

template <typename Element>
Element element_of(const Progression& rule, std::uint64_t k) {
  if constexpr (std::is_floating_point_v<Element>)
    return static_cast<Element>(std::bit_cast<double>(rule.first) +
                                static_cast<double>(k) * std::bit_cast<double>(rule.step));
  else
    return static_cast<Element>(rule.first + k * rule.step);
}

// Elements [begin, begin + count) of the rule.
template <typename Element>
void make(Element* to, const Progression& rule, std::uint64_t begin, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) to[i] = element_of<Element>(rule, begin + i);
}

constexpr std::size_t piece_bytes = 1 << 15;
template <typename Element>
using Piece = std::array<Element, piece_bytes / sizeof(Element)>;

template <typename Element>
bool fill_as(std::span<std::byte> into, const Progression& rule) {
  if (into.size() % sizeof(Element) != 0) return false;
  Piece<Element> piece;
  for (std::size_t at = 0; at < into.size(); at += piece_bytes) {
    const std::size_t bytes = std::min(piece_bytes, into.size() - at);
    make(piece.data(), rule, at / sizeof(Element), bytes / sizeof(Element));
    std::memcpy(into.data() + at, piece.data(), bytes);
  }
  return true;
}

template <typename Element>
bool makes(const Progression& rule, std::span<const std::byte> bytes) {
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
std::optional<Progression> rule_of(Progression::Type type, std::span<const std::byte> bytes) {
  if (bytes.size() % sizeof(Element) != 0 || bytes.size() < 2 * sizeof(Element)) return std::nullopt;
  Element first, second;
  std::memcpy(&first, bytes.data(), sizeof first);
  std::memcpy(&second, bytes.data() + sizeof first, sizeof second);
  Progression rule{.type = type};
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

}  // namespace

std::optional<Progression> progression_of(std::span<const std::byte> bytes) {
  using Type = Progression::Type;
  std::optional<Progression> rule;
  if (!rule) rule = rule_of<std::uint64_t>(Type::u64, bytes);
  if (!rule) rule = rule_of<std::uint32_t>(Type::u32, bytes);
  if (!rule) rule = rule_of<float>(Type::f32, bytes);
  if (!rule) rule = rule_of<double>(Type::f64, bytes);
  if (!rule) rule = rule_of<std::uint16_t>(Type::u16, bytes);
  if (!rule) rule = rule_of<std::uint8_t>(Type::u8, bytes);
  return rule;
}

bool fill(std::span<std::byte> into, const Progression& rule) {
  switch (rule.type) {
    case Progression::Type::u8:
      return fill_as<std::uint8_t>(into, rule);
    case Progression::Type::u16:
      return fill_as<std::uint16_t>(into, rule);
    case Progression::Type::u32:
      return fill_as<std::uint32_t>(into, rule);
    case Progression::Type::u64:
      return fill_as<std::uint64_t>(into, rule);
    case Progression::Type::f32:
      return fill_as<float>(into, rule);
    case Progression::Type::f64:
      return fill_as<double>(into, rule);
  }
  return false;
}

}  // namespace lanescope
