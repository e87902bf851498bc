#pragma once
// A value as text for a learner.

#include <string>

#include "ptx/instruction.h"

namespace lanescope::job {

enum class Base : std::uint8_t { decimal, hexadecimal, bits };

// The low bytes of `bits` as a value of `type`. Decimal gives a float the fewest digits that distinguish it from its
// neighbours, the halves of f16x2 as "1 | 2", a predicate as "true" or "false", and untyped bits (b32, …) in
// hexadecimal.
std::string value_text(std::uint64_t bits, ptx::Type type, Base base = Base::decimal);
// Whether decimal is another text than hexadecimal: false for untyped bits.
bool has_decimal(ptx::Type type);

}  // namespace lanescope::job
