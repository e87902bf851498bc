// Decodes tensor core instructions. An unknown form is refused and named.

#include <algorithm>
#include <cstdio>

#include "ptx/opcode.h"
#include "sim/decode/decoder.h"
#include "sim/tensor/tensor_tile.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using Kind = ptx::Operand::Kind;
using Matrix = Fragment::Matrix;

namespace {

struct Shape {
  int m = 0, n = 0, k = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

// The modifiers that matter here.
struct Words {
  Shape shape;
  std::vector<Element> types;
  std::vector<bool> by_column;  // row, col: in written order
  bool xor_ = false, and_ = false, popc = false, saturate = false, known = true;
  ptx::Rounding rounding = ptx::Rounding::rn;
};

Words words_of(const Instruction& instruction) {
  Words words;
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

bool is_integer(Element element) {
  return element == Element::s8 || element == Element::u8 || element == Element::s4 || element == Element::u4;
}
bool is_eight_bit_float(Element element) {
  return element == Element::e4m3 || element == Element::e5m2;
}

// Whether a product of a and b may be added to c and give d.
bool may_meet(Element a, Element b, Element c, Element d) {
  const auto half_or_float = [](Element e) { return e == Element::f16 || e == Element::f32; };
  if (bits_of(a) != bits_of(b)) return false;
  if (is_integer(a) && is_integer(b)) return c == Element::s32 && d == Element::s32;
  if (is_eight_bit_float(a) && is_eight_bit_float(b)) return half_or_float(c) && c == d;
  if (a != b) return false;
  switch (a) {
    case Element::f16:
      return half_or_float(c) && half_or_float(d);
    case Element::bf16:
    case Element::tf32:
      return c == Element::f32 && d == Element::f32;
    case Element::f64:
      return c == Element::f64 && d == Element::f64;
    case Element::b1:
      return c == Element::s32 && d == Element::s32;
    default:
      return false;
  }
}

// The shapes of mma. `line` is the number of k that one register of each of four lanes holds (f64: one element per
// lane). k takes one or two such registers, for f64 up to four.
bool is_shape_of_mma(Shape shape, Element a) {
  const int line = a == Element::f64 ? 4 : 128 / bits_of(a);
  if (shape.n != 8) return false;
  if (shape.m == 8) return shape.k == line && (a == Element::f64 || is_integer(a) || a == Element::b1);
  if (shape.m != 16) return false;
  return shape.k == line || shape.k == 2 * line || (a == Element::f64 && shape.k == 4 * line);
}

bool is_shape_of_wmma(Shape shape, Element a) {
  switch (a) {
    case Element::f16:
    case Element::bf16:
    case Element::s8:
    case Element::u8:
      return shape == Shape{16, 16, 16} || shape == Shape{32, 8, 16} || shape == Shape{8, 32, 16};
    case Element::tf32:
      return shape == Shape{16, 16, 8};
    case Element::f64:
      return shape == Shape{8, 8, 4};
    case Element::s4:
    case Element::u4:
      return shape == Shape{8, 8, 32};
    case Element::b1:
      return shape == Shape{8, 8, 128};
    default:
      return false;
  }
}

// The wmma shapes that allow this accumulator type.
bool is_accumulator_of_wmma(Shape shape, Element element) {
  const bool tile = is_shape_of_wmma(shape, Element::f16);
  switch (element) {
    case Element::f16:
      return tile;
    case Element::f32:
      return tile || shape == Shape{16, 16, 8};
    case Element::s32:
      return tile || shape == Shape{8, 8, 32} || shape == Shape{8, 8, 128};
    case Element::f64:
      return shape == Shape{8, 8, 4};
    default:
      return false;
  }
}

Fragment fragment_of(Matrix matrix, Element element, Shape shape) {
  return {matrix, element, shape.m, shape.n, shape.k, false, false};
}

// An f16 wmma fragment has eight registers, whatever its shape.
int registers_of_wmma(const Fragment& fragment) {
  return fragment.element == Element::f16 && fragment.matrix != Matrix::c ? 8 : fragment.registers();
}

}  // namespace

// The slots of `count` registers of `bytes` bytes each.
bool FunctionDecoder::tensor_registers(const Operand& operand, bool written, int bytes, int count,
                                       std::vector<std::uint32_t>& slots) {
  const std::vector<const Operand*> list = elements(operand);
  if (static_cast<int>(list.size()) != count) return false;
  const Type type = bytes == 8 ? Type::b64 : Type::b32;
  for (const Operand* element : list) {
    const bool is_register = element->kind == Kind::reg;
    if (is_register && layout_.register_bytes(*element, type) != bytes) return false;
    if (!is_register &&
        !(written ? element->kind == Kind::sink : element->kind == Kind::integer || element->kind == Kind::real))
      return false;
    slots.push_back(written ? layout_.write(*element)
                            : layout_.read(*element, element->kind == Kind::real ? element->type : type));
  }
  return true;
}

bool FunctionDecoder::decode_product(const Instruction& instruction, TensorOp& op) {
  if (instruction.operands.size() != 4) return false;
  Words words = words_of(instruction);
  const bool wmma = instruction.opcode == Opcode::wmma_mma;
  if (!words.known || words.by_column.size() != 2) return false;
  // f16 wmma names only the types of d and c.
  if (wmma && words.types.size() == 2) words.types = {words.types[0], Element::f16, Element::f16, words.types[1]};
  if (words.types.size() != 4) return false;
  const Element a = words.types[1], b = words.types[2];
  if (!may_meet(a, b, words.types[3], words.types[0])) return false;
  const bool quads = !wmma && a == Element::f16 && words.shape == Shape{8, 8, 4};
  if (!quads && !(wmma ? is_shape_of_wmma(words.shape, a) : is_shape_of_mma(words.shape, a))) return false;
  const bool bits = a == Element::b1;
  if (bits != words.popc || bits != (words.xor_ || words.and_)) return false;
  if (words.saturate && !is_integer(a)) return false;
  if (!wmma && !quads && (words.by_column[0] || !words.by_column[1])) return false;
  op.kind = TensorOp::Kind::multiply;
  op.a = {Matrix::a, a, words.shape.m, words.shape.n, words.shape.k, quads, words.by_column[0]};
  op.b = {Matrix::b, b, words.shape.m, words.shape.n, words.shape.k, quads, words.by_column[1]};
  op.c = {Matrix::c, words.types[3], words.shape.m, words.shape.n, words.shape.k, quads, false};
  op.d = op.c;
  op.d.element = words.types[0];
  op.saturate = words.saturate;
  op.exclusive = words.xor_;
  op.of_wmma = wmma;
  op.rounding = words.rounding;
  const auto registers = [&](std::size_t operand, const Fragment& fragment, bool written,
                             std::vector<std::uint32_t>& slots) {
    return tensor_registers(instruction.operands[operand], written, fragment.register_bytes(),
                            wmma ? registers_of_wmma(fragment) : fragment.registers(), slots);
  };
  if (!registers(0, op.d, true, op.slots) || !registers(1, op.a, false, op.a_slots) ||
      !registers(2, op.b, false, op.b_slots) || !registers(3, op.c, false, op.c_slots))
    return false;
  find_places(op);
  return true;
}

// ldmatrix, stmatrix, movmatrix: 8 × 8 matrices with 16-bit elements.
bool FunctionDecoder::decode_matrix_rows(const Instruction& instruction, TensorOp& op) {
  if (!instruction.has("m8n8") || !instruction.has("b16") || instruction.operands.size() != 2) return false;
  op.transposed = instruction.has("trans");
  if (instruction.opcode == Opcode::movmatrix) {
    op.kind = TensorOp::Kind::transpose;
    return op.transposed && tensor_registers(instruction.operands[0], true, 4, 1, op.slots) &&
           tensor_registers(instruction.operands[1], false, 4, 1, op.a_slots);
  }
  const bool is_load = instruction.opcode == Opcode::ldmatrix;
  op.kind = is_load ? TensorOp::Kind::load_rows : TensorOp::Kind::store_rows;
  const int count = instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : instruction.has("x1") ? 1 : 0;
  const Operand& place = instruction.operands[is_load ? 1 : 0];
  if (place.kind != Kind::address ||
      (instruction.space != ptx::Space::shared && instruction.space != ptx::Space::generic))
    return false;
  const Address at = address(place, instruction.space);
  op.address = at.slot;
  op.offset = at.offset;
  op.address64 = at.wide;
  FragmentRequest request;
  request.width = 16;
  request.lanes = count == 4 ? ~0u : (1u << 8 * count) - 1;
  op.requests.push_back(request);
  return count != 0 && tensor_registers(instruction.operands[is_load ? 0 : 1], is_load, 4, count, op.slots);
}

// wmma.load, wmma.store.
bool FunctionDecoder::decode_fragment(const Instruction& instruction, TensorOp& op) {
  const bool is_load = instruction.opcode == Opcode::wmma_load;
  const Words words = words_of(instruction);
  if (!words.known || words.types.size() != 1 || words.by_column.size() != 1 || instruction.operands.size() < 2)
    return false;
  const Matrix matrix = instruction.has("a") ? Matrix::a : instruction.has("b") ? Matrix::b : Matrix::c;
  const Element element = words.types[0];
  if (matrix == Matrix::c ? !is_accumulator_of_wmma(words.shape, element) : !is_shape_of_wmma(words.shape, element))
    return false;
  if (is_load ? matrix == Matrix::c && !instruction.has("c") : !instruction.has("d")) return false;
  op.kind = is_load ? TensorOp::Kind::load_fragment : TensorOp::Kind::store_fragment;
  op.fragment = fragment_of(matrix, element, words.shape);
  op.by_column = words.by_column[0];
  // With elements narrower than a byte, only a by rows and b by columns.
  if (bits_of(element) < 8 && !is_together(op.fragment, op.by_column)) return false;
  const Operand& place = instruction.operands[is_load ? 1 : 0];
  const ptx::Space space = instruction.space;
  if (place.kind != Kind::address ||
      (space != ptx::Space::shared && space != ptx::Space::global && space != ptx::Space::generic))
    return false;
  const Address at = address(place, space);
  op.address = at.slot;
  op.offset = at.offset;
  op.address64 = at.wide;
  const int width = matrix == Matrix::a ? words.shape.k : matrix == Matrix::b ? words.shape.n : words.shape.n;
  const int height = matrix == Matrix::b ? words.shape.k : words.shape.m;
  op.stride = instruction.operands.size() > 2
                  ? layout_.read(instruction.operands[2], Type::u32)
                  : layout_.constant(static_cast<std::uint64_t>(op.by_column ? height : width), 4);
  op.requests = requests_of(op.fragment, op.by_column,
                            space == ptx::Space::shared && bits_of(element) == 16 && matrix != Matrix::c);
  const int registers = registers_of_wmma(op.fragment);
  const int parts = is_together(op.fragment, op.by_column) ? 1 : op.fragment.per_register();
  for (int reg = 0; reg < registers; ++reg)
    for (int lane = 0; lane < 32; ++lane)
      for (int part = 0; part < parts; ++part) op.places.push_back(op.fragment.place(lane, reg, part));
  return tensor_registers(instruction.operands[is_load ? 0 : 1], is_load, op.fragment.register_bytes(), registers,
                          op.slots);
}

bool FunctionDecoder::decode_tensor(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  TensorOp op;
  switch (instruction.opcode) {
    case Opcode::mma:
    case Opcode::wmma_mma:
      if (!decode_product(instruction, op)) return false;
      break;
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
      if (!decode_matrix_rows(instruction, op)) return false;
      break;
    case Opcode::wmma_load:
    case Opcode::wmma_store:
      if (!decode_fragment(instruction, op)) return false;
      break;
    case Opcode::wgmma:
      if (!decode_warpgroup_product(instruction, op)) return false;
      break;
    default:
      return false;
  }
  op.scratch = layout_.scratch();
  op.space = instruction.space;
  if (op.touches_memory()) {
    op.site = add_site(trace::EventKind::memory, instruction, index, block);
    trace::Site& site = program_.sites[op.site];
    site.operation = op.is_load() ? trace::Operation::load : trace::Operation::store;
    site.space = op.space == ptx::Space::shared   ? trace::MemorySpace::shared
                 : op.space == ptx::Space::global ? trace::MemorySpace::global
                                                  : trace::MemorySpace::none;
    site.width = site.element_width = static_cast<std::uint8_t>(op.requests.front().width);
  } else {
    op.site = add_site(trace::EventKind::matrix, instruction, index, block);
  }
  ExchangeOp exchange;
  exchange.site = op.site;
  exchange.members = layout_.constant(0xffffffffu, 4);
  exchange.same_members = true;
  exchange.tensor = static_cast<std::uint32_t>(code_.tensors.size());
  code_.tensors.push_back(std::move(op));
  code_.exchanges.push_back(exchange);
  append(Code::tensor, code_.exchanges.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
