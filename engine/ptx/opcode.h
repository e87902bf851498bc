#pragma once
// The enumerators of ptx::Opcode, one per row of opcodes.def. A new row recompiles every file that includes this.
// Include it to name an opcode; to store one, the declaration in ptx/instruction.h is enough.

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
