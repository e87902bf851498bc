// Decides which slot of the frame each register gets, which registers are aliases of constants, and which must be
// cleared.

#include <algorithm>
#include <cstdint>

#include "ptx/opcode.h"
#include "ptx/opcode_table.h"
#include "ptx/register_use.h"
#include "sim/decode/decoder.h"
#include "sim/decode/local_layout.h"
#include "sim/memory/address_space.h"

namespace lanescope::sim {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;
using Table = ptx::Operand::SymbolTable;

// ---- the register file ------------------------------------------------------------------------------

void FunctionDecoder::count_registers() {
  definitions_.assign(function_.registers.size(), 0);
  uses_.assign(function_.registers.size(), 0);
  for (const Instruction& instruction : function_.instructions) {
    const ptx::RegisterUse use = ptx::registers_of(instruction);
    for (ptx::RegisterId id : use.written) ++definitions_[id];
    for (ptx::RegisterId id : use.read) ++uses_[id];
  }
  // Calls write the parameters and read the results, so these have slots of their own.
  for (const auto* list : {&function_.parameters, &function_.results})
    for (const ptx::Parameter& one : *list)
      if (one.in_register) definitions_[one.reg] += 2, ++uses_[one.reg];
}

bool FunctionDecoder::result_is_read(const Operand& operand) const {
  if (operand.kind == Kind::vector)
    return std::any_of(operand.elements.begin(), operand.elements.end(),
                       [&](const Operand& element) { return result_is_read(element); });
  return operand.kind == Kind::reg && uses_[operand.reg] != 0;
}

bool FunctionDecoder::is_kernel_parameter(const Operand& operand) const {
  return function_.is_entry && operand.kind == Kind::address && operand.reg == ptx::no_register &&
         operand.symbol_table == Table::parameter;
}

std::uint32_t FunctionDecoder::parameter_offset(const Operand& operand) const {
  return static_cast<std::uint32_t>(function_.parameters[operand.symbol].offset +
                                    static_cast<std::uint64_t>(operand.integer));
}

std::vector<const Operand*> FunctionDecoder::elements(const Operand& operand) const {
  std::vector<const Operand*> list;
  if (operand.kind == Kind::vector) {
    for (const Operand& element : operand.elements) list.push_back(&element);
  } else {
    list.push_back(&operand);
  }
  return list;
}

// Whether this instruction is the only definition of each result, is always executed, and gives a constant value. Then
// the register can use the constant's slot. (A read before the definition gives this value; such a read has no defined
// result.)
bool FunctionDecoder::may_alias(const Instruction& instruction) const {
  if (instruction.guard.present() || instruction.operands.size() != 2) return false;
  const Operand& to = instruction.operands[0];
  const Operand& from = instruction.operands[1];
  for (const Operand* element : elements(to)) {
    if (element->kind != Kind::reg || definitions_[element->reg] != 1) return false;
    if (function_.registers[element->reg].type == Type::pred) return false;
  }
  const auto same_size = [&](Type type) {
    return slot_bytes_of(function_.registers[to.reg].type) == slot_bytes_of(type);
  };
  switch (instruction.opcode) {
    case Opcode::ld:
      return instruction.space == Space::param && is_kernel_parameter(from);
    case Opcode::mov:
      if (to.kind != Kind::reg || !same_size(instruction.type)) return false;
      if (from.kind == Kind::special) return !is_clock(from.special);
      return from.kind == Kind::integer || from.kind == Kind::real || from.kind == Kind::symbol;
    case Opcode::cvta:
      if (instruction.space != Space::global && instruction.space != Space::constant) return false;
      if (to.kind != Kind::reg || !same_size(instruction.type)) return false;
      return from.kind == Kind::symbol;
    default:
      return false;
  }
}

void FunctionDecoder::choose_aliases() {
  aliases_.assign(function_.instructions.size(), 0);
  std::vector<bool> constant(function_.registers.size(), false);
  for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
    const Instruction& instruction = function_.instructions[i];
    if (!code_.blocks[static_cast<std::size_t>(graph_.block_of[i])].reachable) continue;
    bool chosen = may_alias(instruction);
    // Conversions to and from generic addresses do not change an address in global memory.
    if (!chosen && instruction.opcode == Opcode::cvta && !instruction.guard.present() &&
        (instruction.space == Space::global || instruction.space == Space::constant)) {
      const Operand& to = instruction.operands[0];
      const Operand& from = instruction.operands[1];
      chosen = to.kind == Kind::reg && from.kind == Kind::reg && constant[from.reg] && definitions_[to.reg] == 1 &&
               slot_bytes_of(function_.registers[to.reg].type) == slot_bytes_of(function_.registers[from.reg].type);
    }
    if (!chosen) continue;
    aliases_[i] = 1;
    for (const Operand* element : elements(instruction.operands[0])) constant[element->reg] = true;
  }
}

void FunctionDecoder::reserve_slots() {
  std::vector<bool> aliased(function_.registers.size(), false);
  for (std::size_t i = 0; i < function_.instructions.size(); ++i)
    if (aliases_[i] != 0)
      for (const Operand* element : elements(function_.instructions[i].operands[0])) aliased[element->reg] = true;
  for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
    if (!code_.blocks[static_cast<std::size_t>(graph_.block_of[i])].reachable) continue;
    const ptx::RegisterUse use = ptx::registers_of(function_.instructions[i]);
    for (const auto* list : {&use.written, &use.read})
      for (ptx::RegisterId id : *list)
        if (!aliased[id]) layout_.reserve_register(id);
  }
  const auto reserve = [&](std::uint64_t bytes) {
    return CallOp::Area{layout_.reserve_frame_bytes(static_cast<std::uint32_t>(bytes)),
                        static_cast<std::uint32_t>(bytes)};
  };
  variable_area_.assign(function_.variables.size(), 0);
  for (std::size_t i = 0; i < function_.variables.size(); ++i)
    if (const ptx::Variable& variable = function_.variables[i]; variable.space == Space::param)
      variable_area_[i] = reserve(variable.bytes()).area;
  const LocalLayout local = local_layout(function_);
  code_.local_bytes = local.bytes;
  code_.local_alignment = local.alignment;
  code_.local_copies = local.copies;
  if (std::ranges::any_of(function_.instructions, is_vector_move)) moved_ = layout_.reserve_frame_bytes(4 * 8);
  if (function_.is_entry) return;
  const auto place = [&](const ptx::Parameter& parameter) {
    CallOp::Value value;
    if (!parameter.in_register) {
      value.area = reserve(parameter.bytes());
      return value;
    }
    layout_.reserve_register(parameter.reg);
    value.slot = layout_.register_slot(parameter.reg);
    value.register_bytes = static_cast<std::uint8_t>(slot_bytes_of(parameter.type));
    return value;
  };
  for (const ptx::Parameter& parameter : function_.parameters) code_.parameters.push_back(place(parameter));
  for (const ptx::Parameter& result : function_.results) code_.results.push_back(place(result));
}

void FunctionDecoder::make_aliases() {
  for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
    if (aliases_[i] == 0) continue;
    const Instruction& instruction = function_.instructions[i];
    const Operand& from = instruction.operands[1];
    if (instruction.opcode != Opcode::ld) {
      layout_.alias(instruction.operands[0].reg, layout_.read(from, instruction.type));
      continue;
    }
    const int memory_bytes = ptx::bytes_of(instruction.type);
    std::uint32_t offset = parameter_offset(from);
    for (const Operand* element : elements(instruction.operands[0])) {
      const int register_bytes = slot_bytes_of(function_.registers[element->reg].type);
      layout_.alias(element->reg,
                    layout_.parameter(offset, memory_bytes, register_bytes, ptx::is_signed(instruction.type)));
      offset += static_cast<std::uint32_t>(memory_bytes);
    }
  }
}

// Registers that may be read before they are written. They are cleared when a frame starts, so that a result never
// depends on what ran before.
void FunctionDecoder::find_uncleared() {
  const std::size_t registers = function_.registers.size();
  const std::size_t blocks = graph_.blocks.size();
  // One row of bits per basic block.
  const std::size_t words = (registers + 63) / 64;
  std::vector<std::uint64_t> needs(blocks * words), kills = needs;
  const auto has = [words](const std::vector<std::uint64_t>& rows, std::size_t block, std::size_t id) {
    return (rows[block * words + id / 64] >> (id % 64) & 1) != 0;
  };
  const auto set = [words](std::vector<std::uint64_t>& rows, std::size_t block, std::size_t id) {
    rows[block * words + id / 64] |= std::uint64_t{1} << (id % 64);
  };
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::int32_t i = graph_.blocks[b].first; i < graph_.blocks[b].end; ++i) {
      const Instruction& instruction = function_.instructions[i];
      const ptx::RegisterUse use = ptx::registers_of(instruction);
      for (ptx::RegisterId id : use.read)
        if (!has(kills, b, id)) set(needs, b, id);
      if (!instruction.guard.present())
        for (ptx::RegisterId id : use.written) set(kills, b, id);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks; b-- > 0;)
      for (std::int32_t next : graph_.blocks[b].successors)
        for (std::size_t word = 0; word < words; ++word) {
          std::uint64_t& own = needs[b * words + word];
          const std::uint64_t more =
              needs[static_cast<std::size_t>(next) * words + word] & ~kills[b * words + word] & ~own;
          own |= more;
          changed = changed || more != 0;
        }
  }
  code_.cleared.emplace_back(layout_.carry(), 4);
  for (const CallOp::Value& result : code_.results)
    if (result.slot != 0)
      code_.cleared.emplace_back(result.slot, std::max<std::uint32_t>(4, 32u * result.register_bytes));
  if (blocks == 0) return;
  for (std::size_t id = 0; id < registers; ++id) {
    const auto reg = static_cast<ptx::RegisterId>(id);
    if (!has(needs, 0, id) || layout_.aliased(reg) || layout_.register_slot(reg) == 0) continue;
    const int bytes = slot_bytes_of(function_.registers[id].type);
    code_.cleared.emplace_back(layout_.register_slot(reg), bytes == 0 ? 4u : 32u * static_cast<std::uint32_t>(bytes));
  }
}

}  // namespace lanescope::sim
