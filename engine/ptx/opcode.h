#pragma once
// The enumerators of ptx::Opcode, one per row of opcodes.def. A new row recompiles what includes this: include it to
// name an opcode; to hold one, ptx/instruction.h declares the type.

#include <cstdint>

#include "ptx/instruction.h"

namespace lanescope::ptx {

enum class Opcode : std::uint16_t {
#define OPCODE(enumerator, ...) enumerator,
#include "ptx/opcodes.def"
#undef OPCODE
  count_
};

}  // namespace lanescope::ptx
