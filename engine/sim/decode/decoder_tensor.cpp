// Decodes tensor core instructions. An unknown form is refused and named.

#include <algorithm>
#include <optional>

#include "ptx/opcode.h"
#include "sim/decode/decoder.h"
#include "sim/tensor/sparse.h"
#include "sim/tensor/tensor_tile.h"
#include "sim/tensor/tensor_words.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using Kind = ptx::Operand::Kind;
using Matrix = Fragment::Matrix;

namespace {

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
bool is_shape_of_mma(TensorShape shape, Element a) {
  const int line = a == Element::f64 ? 4 : 128 / bits_of(a);
  if (shape.n != 8) return false;
  if (shape.m == 8) return shape.k == line && (a == Element::f64 || is_integer(a) || a == Element::b1);
  if (shape.m != 16) return false;
  return shape.k == line || shape.k == 2 * line || (a == Element::f64 && shape.k == 4 * line);
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

// The last two operands of mma.sp: the metadata, and which lanes give it. An 8-bit float has only sums of f32.
bool FunctionDecoder::decode_sparse(const Instruction& instruction, TensorOp& op) {
  const Operand &metadata = instruction.operands[4], &selector = instruction.operands[5];
  const bool is_register = metadata.kind == Kind::reg || metadata.kind == Kind::integer;
  if (!is_register || selector.kind != Kind::integer) return false;
  if (op.a.element == Element::f64 || op.a.element == Element::b1) return false;
  if (is_eight_bit_float(op.a.element) && (op.d.element != Element::f32 || op.b.k != 64)) return false;
  if (metadata.kind == Kind::reg && layout_.register_bytes(metadata, Type::b32) != 4) return false;
  op.metadata = layout_.read(metadata, Type::b32);
  op.selector = static_cast<int>(selector.integer);
  return selector.integer >= 0 && selector.integer < selectors_of(op);
}

bool FunctionDecoder::decode_product(const Instruction& instruction, TensorOp& op) {
  TensorWords words = tensor_words(instruction);
  const bool wmma = instruction.opcode == Opcode::wmma_mma;
  if (instruction.operands.size() != (words.sparse ? 6u : 4u) || (wmma && words.sparse)) return false;
  if (!words.known || words.by_column.size() != 2) return false;
  // f16 wmma names only the types of d and c.
  if (wmma && words.types.size() == 2) words.types = {words.types[0], Element::f16, Element::f16, words.types[1]};
  if (words.types.size() != 4) return false;
  const Element a = words.types[1], b = words.types[2];
  if (!may_meet(a, b, words.types[3], words.types[0])) return false;
  // The stored half of a sparse matrix is a dense one of half the k.
  const int k = words.shape.k;
  if (words.sparse && (k % 2 != 0 || words.shape.m != 16)) return false;
  if (words.sparse) words.shape.k /= 2;
  const bool quads = !wmma && !words.sparse && a == Element::f16 && words.shape == TensorShape{8, 8, 4};
  if (!quads && !(wmma ? is_shape_of_wmma(words.shape, a) : is_shape_of_mma(words.shape, a))) return false;
  const bool bits = a == Element::b1;
  if (bits != words.popc || bits != (words.xor_ || words.and_)) return false;
  if (words.saturate && !is_integer(a)) return false;
  if (!wmma && !quads && (words.by_column[0] || !words.by_column[1])) return false;
  op.kind = TensorOp::Kind::multiply;
  op.a = {Matrix::a, a, words.shape.m, words.shape.n, words.shape.k, quads, words.by_column[0]};
  op.b = {Matrix::b, b, words.shape.m, words.shape.n, k, quads, words.by_column[1]};
  op.c = {Matrix::c, words.types[3], words.shape.m, words.shape.n, words.shape.k, quads, false};
  op.d = op.c;
  op.d.element = words.types[0];
  op.saturate = words.saturate;
  op.sparse = words.sparse;
  op.ordered = words.ordered;
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
  if (op.sparse) return decode_sparse(instruction, op);
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
  std::optional<FragmentAccess> access = fragment_access(instruction);
  if (!access) return false;
  op.kind = access->is_load ? TensorOp::Kind::load_fragment : TensorOp::Kind::store_fragment;
  op.fragment = access->fragment;
  op.by_column = access->by_column;
  const Address at = address(instruction.operands[access->address], instruction.space);
  op.address = at.slot;
  op.offset = at.offset;
  op.address64 = at.wide;
  op.stride = access->stride ? layout_.read(instruction.operands[*access->stride], Type::u32)
                             : layout_.constant(access->default_stride, 4);
  op.requests = std::move(access->requests);
  const int registers = registers_of_wmma(op.fragment);
  const int parts = is_together(op.fragment, op.by_column) ? 1 : op.fragment.per_register();
  for (int reg = 0; reg < registers; ++reg)
    for (int lane = 0; lane < 32; ++lane)
      for (int part = 0; part < parts; ++part) op.places.push_back(op.fragment.place(lane, reg, part));
  return tensor_registers(instruction.operands[access->registers], access->is_load, op.fragment.register_bytes(),
                          registers, op.slots);
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
