#pragma once
// A value as a learner reads it.

#include <string>

#include "ptx/instruction.h"

namespace lanescope::job {

enum class Base : std::uint8_t { decimal, hexadecimal, bits };

// The low bytes of `bits` as `type` says: decimal gives a float in as many digits as tell it from its neighbours, the
// two halves of f16x2 as "1 | 2", a predicate as "true" or "false", and what is bits alone (b32, …) in hexadecimal.
std::string value_text(std::uint64_t bits, ptx::Type type, Base base = Base::decimal);

}  // namespace lanescope::job
