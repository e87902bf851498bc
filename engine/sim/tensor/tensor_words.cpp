#include "sim/tensor/tensor_words.h"

#include <cstdio>

namespace lanescope::sim {

TensorWords tensor_words(const ptx::Instruction& instruction) {
  TensorWords words;
  for (const std::string& word : instruction.modifiers) {
    char beyond = 0;
    if (const Element element = element_named(word); element != Element::none)
      words.types.push_back(element);
    else if (word == "row" || word == "col")
      words.by_column.push_back(word == "col");
    else if (word == "xor")
      words.xor_ = true;
    else if (word == "and")
      words.and_ = true;
    else if (word == "popc")
      words.popc = true;
    else if (word == "satfinite")
      words.saturate = true;
    else if (word == "sp" || word == "sp::ordered_metadata")
      words.sparse = true, words.ordered = word != "sp";
    else if (word == "rn" || word == "rz" || word == "rm" || word == "rp")
      words.rounding = instruction.rounding;
    else if (word == "sync" || word == "aligned" || word == "a" || word == "b" || word == "c" || word == "d" ||
             word == "load" || word == "store" || word == "mma" || word == "global" || word == "shared" ||
             word == "shared::cta")
      continue;
    else if (std::sscanf(word.c_str(), "m%dn%dk%d%c", &words.shape.m, &words.shape.n, &words.shape.k, &beyond) == 3)
      continue;
    else
      words.known = false;
  }
  return words;
}

bool is_shape_of_wmma(TensorShape shape, Element a) {
  switch (a) {
    case Element::f16:
    case Element::bf16:
    case Element::s8:
    case Element::u8:
      return shape == TensorShape{16, 16, 16} || shape == TensorShape{32, 8, 16} || shape == TensorShape{8, 32, 16};
    case Element::tf32:
      return shape == TensorShape{16, 16, 8};
    case Element::f64:
      return shape == TensorShape{8, 8, 4};
    case Element::s4:
    case Element::u4:
      return shape == TensorShape{8, 8, 32};
    case Element::b1:
      return shape == TensorShape{8, 8, 128};
    default:
      return false;
  }
}

bool is_accumulator_of_wmma(TensorShape shape, Element element) {
  const bool tile = is_shape_of_wmma(shape, Element::f16);
  switch (element) {
    case Element::f16:
      return tile;
    case Element::f32:
      return tile || shape == TensorShape{16, 16, 8};
    case Element::s32:
      return tile || shape == TensorShape{8, 8, 32} || shape == TensorShape{8, 8, 128};
    case Element::f64:
      return shape == TensorShape{8, 8, 4};
    default:
      return false;
  }
}

Fragment fragment_of(Fragment::Matrix matrix, Element element, TensorShape shape) {
  return {matrix, element, shape.m, shape.n, shape.k, false, false};
}

int registers_of_wmma(const Fragment& fragment) {
  return fragment.element == Element::f16 && fragment.matrix != Fragment::Matrix::c ? 8 : fragment.registers();
}

}  // namespace lanescope::sim
