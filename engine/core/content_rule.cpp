#include "core/content_rule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <type_traits>

#include "core/half.h"

namespace lanescope {
namespace {

using Kind = ContentRule::Kind;
using Type = ContentRule::Type;

struct Half {
  std::uint16_t bits;
};
struct Bfloat {
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

template <typename Element>
constexpr int significant_bits = std::is_same_v<Element, Bfloat>  ? 8
                                 : std::is_same_v<Element, Half>  ? 11
                                 : std::is_same_v<Element, float> ? 24
                                                                  : 53;

// In [0, 1), with at most the type's significant bits, so that it is exact and rounding never gives 1.
template <typename Element>
double unit(std::uint64_t x) {
  constexpr int bits = significant_bits<Element>;
  return static_cast<double>(x >> (64 - bits)) / static_cast<double>(std::uint64_t{1} << bits);
}

template <typename Element>
Element nearest(double value) {
  if constexpr (std::is_same_v<Element, Half>)
    return {half_bits(value)};
  else if constexpr (std::is_same_v<Element, Bfloat>)
    return {bfloat_bits(value)};
  else
    return static_cast<Element>(value);
}

template <typename Element>
Element drawn(const ContentRule& rule, std::uint64_t k) {
  const std::uint64_t x = splitmix64(rule.first, k);
  if constexpr (std::is_same_v<Element, Half>)
    return half_of(x >> 53);
  else if constexpr (std::is_integral_v<Element>)
    return static_cast<Element>(x >> (64 - 8 * sizeof(Element)));
  else
    return nearest<Element>(unit<Element>(x));
}

// Elements between the bounds of a rule, which are converted once.
template <typename Element>
struct Within {
  explicit Within(const ContentRule& rule) : seed(rule.first), low(rule.low) {
    if constexpr (is_real) {
      least = std::bit_cast<double>(rule.low);
      width = std::bit_cast<double>(rule.high) - least;
    } else {
      span = static_cast<Element>(rule.high - rule.low);
    }
  }
  Element operator()(std::uint64_t k) const {
    const std::uint64_t x = splitmix64(seed, k);
    if constexpr (is_real)
      return nearest<Element>(least + width * unit<Element>(x));
    else
      return static_cast<Element>(low + (span == ~0ull ? x : x % (span + 1)));
  }
  static constexpr bool is_real = !std::is_integral_v<Element>;
  std::uint64_t seed, low, span = 0;
  double least = 0, width = 0;
};

template <typename Element>
void make(Element* to, const ContentRule& rule, std::uint64_t begin, std::uint64_t count) {
  const auto each = [&](const auto& at) {
    for (std::uint64_t i = 0; i < count; ++i) to[i] = at(begin + i);
  };
  if (rule.kind == Kind::counting)
    each([&](std::uint64_t k) { return counted<Element>(rule, k); });
  else if (rule.kind == Kind::random)
    each([&](std::uint64_t k) { return drawn<Element>(rule, k); });
  else
    each(Within<Element>(rule));
}

template <typename Element>
Element loaded(const std::byte* from, std::uint64_t k) {
  Element element;
  std::memcpy(&element, from + k * sizeof element, sizeof element);
  return element;
}
template <typename Element>
void store(std::byte* to, std::uint64_t k, Element element) {
  std::memcpy(to + k * sizeof element, &element, sizeof element);
}

// Each place gets its last element at once, so the buffer itself is all the memory that this takes.
template <typename Element>
bool shuffle(std::span<std::byte> into, const ContentRule& rule) {
  if constexpr (!std::is_integral_v<Element>) {
    return false;
  } else {
    const std::uint64_t count = into.size() / sizeof(Element);
    for (std::uint64_t k = 0; k < count; ++k) store(into.data(), k, static_cast<Element>(k));
    for (std::uint64_t k = count; k-- > 1;) {
      const std::uint64_t other = splitmix64(rule.first, count - 1 - k) % (k + 1);
      const auto one = loaded<Element>(into.data(), k);
      store(into.data(), k, loaded<Element>(into.data(), other));
      store(into.data(), other, one);
    }
    return true;
  }
}

constexpr std::size_t piece_bytes = 1 << 15;
template <typename Element>
using Piece = std::array<Element, piece_bytes / sizeof(Element)>;

template <typename Element>
bool fits(const ContentRule& rule, std::size_t bytes) {
  if (bytes % sizeof(Element) != 0) return false;
  return std::is_arithmetic_v<Element> || rule.kind != Kind::counting;  // a half cannot be counted
}

template <typename Element>
bool fill_as(std::span<std::byte> into, const ContentRule& rule, std::uint64_t begin) {
  if (!fits<Element>(rule, into.size())) return false;
  if (rule.kind == Kind::permutation) return begin == 0 && shuffle<Element>(into, rule);
  Piece<Element> piece;
  for (std::size_t at = 0; at < into.size(); at += piece_bytes) {
    const std::size_t bytes = std::min(piece_bytes, into.size() - at);
    make(piece.data(), rule, begin + at / sizeof(Element), bytes / sizeof(Element));
    std::memcpy(into.data() + at, piece.data(), bytes);
  }
  return true;
}

bool makes_permutation(const ContentRule& rule, std::span<const std::byte> bytes) {
  try {
    std::vector<std::byte> made(bytes.size());
    return fill(made, rule) && std::memcmp(made.data(), bytes.data(), bytes.size()) == 0;
  } catch (const std::exception&) {
    return false;
  }
}

template <typename Element>
bool makes_as(const ContentRule& rule, std::span<const std::byte> bytes) {
  if (!fits<Element>(rule, bytes.size())) return false;
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
  return makes_as<Element>(rule, bytes) ? std::optional(rule) : std::nullopt;
}

template <typename Element>
std::optional<ContentRule> random_rule(Type type, std::span<const std::byte> bytes) {
  constexpr std::uint64_t seeds = 1024;
  if (bytes.size() % sizeof(Element) != 0 || bytes.size() < 64) return std::nullopt;
  ContentRule rule{.kind = Kind::random, .type = type};
  for (; rule.first < seeds; ++rule.first) {
    const Element begin = drawn<Element>(rule, 0);
    if (std::memcmp(&begin, bytes.data(), sizeof begin) == 0 && makes_as<Element>(rule, bytes)) return rule;
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
  if (!rule) rule = random_rule<Bfloat>(Type::bf16, bytes);
  if (!rule) rule = random_rule<double>(Type::f64, bytes);
  if (!rule) rule = random_rule<std::uint32_t>(Type::u32, bytes);
  if (!rule) rule = random_rule<std::uint64_t>(Type::u64, bytes);
  if (!rule) rule = random_rule<std::uint16_t>(Type::u16, bytes);
  if (!rule) rule = random_rule<std::uint8_t>(Type::u8, bytes);
  return rule;
}

namespace {

// Calls `work` with an element of the rule's type; false if there is no such type or kind.
template <typename Work>
bool by_type(const ContentRule& rule, const Work& work) {
  if (rule.kind > Kind::permutation) return false;
  switch (rule.type) {
    case Type::u8:
      return work(std::uint8_t{});
    case Type::u16:
      return work(std::uint16_t{});
    case Type::u32:
      return work(std::uint32_t{});
    case Type::u64:
      return work(std::uint64_t{});
    case Type::f16:
      return work(Half{});
    case Type::f32:
      return work(float{});
    case Type::f64:
      return work(double{});
    case Type::bf16:
      return work(Bfloat{});
  }
  return false;
}

}  // namespace

bool makes(const ContentRule& rule, std::span<const std::byte> bytes) {
  if (rule.kind == Kind::permutation) return makes_permutation(rule, bytes);
  return by_type(rule, [&](auto element) { return makes_as<decltype(element)>(rule, bytes); });
}

bool fill(std::span<std::byte> into, const ContentRule& rule, std::uint64_t begin) {
  return by_type(rule, [&](auto element) { return fill_as<decltype(element)>(into, rule, begin); });
}

}  // namespace lanescope
