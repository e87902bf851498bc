#pragma once
// The sparse matrix A of mma.sp: of the k columns of a row, half are stored, and 4 bits of metadata for every two
// stored elements (tf32: for every one; 4-bit types: for every four) say which. Source: "PTX ISA", "Sparse matrix
// storage" and the figures of the metadata operand.

#include <cstdint>
#include <vector>

#include "sim/tensor/tensor.h"

namespace lanescope::sim {

// The selectors of this shape and type are 0 to this minus one: which lanes of each four give their metadata.
int selectors_of(const TensorOp& op);

struct SparseColumns {
  // The column of each stored element: row by row, in the order in which they are stored.
  std::vector<std::uint8_t> column;
  // The first metadata that PTX leaves undefined; `lane` is -1 if there is none.
  int lane = -1;
  std::uint32_t word = 0, choice = 0;  // the lane's metadata, and its 4 bits in question
};
SparseColumns columns_of(const TensorOp& op, const LaneValues& metadata);

}  // namespace lanescope::sim
