#include "cfg/pointer_origins.h"

#include <initializer_list>
#include <vector>

#include "cfg/control_flow_graph.h"
#include "cfg/values.h"
#include "ptx/opcode.h"

namespace lanescope::cfg {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

class Origins {
 public:
  explicit Origins(const ptx::Function& kernel)
      : kernel_(kernel), values_(values_of(kernel, build(kernel))), seen_(values_.all.size()) {}

  std::set<std::uint64_t> of(std::size_t instruction) {
    for (const ptx::Operand& operand : kernel_.instructions[instruction].operands)
      if (operand.kind == Kind::address) read(instruction, operand);
    while (!next_.empty()) {
      const Value& value = values_.all[index(next_.back())];
      next_.pop_back();
      for (const ValueId one : value.merged) add(one);
      if (value.kind == Value::Kind::instruction) follow(value);
    }
    return found_;
  }

 private:
  void add(ValueId value) {
    if (value == no_value || seen_[index(value)]) return;
    seen_[index(value)] = true;
    next_.push_back(value);
  }

  void read(std::size_t instruction, const ptx::Operand& operand) {
    if (operand.reg != ptx::no_register) add(values_.read_by(instruction, operand.reg));
  }

  void follow(const Value& value) {
    const ptx::Instruction& instruction = kernel_.instructions[index(value.at)];
    const auto operands = [&](std::initializer_list<std::size_t> numbers) {
      for (const std::size_t number : numbers)
        if (number < instruction.operands.size()) read(index(value.at), instruction.operands[number]);
    };
    switch (instruction.opcode) {
      case Opcode::ld:
        return load(instruction, value.reg);
      case Opcode::mov:
      case Opcode::cvta:
      case Opcode::sub:
        return operands({1});
      case Opcode::add:
      case Opcode::and_:
      case Opcode::or_:
      case Opcode::selp:
        return operands({1, 2});
      case Opcode::mad:
        return operands({3});
      default:
        return;
    }
  }

  void load(const ptx::Instruction& instruction, ptx::RegisterId reg) {
    const ptx::Operand& from = instruction.operands[1];
    if (from.symbol_table != ptx::Operand::SymbolTable::parameter || ptx::bytes_of(instruction.type) != 8) return;
    std::uint64_t offset = kernel_.parameters[index(from.symbol)].offset + static_cast<std::uint64_t>(from.integer);
    for (const ptx::Operand& element : instruction.operands[0].elements) {
      if (element.reg == reg) break;
      offset += 8;
    }
    found_.insert(offset);
  }

  const ptx::Function& kernel_;
  const Values values_;
  std::vector<bool> seen_;
  std::vector<ValueId> next_;
  std::set<std::uint64_t> found_;
};

}  // namespace

std::set<std::uint64_t> parameters_of_address(const ptx::Function& kernel, std::size_t instruction) {
  return Origins(kernel).of(instruction);
}

}  // namespace lanescope::cfg
