#pragma once
// Scalar video instructions (vadd, vshl, vmad, vset, …) read and write bytes and halves of 32-bit registers:
// `vadd.u32.u32.u32 %r0, %r1.b2, %r2.h0;`. SIMD video instructions (vadd2, vset4, …) select the lanes that they read
// from both sources together, and the lanes that they write: `vadd4.u32.u32.u32 %r0.b31, %r1.b7610, %r2.b0000, %r3;`.
// Source: PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ptx/instruction.h"

namespace lanescope::ptx {

// The value of Operand::integer for a register.
enum class RegisterPart : std::uint8_t { whole, b0, b1, b2, b3, h0, h1 };

// True for the scalar video instructions. All others read and write whole registers.
bool takes_parts(Opcode opcode);
const char* name_of(RegisterPart part);  // "b2"; "" for a whole register
std::optional<RegisterPart> part_named(std::string_view name);

inline RegisterPart part_of(const Operand& operand) {
  return operand.kind == Operand::Kind::reg ? static_cast<RegisterPart>(operand.integer) : RegisterPart::whole;
}
constexpr int bits_of(RegisterPart part) {
  return part == RegisterPart::whole ? 32 : part < RegisterPart::h0 ? 8 : 16;
}
// The position of its lowest bit.
constexpr int place_of(RegisterPart part) {
  if (part == RegisterPart::whole) return 0;
  return part < RegisterPart::h0 ? 8 * (static_cast<int>(part) - 1) : 16 * (static_cast<int>(part) - 5);
}

// The lanes of a SIMD video instruction: 2 or 4; 0 for all others.
int video_lanes(Opcode opcode);

// `.h32`, `.b7410` after a register of a SIMD video instruction: also the value of Operand::integer.
struct LaneSelector {
  int count = 0;       // digits; 0: none was written
  int digits[4] = {};  // digits[0] is the last one written: which lane of {a, b} is lane 0, or a lane that is written
};
LaneSelector selector_of(const Operand& operand);
std::string selector_text(const Operand& operand);  // "b7410"; "" if none was written
// The value for Operand::integer, if the name is a selector of that operand: 0 is the destination, 1 and 2 the sources.
std::optional<std::int64_t> selector_named(std::string_view name, Opcode opcode, std::size_t operand);

}  // namespace lanescope::ptx
