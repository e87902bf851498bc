#include "instrument/address_origins.h"

#include <algorithm>

#include <fmt/format.h>

#include "ptx/opcode.h"
#include "ptx/opcode_table.h"

namespace lanescope::instrument {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

constexpr int deepest = 64;  // the longest chain of definitions to follow from an address to its pointer

// Calls `visit` for each register that the instruction reads.
template <typename Visit>
void for_each_source(const Instruction& instruction, Visit&& visit) {
  for (std::size_t i = 1; i < instruction.operands.size(); ++i)
    if (const Operand& operand = instruction.operands[i]; operand.kind == Operand::Kind::reg) visit(operand.reg);
}

bool reads(const Instruction& instruction, RegisterId reg) {
  bool found = false;
  for_each_source(instruction, [&](RegisterId source) { found = found || source == reg; });
  return found;
}

bool is_linear(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::ld:
      return instruction.space == ptx::Space::param;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::neg:
    case Opcode::shl:
    case Opcode::mov:
    case Opcode::cvt:
    case Opcode::cvta:
      break;
    default:
      return false;
  }
  return std::none_of(instruction.operands.begin(), instruction.operands.end(),
                      [](const Operand& operand) { return operand.kind == Operand::Kind::vector; });
}

// The name of a variable, with its offset if it lies inside a block of several variables.
std::string place_of(const Operand& symbol) {
  return symbol.integer ? fmt::format("{}+{}", symbol.name, symbol.integer) : symbol.name;
}

// Propagates a property of registers along their uses until nothing changes, loops included. `passes_on` selects the
// instructions that give the property of a source to their destination.
template <typename PassesOn>
void spread(std::vector<bool>& is, const std::vector<std::vector<const Instruction*>>& definitions,
            PassesOn&& passes_on) {
  std::vector<std::vector<RegisterId>> into(is.size());  // indexed by the register that is read
  for (RegisterId reg = 0; reg < definitions.size(); ++reg)
    for (const Instruction* one : definitions[reg])
      if (passes_on(*one)) for_each_source(*one, [&](RegisterId source) { into[source].push_back(reg); });
  std::vector<RegisterId> open;
  for (RegisterId reg = 0; reg < is.size(); ++reg)
    if (is[reg]) open.push_back(reg);
  while (!open.empty()) {
    const RegisterId from = open.back();
    open.pop_back();
    for (const RegisterId reg : into[from]) {
      if (is[reg]) continue;
      is[reg] = true;
      open.push_back(reg);
    }
  }
}

}  // namespace

AddressOrigins::AddressOrigins(const ptx::Function& function)
    : function_(function), definitions_(function.registers.size()) {
  for (const Instruction& instruction : function.instructions) {
    const int count = ptx::destination_count(instruction);
    for (int i = 0; i < count && i < static_cast<int>(instruction.operands.size()); ++i) {
      const Operand& operand = instruction.operands[static_cast<std::size_t>(i)];
      if (operand.kind == Operand::Kind::reg) definitions_[operand.reg].push_back(&instruction);
      for (const Operand& element : operand.elements)
        if (element.kind == Operand::Kind::reg) definitions_[element.reg].push_back(&instruction);
    }
  }
  find_linear();
  find_pointers();
}

void AddressOrigins::find_linear() {
  std::vector<bool> other(definitions_.size());
  for (RegisterId reg = 0; reg < definitions_.size(); ++reg)
    other[reg] = definitions_[reg].empty() || !std::all_of(definitions_[reg].begin(), definitions_[reg].end(),
                                                           [](const Instruction* one) { return is_linear(*one); });
  spread(other, definitions_, [](const Instruction&) { return true; });
  linear_ = std::move(other);
  linear_.flip();
}

void AddressOrigins::find_pointers() {
  const auto begins_as_one = [&](RegisterId reg, const Instruction& one) {
    const bool from_memory = one.opcode == Opcode::ld && ptx::bytes_of(function_.registers[reg].type) == 8;
    const bool of_a_variable = (one.opcode == Opcode::mov || one.opcode == Opcode::add) &&
                               std::any_of(one.operands.begin(), one.operands.end(), [](const Operand& operand) {
                                 return operand.kind == Operand::Kind::symbol;
                               });
    return from_memory || of_a_variable || one.opcode == Opcode::cvta;
  };
  pointer_.resize(definitions_.size());
  for (RegisterId reg = 0; reg < definitions_.size(); ++reg)
    pointer_[reg] = std::any_of(definitions_[reg].begin(), definitions_[reg].end(),
                                [&](const Instruction* one) { return begins_as_one(reg, *one); });
  spread(pointer_, definitions_,
         [](const Instruction& one) { return one.opcode == Opcode::mov || one.opcode == Opcode::add; });
}

AddressOrigin AddressOrigins::of(const Operand& address) const {
  if (address.reg == ptx::no_register) return {.root = address.name, .offset = {}, .linear = true};
  AddressOrigin origin;
  follow(address.reg, origin);
  origin.linear = linear_[address.reg];
  return origin;
}

// For a pointer that a loop advances, this is the definition before the loop: the first one that does not read `reg`.
const Instruction* AddressOrigins::first_definition(RegisterId reg) const {
  const auto& all = definitions_[reg];
  const auto first = std::find_if(all.begin(), all.end(), [&](const Instruction* one) { return !reads(*one, reg); });
  return first == all.end() ? nullptr : *first;
}

void AddressOrigins::follow(RegisterId reg, AddressOrigin& origin, int depth) const {
  origin.root = function_.registers[reg].name;
  const Instruction* from = first_definition(reg);
  if (!from || depth > deepest) return;
  if (from->opcode == Opcode::mov || from->opcode == Opcode::cvta) {
    const Operand& source = from->operands[1];
    if (source.kind == Operand::Kind::symbol) origin.root = place_of(source);
    if (source.kind == Operand::Kind::reg) follow(source.reg, origin, depth + 1);
    return;
  }
  if (from->opcode != Opcode::add) return;
  for (const std::size_t side : {1u, 2u}) {
    const Operand &pointer = from->operands[side], &added = from->operands[3 - side];
    const bool by_register = pointer.kind == Operand::Kind::reg && pointer_[pointer.reg];
    if (!by_register && pointer.kind != Operand::Kind::symbol) continue;
    if (added.kind == Operand::Kind::reg && origin.offset.empty()) origin.offset = function_.registers[added.reg].name;
    if (by_register) return follow(pointer.reg, origin, depth + 1);
    origin.root = place_of(pointer);
    return;
  }
}

}  // namespace lanescope::instrument
