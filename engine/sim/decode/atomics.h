#pragma once
// The arithmetic of atom and red, one lane at a time.

#include "sim/decode/decode.h"

namespace lanescope::sim {

// nullptr if PTX has no such operation. `global`: f32 addition flushes subnormal operands and results to a zero of the
// same sign, as atom.add.f32 does on global but not on shared memory ("PTX ISA", atom). Operands and results are the
// low bytes of 64 bits.
AtomicFunction select_atomic(ptx::AtomicOp operation, ptx::Type type, bool global);

// The same for cp.reduce.async.bulk: nullptr if its table in "PTX ISA" does not have the combination. f32 addition
// flushes subnormals.
AtomicFunction select_bulk_reduction(ptx::AtomicOp operation, ptx::Type type, bool global);
// Addition as the copy engine does it: if the operand, or else the element, is a NaN, it becomes the sum unchanged,
// even if it is a signalling NaN (H100).
std::uint64_t add_doubles(void* place, std::uint64_t operand, std::uint64_t);

}  // namespace lanescope::sim
