// Decodes wgmma.mma_async. An unknown form is refused and named.

#include <algorithm>
#include <cstdio>

#include "sim/decode/decoder.h"
#include "sim/tensor/sparse.h"
#include "sim/tensor/warpgroup.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;
using Kind = ptx::Operand::Kind;

namespace {

struct WarpgroupWords {
  int m = 0, n = 0, k = 0;
  std::vector<Element> types;
  bool saturate = false, and_ = false, popc = false, sparse = false, known = true;
};

WarpgroupWords warpgroup_words_of(const Instruction& instruction) {
  WarpgroupWords words;
  for (const std::string& word : instruction.modifiers) {
    char beyond = 0;
    if (const Element element = element_named(word); element != Element::none)
      words.types.push_back(element);
    else if (word == "satfinite")
      words.saturate = true;
    else if (word == "and")
      words.and_ = true;
    else if (word == "popc")
      words.popc = true;
    else if (word == "sp")
      words.sparse = true;
    else if (word != "sync" && word != "aligned" &&
             std::sscanf(word.c_str(), "m%dn%dk%d%c", &words.m, &words.n, &words.k, &beyond) != 3)
      words.known = false;
  }
  return words;
}

bool is_byte_integer(Element element) {
  return element == Element::s8 || element == Element::u8;
}
bool is_byte_float(Element element) {
  return element == Element::e4m3 || element == Element::e5m2;
}

bool may_meet(Element sum, Element a, Element b) {
  if (is_byte_integer(a)) return is_byte_integer(b) && sum == Element::s32;
  if (is_byte_float(a)) return is_byte_float(b) && (sum == Element::f16 || sum == Element::f32);
  if (a != b) return false;
  if (a == Element::f16) return sum == Element::f16 || sum == Element::f32;
  if (a == Element::bf16 || a == Element::tf32) return sum == Element::f32;
  return a == Element::b1 && sum == Element::s32;
}

// "PTX ISA", table of wgmma shapes: for integers and bits, a width above 32 must be a multiple of 16.
bool is_width(int n, Element a) {
  if (n < 8 || n > WarpgroupOp::most_columns || n % 8 != 0) return false;
  const bool exact = is_byte_integer(a) || a == Element::b1;
  return !exact || n <= 32 || n % 16 == 0;
}

}  // namespace

// The operands of a sparse product are those of a dense one, with the metadata and the selector behind the matrices.
bool FunctionDecoder::take_metadata(std::vector<Operand>& operands, WarpgroupOp& op) {
  if (operands.size() < 6 || operands[3].kind != Kind::reg || operands[4].kind != Kind::integer) return false;
  if (layout_.register_bytes(operands[3], Type::b32) != 4 || operands[4].integer < 0 || operands[4].integer > 1)
    return false;
  op.metadata = layout_.read(operands[3], Type::b32);
  op.selector = static_cast<int>(operands[4].integer);
  operands.erase(operands.begin() + 3, operands.begin() + 5);
  return true;
}

bool FunctionDecoder::decode_warpgroup_product(const Instruction& instruction, TensorOp& tensor) {
  const WarpgroupWords words = warpgroup_words_of(instruction);
  if (!words.known || words.types.size() != 3 || instruction.operands.size() < 4 || words.m != 64) return false;
  WarpgroupOp op;
  std::vector<Operand> operands = instruction.operands;
  op.sparse = words.sparse;
  if (op.sparse && !take_metadata(operands, op)) return false;
  op.sum = words.types[0];
  op.a = words.types[1];
  op.b = words.types[2];
  op.n = words.n;
  op.k = op.sparse ? words.k / 2 : words.k;
  op.saturate = words.saturate;
  const bool bits = op.a == Element::b1, reals = op.sum != Element::s32;
  if (!may_meet(op.sum, op.a, op.b) || !is_width(op.n, op.a)) return false;
  if (op.k * bits_of(op.a) != WarpgroupOp::line_bytes * 8) return false;
  if (bits != (words.and_ && words.popc) || words.and_ != words.popc) return false;
  if (op.saturate && !is_byte_integer(op.a)) return false;
  if (op.sparse && (bits || words.k != op.depth() || op.selector >= selectors_of(op.sparse_form()))) return false;
  op.a_in_registers = operands[1].kind == Kind::vector;
  if (!tensor_registers(operands[0], true, 4, op.fragment().registers(), op.d_slots)) return false;
  if (op.a_in_registers && !tensor_registers(operands[1], false, 4, 4, op.a_slots)) return false;
  const auto descriptor = [&](const Operand& operand, std::uint32_t& slot) {
    if (layout_.register_bytes(operand, Type::b64) != 8) return false;
    slot = layout_.read(operand, Type::b64);
    return true;
  };
  if (!op.a_in_registers && !descriptor(operands[1], op.a_descriptor)) return false;
  if (!descriptor(operands[2], op.b_descriptor)) return false;
  const Operand& adds = operands[3];
  if (adds.kind == Kind::reg) {
    op.adds = layout_.register_slot(adds.reg);
    op.adds_negated = adds.negated;
  } else if (adds.kind == Kind::integer) {
    (adds.integer != 0 ? op.always_adds : op.never_adds) = true;
  } else {
    return false;
  }
  // First the signs of a and b. For 16-bit types then the orientation (transposed or not) of each matrix in shared
  // memory.
  const bool ways = bits_of(op.a) == 16;
  const std::size_t count = 4 + (reals ? 2 : 0) + (!ways ? 0 : op.a_in_registers ? 1 : 2);
  if (operands.size() != count) return false;
  if (!std::all_of(operands.begin() + 4, operands.end(), [](const Operand& o) { return o.kind == Kind::integer; }))
    return false;
  if (reals) {
    op.negate_a = operands[4].integer == -1;
    op.negate_b = operands[5].integer == -1;
  }
  if (ways) {
    op.b_by_line = operands.back().integer != 0;
    op.a_by_line = !op.a_in_registers && operands[6].integer != 0;
  }
  find_places(op);
  tensor.kind = TensorOp::Kind::of_warpgroup;
  tensor.warpgroup = std::make_shared<const WarpgroupOp>(std::move(op));
  return true;
}

}  // namespace lanescope::sim
