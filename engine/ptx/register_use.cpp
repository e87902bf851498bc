#include "ptx/register_use.h"

#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::ptx {

using Kind = Operand::Kind;

RegisterUse registers_of(const Instruction& instruction) {
  RegisterUse use;
  const auto add = [&](const Operand& operand, bool written) {
    if (operand.kind == Kind::reg) (written ? use.written : use.read).push_back(operand.reg);
    if (operand.kind == Kind::address && operand.reg != no_register) use.read.push_back(operand.reg);
    for (const Operand& element : operand.elements) {
      if (element.kind == Kind::reg)
        (written && operand.kind == Kind::vector ? use.written : use.read).push_back(element.reg);
      for (const Operand& coordinate : element.elements)
        if (coordinate.kind == Kind::reg) use.read.push_back(coordinate.reg);
    }
  };
  const int destinations = destination_count(instruction);
  // wgmma adds its product to its destination, so it reads the destination too.
  if (instruction.opcode == opcodes::wgmma && !instruction.operands.empty())
    for (const Operand& element : instruction.operands[0].elements)
      if (element.kind == Kind::reg) use.read.push_back(element.reg);
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    add(instruction.operands[i], static_cast<int>(i) < destinations);
  for (const Operand& operand : instruction.call_arguments) add(operand, false);
  for (const Operand& operand : instruction.call_results) add(operand, true);
  if (instruction.guard.present()) use.read.push_back(instruction.guard.predicate);
  return use;
}

}  // namespace lanescope::ptx
