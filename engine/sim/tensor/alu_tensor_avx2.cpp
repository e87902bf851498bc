// Tensor core products for AVX2 and FMA.
#if defined(__x86_64__)
#include "sim/tensor/tensor_tile.h"

namespace lanescope::sim::tensor_avx2 {
#include "sim/tensor/alu_tensor.inl"

const TileKernels& tile_kernels() {
  return kernels;
}
}  // namespace lanescope::sim::tensor_avx2
#endif
