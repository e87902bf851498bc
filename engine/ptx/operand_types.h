#pragma once
// Checks that the registers and numbers of an instruction fit its types, as the ISA's "Operand Type Checking" requires.
// Of registers only widths are compared (16, 32, 64, 128 bits, predicate): a .b32 register may hold a float.

#include <optional>

#include "core/wording.h"
#include "ptx/module.h"

namespace lanescope::ptx {

struct OperandProblem {
  std::size_t operand = 0;  // index in Instruction::operands
  Wording message, cure;
};

// The first operand that does not fit; nothing when all do.
std::optional<OperandProblem> operand_problem(const Function& function, const Instruction& instruction);

}  // namespace lanescope::ptx
