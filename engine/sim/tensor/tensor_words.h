#pragma once
// The modifiers of tensor core instructions, and which shapes and types wmma has.

#include <vector>

#include "ptx/instruction.h"
#include "sim/tensor/fragment.h"

namespace lanescope::sim {

struct TensorShape {
  int m = 0, n = 0, k = 0;
  friend bool operator==(const TensorShape&, const TensorShape&) = default;
};

// The modifiers that matter here.
struct TensorWords {
  TensorShape shape;
  std::vector<Element> types;
  std::vector<bool> by_column;  // row, col: in written order
  bool xor_ = false, and_ = false, popc = false, saturate = false, known = true;
  bool sparse = false, ordered = false;  // mma.sp, mma.sp::ordered_metadata
  ptx::Rounding rounding = ptx::Rounding::rn;
};
TensorWords tensor_words(const ptx::Instruction& instruction);

bool is_shape_of_wmma(TensorShape shape, Element a);
// The wmma shapes that allow this accumulator type.
bool is_accumulator_of_wmma(TensorShape shape, Element element);

Fragment fragment_of(Fragment::Matrix matrix, Element element, TensorShape shape);
// The registers of a wmma fragment. One of f16 has eight, whatever its shape.
int registers_of_wmma(const Fragment& fragment);

}  // namespace lanescope::sim
