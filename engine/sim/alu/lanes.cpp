#include "sim/alu/lanes.h"

#include "sim/alu/operation.h"

namespace lanescope::sim::lane_memory_baseline {
#include "sim/alu/lanes.inc"
}  // namespace lanescope::sim::lane_memory_baseline

namespace lanescope::sim {

const LaneKernels& lane_kernels() {
#if defined(__x86_64__)
  switch (isa()) {
    case Isa::avx512:
      return lane_memory_avx512::kernels();
    case Isa::avx2:
      return lane_memory_avx2::kernels();
    case Isa::baseline:
      break;
  }
#endif
  return lane_memory_baseline::kernels();
}

}  // namespace lanescope::sim
