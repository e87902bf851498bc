// Tensor core products for the baseline instruction set.
#include "sim/tensor/tensor_tile.h"

namespace lanescope::sim::tensor_baseline {
#include "sim/tensor/alu_tensor.inl"

const TileKernels& tile_kernels() {
  return kernels;
}
}  // namespace lanescope::sim::tensor_baseline
