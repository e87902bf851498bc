// Decodes copies and reductions by tensor map: cp.async.bulk.tensor and cp.reduce.async.bulk.tensor.

#include <algorithm>
#include <iterator>
#include <string_view>

#include "ptx/named_opcodes.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;
using TensorWay = TensorCopyOp::Way;

namespace {

// Modifiers that a tensor copy may have here. Gathering rows (.tile::gather4) has others.
bool is_known_of_tensor_copies(std::string_view word) {
  constexpr std::string_view known[] = {"tensor",
                                        "global",
                                        "shared::cta",
                                        "shared::cluster",
                                        "mbarrier::complete_tx::bytes",
                                        "bulk_group",
                                        "L2::cache_hint",
                                        "multicast::cluster",
                                        "prefetch",
                                        "L2",
                                        "tile",
                                        "im2col",
                                        "im2col_no_offs",
                                        "add",
                                        "min",
                                        "max",
                                        "inc",
                                        "dec",
                                        "and",
                                        "or",
                                        "xor"};
  const bool dimensions = word.size() == 2 && word[0] >= '1' && word[0] <= '5' && word[1] == 'd';
  return dimensions || std::ranges::find(known, word) != std::end(known);
}

std::uint8_t dimensions_of(const Instruction& instruction) {
  for (const std::string& word : instruction.modifiers)
    if (word.size() == 2 && word[1] == 'd') return static_cast<std::uint8_t>(word[0] - '0');
  return 0;
}

ptx::AtomicOp reduction_of(const Instruction& instruction) {
  using A = ptx::AtomicOp;
  constexpr std::pair<const char*, A> names[] = {{"add", A::add}, {"min", A::min},  {"max", A::max}, {"inc", A::inc},
                                                 {"dec", A::dec}, {"and", A::and_}, {"or", A::or_},  {"xor", A::xor_}};
  for (const auto& [name, operation] : names)
    if (instruction.has(name)) return operation;
  return A::none;
}

// The fields of tensormap.replace. A `listed` field has one value per dimension, so it takes an ordinal.
struct TensorFieldName {
  const char* name;
  TensorField field;
  bool listed;
};
constexpr TensorFieldName field_names[] = {
    {"global_address", TensorField::address, false}, {"rank", TensorField::rank, false},
    {"global_stride", TensorField::stride, true},    {"box_dim", TensorField::box, true},
    {"global_dim", TensorField::dim, true},          {"element_stride", TensorField::step, true},
    {"elemtype", TensorField::type, false},          {"interleave_layout", TensorField::interleave, false},
    {"swizzle_mode", TensorField::swizzle, false},   {"fill_mode", TensorField::fill, false}};

const TensorFieldName* field_of(const Instruction& instruction) {
  const auto found =
      std::ranges::find_if(field_names, [&](const TensorFieldName& one) { return instruction.has(one.name); });
  return found == std::end(field_names) ? nullptr : found;
}

}  // namespace

// [map, {coordinates}]
bool FunctionDecoder::tensor_place(const Operand& operand, TensorCopyOp& op) {
  if (operand.kind != Kind::address || operand.elements.size() != 1) return false;
  const std::vector<const Operand*> coordinates = elements(operand.elements[0]);
  if (coordinates.size() != op.dimensions) return false;
  Operand base = operand;
  base.elements.clear();
  const Address at = address(base, Space::generic);
  op.map = {at.slot, at.offset, at.wide};
  for (std::size_t d = 0; d < coordinates.size(); ++d) {
    if (layout_.register_bytes(*coordinates[d], Type::s32) != 4) return false;
    op.at[d] = layout_.read(*coordinates[d], Type::s32);
  }
  return true;
}

bool FunctionDecoder::decode_tensor_copy(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  if (!instruction.has("tensor") || !std::ranges::all_of(instruction.modifiers, is_known_of_tensor_copies))
    return false;
  TensorCopyOp op;
  op.dimensions = dimensions_of(instruction);
  op.im2col = instruction.has("im2col") || instruction.has("im2col_no_offs");
  if (op.dimensions == 0 || (op.im2col && op.dimensions < 3)) return false;
  op.reduction = reduction_of(instruction);
  const bool reduces = instruction.opcode == ptx::opcodes::cp_reduce_async_bulk;
  if (reduces != (op.reduction != ptx::AtomicOp::none)) return false;
  op.way = instruction.has("prefetch")                       ? TensorWay::prefetch
           : instruction.has("mbarrier::complete_tx::bytes") ? TensorWay::to_shared
           : reduces                                         ? TensorWay::reduce
                                                             : TensorWay::to_global;
  const auto& operands = instruction.operands;
  std::size_t next = 0;
  const auto in_shared = [&](BulkCopyOp::Place& place) {
    if (next >= operands.size() || operands[next].kind != Kind::address || !operands[next].elements.empty())
      return false;
    const Address at = address(operands[next++], Space::shared);
    place = {at.slot, at.offset, at.wide};
    return true;
  };
  const auto in_tensor = [&] { return next < operands.size() && tensor_place(operands[next++], op); };
  switch (op.way) {
    case TensorWay::to_shared:
      if (!in_shared(op.shared) || !in_tensor() || !in_shared(op.mbarrier)) return false;
      break;
    case TensorWay::prefetch:
      if (!in_tensor()) return false;
      break;
    default:
      if (!instruction.has("bulk_group") || !in_tensor() || !in_shared(op.shared)) return false;
      // Blocks add to each other's sums, so they must run one after the other.
      if (reduces) program_.blocks_may_communicate = true;
  }
  const bool loads = op.way == TensorWay::to_shared || op.way == TensorWay::prefetch;
  if (op.im2col && loads) {
    if (next >= operands.size()) return false;
    const std::vector<const Operand*> offsets = elements(operands[next++]);
    if (offsets.size() + 2 != op.dimensions) return false;
    for (std::size_t d = 0; d < offsets.size(); ++d) {
      if (layout_.register_bytes(*offsets[d], Type::u16) != 2) return false;
      op.offset[d] = layout_.read(*offsets[d], Type::u16);
    }
  }
  if (op.way == TensorWay::to_shared && instruction.has("multicast::cluster")) {
    if (next >= operands.size() || layout_.register_bytes(operands[next], Type::u16) != 2) return false;
    op.mask = layout_.read(operands[next++], Type::u16);
    program_.uses_cluster = true;
  }
  if (operands.size() != next + (instruction.has("L2::cache_hint") ? 1 : 0)) return false;
  op.guarded = instruction.guard.present();
  op.site = add_site(trace::EventKind::guarded, instruction, index, block);
  code_.tensor_copies.push_back(op);
  append(Code::tensor_copy, code_.tensor_copies.size() - 1, instruction, index);
  return true;
}

bool FunctionDecoder::decode_tensor_map(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  const auto& operands = instruction.operands;
  TensorMapOp op;
  const auto place = [&](std::size_t number, Space space, BulkCopyOp::Place& to) {
    if (number >= operands.size() || operands[number].kind != Kind::address) return false;
    const Address at = address(operands[number], space);
    to = {at.slot, at.offset, at.wide};
    return true;
  };
  if (instruction.has("cp_fenceproxy")) {
    op.copies = true;
    if (operands.size() != 3 || !place(0, Space::global, op.to) || !place(1, Space::shared, op.from)) return false;
  } else {
    const TensorFieldName* named = field_of(instruction);
    if (!instruction.has("replace") || named == nullptr || operands.size() != (named->listed ? 3 : 2)) return false;
    op.field = named->field;
    op.shared = instruction.has("shared::cta");
    op.generic = !op.shared && !instruction.has("global");
    if (!place(0, op.generic ? Space::generic : op.shared ? Space::shared : Space::global, op.to)) return false;
    if (named->listed) {
      if (operands[1].kind != Kind::integer || operands[1].integer < 0 || operands[1].integer > 4) return false;
      op.ordinal = static_cast<std::uint32_t>(operands[1].integer);
      if (op.field == TensorField::stride && op.ordinal > 3) return false;
    }
    const Type type = instruction.has("b64") ? Type::b64 : Type::b32;
    if (layout_.register_bytes(operands.back(), type) != ptx::bytes_of(type)) return false;
    op.value = layout_.read(operands.back(), type);
    op.value_bytes = static_cast<std::uint8_t>(ptx::bytes_of(type));
  }
  op.guarded = instruction.guard.present();
  op.site = add_site(trace::EventKind::guarded, instruction, index, block);
  code_.tensor_maps.push_back(op);
  append(Code::tensor_map, code_.tensor_maps.size() - 1, instruction, index);
  return true;
}

}  // namespace lanescope::sim
