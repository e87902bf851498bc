// Decodes conversions and tests of addresses: cvta, isspacep, mapa.

#include "ptx/opcode.h"
#include "sim/decode/decoder.h"
#include "sim/memory/address_space.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

// Where the space begins among the generic addresses. nullopt: it has no window.
std::optional<std::uint64_t> window_of(Space space) {
  switch (space) {
    case Space::global:
      return 0;
    case Space::shared:
      return address_space::shared_window;
    case Space::local:
      return address_space::local_window;
    case Space::param:
      return address_space::param_window;
    default:
      return std::nullopt;
  }
}

// isspacep: whether the addresses in slot a are in the window that starts at `immediate`; for 0, whether they are in no
// window. If there is a slot b: whether they are in the window of the block that starts there (.shared::cta).
template <bool is_full>
void in_space(std::byte* registers, const Operation& operation, std::uint32_t mask) {
  using namespace address_space;
  const auto* address = reinterpret_cast<const std::uint64_t*>(registers + operation.a);
  const auto* begin = operation.b == 0 ? nullptr : reinterpret_cast<const std::uint64_t*>(registers + operation.b);
  std::uint32_t inside = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint64_t at = address[lane];
    const bool in_any = in_window(at, shared_window) || in_window(at, local_window);
    const bool is_in = begin != nullptr           ? at - begin[lane] < window_bytes
                       : operation.immediate == 0 ? !in_any
                                                  : in_window(at, operation.immediate);
    inside |= static_cast<std::uint32_t>(is_in) << lane;
  }
  auto& predicate = *reinterpret_cast<std::uint32_t*>(registers + operation.dst);
  predicate = is_full ? inside : (predicate & ~mask) | (inside & mask);
}

}  // namespace

bool FunctionDecoder::decode_space_test(const Instruction& instruction, std::int32_t index, std::int32_t block) {
  const Operand& from = instruction.operands[1];
  const std::optional<std::uint64_t> window = window_of(instruction.space);
  if (!window || layout_.register_bytes(from, Type::u64) != 8) return false;
  Operation operation;
  operation.full = in_space<true>;
  operation.masked = in_space<false>;
  operation.dst = layout_.write(instruction.operands[0]);
  operation.a = layout_.read(from, Type::u64);
  operation.immediate = *window;
  if (instruction.space == Space::shared && !instruction.has("shared::cluster"))
    operation.b = layout_.shared_address(*window, 8);
  append_alu(operation, instruction, index, block);
  return true;
}

bool FunctionDecoder::decode_address_conversion(const Instruction& instruction, std::int32_t index,
                                                std::int32_t block) {
  if (instruction.operands.size() < 2) return false;
  if (instruction.opcode == Opcode::isspacep) return decode_space_test(instruction, index, block);
  if (instruction.opcode == Opcode::mapa || instruction.opcode == Opcode::getctarank)
    return decode_cluster_address(instruction, index, block);
  const Operand& to = instruction.operands[0];
  const Operand& from = instruction.operands[1];
  if (layout_.register_bytes(to, Type::u64) != 8) return false;
  if (instruction.space == Space::global || instruction.space == Space::constant)
    return decode_move(to, from, instruction, index, block);
  const std::optional<std::uint64_t> window = window_of(instruction.space);
  if (!window) return false;
  Instruction add;
  add.opcode = instruction.to_space ? Opcode::sub : Opcode::add;
  add.modifiers = {"u64"};
  add.type = add.source_type = Type::u64;
  Operand base;
  base.kind = Operand::Kind::integer;
  base.integer = static_cast<std::int64_t>(*window);
  add.operands = {to, from, base};
  return decode_alu(add, instruction, index, block);
}

}  // namespace lanescope::sim
