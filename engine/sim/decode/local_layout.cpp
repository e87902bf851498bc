#include "sim/decode/local_layout.h"

#include <algorithm>

#include "sim/memory/address_space.h"

namespace lanescope::sim {

namespace {

void find_addresses(const std::vector<ptx::Operand>& operands, std::vector<bool>& taken) {
  for (const ptx::Operand& operand : operands) {
    if (operand.kind == ptx::Operand::Kind::symbol && operand.symbol_table == ptx::Operand::SymbolTable::parameter)
      taken[static_cast<std::size_t>(operand.symbol)] = true;
    find_addresses(operand.elements, taken);
  }
}

}  // namespace

LocalLayout local_layout(const ptx::Function& function) {
  LocalLayout layout;
  layout.variables.resize(function.variables.size());
  const auto place = [&](std::uint64_t alignment, std::uint64_t bytes) {
    const std::uint64_t at = address_space::align_up(layout.bytes, std::max<std::uint64_t>(alignment, 4));
    layout.alignment = std::max(layout.alignment, alignment);
    layout.bytes = at + bytes;
    return at;
  };
  for (std::size_t i = 0; i < function.variables.size(); ++i) {
    const ptx::Variable& variable = function.variables[i];
    if (variable.space == ptx::Space::local) layout.variables[i] = place(variable.alignment, variable.bytes());
  }
  if (!function.is_entry) {  // a kernel's parameters have addresses
    std::vector<bool> taken(function.parameters.size());
    for (const ptx::Instruction& instruction : function.instructions) find_addresses(instruction.operands, taken);
    for (std::size_t i = 0; i < taken.size(); ++i)
      if (const ptx::Parameter& parameter = function.parameters[i]; taken[i])
        layout.copies.push_back({i, place(parameter.alignment, parameter.bytes())});
  }
  layout.bytes = address_space::align_up(layout.bytes, 16);
  return layout;
}

}  // namespace lanescope::sim
