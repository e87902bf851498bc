#include "sim/decode/shared_turns.h"

#include <algorithm>

#include "cfg/uniform_registers.h"
#include "ptx/named_opcodes.h"
#include "ptx/register_use.h"

namespace lanescope::sim {

using ptx::AtomicOp;
using ptx::Operand;
using ptx::Type;
using trace::Turns;

bool SharedTurns::is_uniform(const Operand& operand) {
  if (operand.kind == Operand::Kind::vector) return false;
  const bool has_register = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address;
  if (!has_register || operand.reg == ptx::no_register) return operand.kind != Operand::Kind::special;
  if (uniform_.empty()) uniform_ = cfg::uniform_registers(function_, graph_);
  return uniform_[operand.reg];
}

// Also a register that only `mov` writes, with this number.
bool SharedTurns::is_constant(const Operand& operand, std::uint32_t value) const {
  if (operand.kind == Operand::Kind::integer) return static_cast<std::uint32_t>(operand.integer) == value;
  if (operand.kind != Operand::Kind::reg) return false;
  bool found = false;
  for (const ptx::Instruction& instruction : function_.instructions) {
    if (!std::ranges::count(ptx::registers_of(instruction).written, operand.reg)) continue;
    found = instruction.opcode == ptx::opcodes::mov && !instruction.guard.present() &&
            instruction.operands[1].kind == Operand::Kind::integer &&
            static_cast<std::uint32_t>(instruction.operands[1].integer) == value;
    if (!found) return false;
  }
  return found;
}

Turns SharedTurns::of(const ptx::Instruction& instruction, bool result_is_read) {
  const std::size_t place = instruction.opcode == ptx::opcodes::atom ? 1 : 0;
  const Operand& address = instruction.operands[place];
  const Operand& operand = instruction.operands[place + 1];
  const Type type = instruction.type;
  const AtomicOp operation = instruction.atomic;
  const bool by_one = operation == AtomicOp::inc && is_constant(operand, 0xffffffffu);
  const bool in_own_block = instruction.space == ptx::Space::shared && !instruction.has("shared::cluster");
  // ATOMS.POPC.INC
  if (in_own_block && !result_is_read &&
      (by_one || (operation == AtomicOp::add && type == Type::u32 && is_constant(operand, 1))))
    return Turns::words;
  if (!is_uniform(address)) return Turns::lanes;
  // What follows is done by the warp before one lane executes the atomic.
  switch (operation) {
    case AtomicOp::add:
      if (type == Type::u64) return is_uniform(operand) ? Turns::words : Turns::lanes;
      if (type != Type::u32 && type != Type::s32) return Turns::lanes;
      return result_is_read && !is_uniform(operand) ? Turns::lanes_of_part : Turns::words;
    case AtomicOp::inc:
      return by_one ? Turns::words : Turns::lanes;
    case AtomicOp::min:
    case AtomicOp::max:
    case AtomicOp::and_:
    case AtomicOp::or_:
    case AtomicOp::xor_:
      return !result_is_read && !ptx::is_float(type) && ptx::bytes_of(type) == 4 ? Turns::words : Turns::lanes;
    default:
      return Turns::lanes;
  }
}

}  // namespace lanescope::sim
