#if defined(__x86_64__)
#include "sim/alu/lanes.h"

// GCC 12 warns about undefined operands inside its own intrinsics.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

namespace lanescope::sim::lane_memory_avx512 {
#include "sim/alu/lanes.inc"
}  // namespace lanescope::sim::lane_memory_avx512
#endif
