#pragma once
// Contents of a buffer that follow a short rule: all elements are equal, each is the one before plus a step, they are
// this program's random numbers, or 0 … n - 1 in a random order. Most buffers that a launch is given are made so
// (=iota, =0, =1.5, =random:7, =permutation:7), and many results are; the rule is sent instead of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lanescope {

struct ContentRule {
  enum class Kind : std::uint64_t {
    counting,       // element k is first + k · step: integers modulo the width, floats in double, rounded once
    random,         // element k is made of splitmix64(first, k): all bits of an integer, a float in [0, 1)
    random_within,  // the same, from `low` to `high`: integers with both, floats without `high` before they are rounded
    permutation,  // 0 … n - 1, integers, shuffled (Fisher and Yates) from the last down by splitmix64(first, 0), …
  };
  enum class Type : std::uint64_t { u8, u16, u32, u64, f16, f32, f64, bf16 };
  Kind kind = Kind::counting;
  Type type = Type::u8;
  // Counting: two's complement, or the bits of a double, which is a whole number, so that every machine computes the
  // same. There is no counting f16 or bf16. Otherwise `first` is the seed.
  std::uint64_t first = 0, step = 0;
  // Of random_within: two's complement, or the bits of a double. The arithmetic is low + (high - low) · r in double.
  std::uint64_t low = 0, high = 0;

  bool operator==(const ContentRule&) const = default;
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
// never stands for other bytes. Random contents are found for seeds below 1024 and without bounds; those with bounds
// and permutations are not found.
std::optional<ContentRule> content_rule_of(std::span<const std::byte> bytes);

// Whether the rule makes exactly these bytes. A permutation needs as much memory again; without it, the answer is
// false.
bool makes(const ContentRule& rule, std::span<const std::byte> bytes);

// Fills `into` with the elements from number `begin` on. False, and `into` is unchanged, if kind or type is unknown or
// do not fit each other, if `into` is no whole number of elements, or if `begin` is not 0 for a permutation.
bool fill(std::span<std::byte> into, const ContentRule& rule, std::uint64_t begin = 0);

}  // namespace lanescope
