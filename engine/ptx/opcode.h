#pragma once
// The enumerators of ptx::Opcode, one per row of opcodes.def. A new row recompiles every file that includes this.
// Include it for a switch over opcodes; ptx/named_opcodes.h serves comparisons.

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
