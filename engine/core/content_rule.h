#pragma once
// Contents of a buffer that follow a short rule: all elements are equal, each is the one before plus a step, or they
// are this program's random numbers. Most buffers that a launch is given are made so (=iota, =0, =1.5, =random:7), and
// many results are; the rule is sent instead of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lanescope {

struct ContentRule {
  enum class Kind : std::uint64_t {
    counting,  // element k is first + k · step: integers modulo the width, floats in double, rounded once
    random,    // element k is made of splitmix64(first, k): all bits of an integer, a float in [0, 1)
  };
  enum class Type : std::uint64_t { u8, u16, u32, u64, f16, f32, f64 };
  Kind kind = Kind::counting;
  Type type = Type::u8;
  // Counting: two's complement, or the bits of a double, which is a whole number, so that every machine computes the
  // same. There is no counting f16. Random: `first` is the seed.
  std::uint64_t first = 0, step = 0;
};

// The k-th number (from 0) of splitmix64's sequence for this seed, behind random:SEED (Steele, Lea and Flood, OOPSLA
// 2014).
constexpr std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// The rule that makes exactly these bytes, bit for bit; nullopt if none is found. Compared to the end, so that a rule
// never stands for other bytes. Random contents are found for seeds below 1024.
std::optional<ContentRule> content_rule_of(std::span<const std::byte> bytes);

// Fills `into`. False, and `into` is unchanged, if kind or type is unknown or `into` is no whole number of elements.
bool fill(std::span<std::byte> into, const ContentRule& rule);

}  // namespace lanescope
