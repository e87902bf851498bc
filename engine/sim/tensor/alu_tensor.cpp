// Products of the tensor cores for the instruction set that every machine has.
#include "sim/tensor/tensor_tile.h"

namespace lanescope::sim::tensor_baseline {
#include "sim/tensor/alu_tensor.inl"

const TileKernels& tile_kernels() {
  return kernels;
}
}  // namespace lanescope::sim::tensor_baseline
