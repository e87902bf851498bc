// Tensor core products for AVX-512 F, BW, DQ, VL and CD.
#if defined(__x86_64__)
#include "sim/tensor/tensor_tile.h"

namespace lanescope::sim::tensor_avx512 {
#include "sim/tensor/alu_tensor.inl"

const TileKernels& tile_kernels() {
  return kernels;
}
}  // namespace lanescope::sim::tensor_avx512
#endif
