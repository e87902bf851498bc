#if defined(__x86_64__)
#include "sim/alu/lanes.h"

#include <immintrin.h>

namespace lanescope::sim::lane_memory_avx2 {
#include "sim/alu/lanes.inc"
}  // namespace lanescope::sim::lane_memory_avx2
#endif
