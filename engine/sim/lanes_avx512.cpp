#if defined(__x86_64__)
#include "sim/lanes.h"

#include <immintrin.h>

namespace lanescope::sim::lane_memory_avx512 {
#include "sim/lanes.inc"
}  // namespace lanescope::sim::lane_memory_avx512
#endif
