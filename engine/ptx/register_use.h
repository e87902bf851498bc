#pragma once
// The registers that an instruction reads and writes.

#include <vector>

#include "ptx/instruction.h"

namespace lanescope::ptx {

// In the order in which they are written; one that occurs twice is listed twice. Guards, addresses, vectors and the
// operands of calls included. wgmma reads its destination, to which it adds.
struct RegisterUse {
  std::vector<RegisterId> read, written;
};
RegisterUse registers_of(const Instruction& instruction);

}  // namespace lanescope::ptx
