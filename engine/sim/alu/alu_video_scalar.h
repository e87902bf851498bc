#pragma once
// Scalar video instructions: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset, with parts of registers.

#include <cstdint>
#include <optional>

#include "ptx/instruction.h"

namespace lanescope::sim {

class AluTable;

void add_scalar_video_rows(AluTable& table);

// What a handler needs besides the slots, for Operation::immediate. nullopt if the operands do not fit the modifiers: c
// must be present exactly if the result is merged into it or combined with it; for vmad always.
std::optional<std::uint64_t> scalar_video_fields(const ptx::Instruction& instruction);

}  // namespace lanescope::sim
