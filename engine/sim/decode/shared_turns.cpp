#include "sim/decode/shared_turns.h"

#include "cfg/uniform_values.h"
#include "ptx/named_opcodes.h"

namespace lanescope::sim {

using ptx::AtomicOp;
using ptx::Operand;
using ptx::Type;
using trace::Turns;

const SharedTurns::Analysis& SharedTurns::analysis() {
  if (!analysis_) {
    analysis_.emplace(Analysis{cfg::values_of(function_, graph_), {}});
    analysis_->uniform = cfg::uniform_values(function_, graph_, analysis_->values);
  }
  return *analysis_;
}

bool SharedTurns::is_uniform(std::size_t at, const Operand& operand) {
  if (operand.kind == Operand::Kind::vector) return false;
  const bool has_register = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address;
  if (!has_register || operand.reg == ptx::no_register) return operand.kind != Operand::Kind::special;
  const cfg::ValueId read = analysis().values.read_by(at, operand.reg);
  return read == cfg::no_value || analysis().uniform[cfg::index(read)];
}

// Also a register into which `mov` put this number.
bool SharedTurns::is_constant(std::size_t at, const Operand& operand, std::uint32_t value) {
  if (operand.kind == Operand::Kind::integer) return static_cast<std::uint32_t>(operand.integer) == value;
  if (operand.kind != Operand::Kind::reg) return false;
  const cfg::Values& values = analysis().values;
  const cfg::ValueId read = values.read_by(at, operand.reg);
  if (read == cfg::no_value) return false;
  const cfg::Value& known = values.all[cfg::index(read)];
  if (known.kind != cfg::Value::Kind::instruction || !known.merged.empty()) return false;
  const ptx::Instruction& instruction = function_.instructions[cfg::index(known.at)];
  return instruction.opcode == ptx::opcodes::mov && is_constant(cfg::index(known.at), instruction.operands[1], value);
}

Turns SharedTurns::of(std::size_t at, bool result_is_read) {
  const ptx::Instruction& instruction = function_.instructions[at];
  const std::size_t place = instruction.opcode == ptx::opcodes::atom ? 1 : 0;
  const Operand& address = instruction.operands[place];
  const Operand& operand = instruction.operands[place + 1];
  const Type type = instruction.type;
  const AtomicOp operation = instruction.atomic;
  const bool by_one = operation == AtomicOp::inc && is_constant(at, operand, 0xffffffffu);
  const bool in_own_block = instruction.space == ptx::Space::shared && !instruction.has("shared::cluster");
  // ATOMS.POPC.INC
  if (in_own_block && !result_is_read &&
      (by_one || (operation == AtomicOp::add && type == Type::u32 && is_constant(at, operand, 1))))
    return Turns::words;
  if (!is_uniform(at, address)) return Turns::lanes;
  // What follows is done by the warp before one lane executes the atomic.
  switch (operation) {
    case AtomicOp::add:
      if (type == Type::u64) return is_uniform(at, operand) ? Turns::words : Turns::lanes;
      if (type != Type::u32 && type != Type::s32) return Turns::lanes;
      return result_is_read && !is_uniform(at, operand) ? Turns::lanes_of_part : Turns::words;
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
