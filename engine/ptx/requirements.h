#pragma once
// requirements.def as data: whether the PTX ISA version and the target that a text names have an instruction.

#include <vector>

#include "core/wording.h"
#include "ptx/module.h"

namespace lanescope::ptx {

struct Unmet {
  const char* code;  // "not_on_target", "not_in_version"
  Wording message, cure;
};

// What `instruction`, which the text writes as `written`, needs and `module`'s .version and .target do not give; empty
// if ptxas takes it. Rows that count operands apply only where the instruction has them. Of versions and targets that
// are newer than the table nothing is known, so only what older ones lack is refused.
std::vector<Unmet> unmet_requirements(const Instruction& instruction, std::string_view written, const Module& module);

// Whether the number of its operands decides what an instruction of this opcode needs.
bool requires_by_operands(Opcode opcode);

}  // namespace lanescope::ptx
