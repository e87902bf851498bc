#pragma once
// requirements.def as data: whether the PTX ISA version and the target that a text names have an instruction.

#include <string>
#include <string_view>
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

// The first target that the .target line of a PTX text names: "sm_90a"; empty if there is none.
std::string target_named_in(std::string_view text);

// Whether a GPU of this architecture ("sm_90") loads PTX for this target: its own number or an older one; of sm_90a
// only its own, of sm_100f also newer ones of the family ("PTX ISA", .target).
bool loads(std::string_view arch, std::string_view target);

// Whether the number of its operands decides what an instruction of this opcode needs.
bool requires_by_operands(Opcode opcode);

}  // namespace lanescope::ptx
