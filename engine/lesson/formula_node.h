#pragma once
// The representation of a parsed Formula; only for its parser and its evaluator.

#include "lesson/formula.h"

namespace lanescope::lesson {

enum class FormulaOp : std::uint8_t {
  constant,
  name,
  local,
  reference,
  element,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  negate,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  both,
  either,
  choose,
  sum,
  minimum,
  maximum,
  ceil_div,
  absolute,
  log2_ceil,
  power_of_two,
  square_root,
  exponential,
  logarithm,
  round,
  to_f32,
  to_f16,
  to_bf16
};

struct Formula::Node {
  FormulaOp op{};
  int a = -1, b = -1, c = -1;  // operands: indices of nodes
  std::size_t slot = 0;        // of a name, local, reference or element
  Value value;                 // of a constant
  int column = 1;              // in the formula's text, from 1
};

inline bool is_comparison_op(FormulaOp op) {
  return op >= FormulaOp::equal && op <= FormulaOp::greater_equal;
}

struct FormulaFunction {
  const char* name;
  int arguments;
  FormulaOp op;
  bool integers;  // allowed in formulas with integers only
};
// All functions except sum(), which binds a name.
inline constexpr FormulaFunction formula_functions[] = {
    {"min", 2, FormulaOp::minimum, true},         {"max", 2, FormulaOp::maximum, true},
    {"ceil_div", 2, FormulaOp::ceil_div, true},   {"abs", 1, FormulaOp::absolute, true},
    {"sqrt", 1, FormulaOp::square_root, false},   {"exp", 1, FormulaOp::exponential, false},
    {"log2_ceil", 1, FormulaOp::log2_ceil, true}, {"pow2", 1, FormulaOp::power_of_two, true},
    {"log", 1, FormulaOp::logarithm, false},      {"round", 1, FormulaOp::round, false},
    {"f32", 1, FormulaOp::to_f32, false},         {"f16", 1, FormulaOp::to_f16, false},
    {"bf16", 1, FormulaOp::to_bf16, false},
};

}  // namespace lanescope::lesson
