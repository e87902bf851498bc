#pragma once
// Scalar video instructions: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset, with parts of registers.

#include <cstdint>
#include <optional>

#include "ptx/instruction.h"

namespace lanescope::sim {

class AluTable;

void add_scalar_video_rows(AluTable& table);

// All that a handler needs beside the slots, for Operation::immediate. None where the operands do not fit the
// modifiers: c is there if and only if the result is merged into it or combined with it, but always for vmad.
std::optional<std::uint64_t> scalar_video_fields(const ptx::Instruction& instruction);

}  // namespace lanescope::sim
