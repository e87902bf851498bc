#pragma once
// The arithmetic of atom and red, one lane at a time.

#include "sim/decode/decode.h"

namespace lanescope::sim {

// nullptr if PTX has no such operation. `global`: f32 addition flushes subnormal operands and results to a zero of the
// same sign, as atom.add.f32 does on global but not on shared memory ("PTX ISA", atom). Operands and results are the
// low bytes of 64 bits.
AtomicFunction select_atomic(ptx::AtomicOp operation, ptx::Type type, bool global);

}  // namespace lanescope::sim
