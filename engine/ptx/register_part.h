#pragma once
// Scalar video instructions (vadd, vshl, vmad, vset, …) read and write bytes and halves of 32-bit registers:
// `vadd.u32.u32.u32 %r0, %r1.b2, %r2.h0;`. Source: PTX ISA, "Scalar Video Instructions".

#include <cstdint>
#include <optional>
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

}  // namespace lanescope::ptx
