#pragma once
// Contents of a buffer that follow a short rule: all elements are equal, or each is the one before plus a step. Most
// buffers that a launch is given are made so (=iota, =0, =1.5), and many results are; the rule is sent instead of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lanescope {

// Element k is first + k · step: for integers modulo the width, for floats computed in double and rounded once. `first`
// and `step` of floats are whole numbers, so the computation is exact and the same on every machine.
struct Progression {
  enum class Type : std::uint64_t { u8, u16, u32, u64, f32, f64 };
  Type type = Type::u8;
  // Two's complement, or the bits of a double.
  std::uint64_t first = 0, step = 0;
};

// The rule that makes exactly these bytes, bit for bit; nullopt if there is none. Compared to the end, so that a rule
// never stands for other bytes.
std::optional<Progression> progression_of(std::span<const std::byte> bytes);

// Fills `into`. False, and `into` is unchanged, if the type is unknown or `into` is no whole number of elements.
bool fill(std::span<std::byte> into, const Progression& rule);

}  // namespace lanescope
