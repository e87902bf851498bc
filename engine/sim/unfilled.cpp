#include "sim/unfilled.h"

#include <algorithm>

#include "core/source_name.h"
#include "sim/variable_use.h"

namespace lanescope::sim {

namespace {

using Table = ptx::Operand::SymbolTable;

bool names(const ptx::Module& module, const ptx::Operand& operand, const ptx::Variable& variable) {
  if (operand.symbol_table == Table::module &&
      (operand.kind == ptx::Operand::Kind::symbol || operand.kind == ptx::Operand::Kind::address) &&
      &module.variables[static_cast<std::size_t>(operand.symbol)] == &variable)
    return true;
  return std::ranges::any_of(operand.elements,
                             [&](const ptx::Operand& element) { return names(module, element, variable); });
}

bool names(const Program& program, const ptx::Instruction& instruction, const ptx::Variable& variable) {
  const auto of = [&](const ptx::Operand& operand) { return names(program.module, operand, variable); };
  return std::ranges::any_of(instruction.operands, of) || std::ranges::any_of(instruction.call_arguments, of);
}

bool was_executed(const BlockCode& block, const trace::Totals& totals) {
  return block.reachable && block.site != no_site && block.site < totals.sites.size() &&
         totals.sites[block.site].executions != 0;
}

// The first instruction that was executed and names the variable; nullptr when there is none.
const ptx::Instruction* first_use(const Program& program, const trace::Totals& totals, const ptx::Variable& variable) {
  for (const auto& function : program.functions)
    for (const BlockCode& block : function->blocks) {
      if (!was_executed(block, totals)) continue;
      const auto begin = function->source->instructions.begin() + block.first_instruction;
      const auto found = std::find_if(begin, begin + block.instructions, [&](const ptx::Instruction& instruction) {
        return names(program, instruction, variable);
      });
      if (found != begin + block.instructions) return &*found;
    }
  return nullptr;
}

bool reads(const trace::Site& site, trace::MemorySpace space) {
  const bool of_space = site.space == space || site.space == trace::MemorySpace::none;
  return site.kind == trace::EventKind::memory && of_space && site.operation == trace::Operation::load;
}

}  // namespace

bool names_variable(const Program& program, const ptx::Variable& variable) {
  const auto in_function = [&](const auto& function) {
    return std::ranges::any_of(function->source->instructions, [&](const ptx::Instruction& instruction) {
      return names(program, instruction, variable);
    });
  };
  const auto in_initialiser = [&](const ptx::Variable& other) {
    return std::ranges::any_of(other.references, [&](const auto& one) { return one.symbol == variable.name; });
  };
  return std::ranges::any_of(program.functions, in_function) ||
         std::ranges::any_of(program.module.variables, in_initialiser);
}

std::vector<UnfilledVariable> unfilled_variables(const Program& program, const trace::Trace& trace,
                                                 const std::string& user_file,
                                                 const std::function<bool(const ptx::Variable&)>& given) {
  std::vector<UnfilledVariable> found;
  const auto was_read = [&](trace::MemorySpace space) {
    return std::ranges::any_of(trace.sites, [&](const trace::Site& site) {
      return reads(site, space) && site.id < trace.totals.sites.size() && trace.totals.sites[site.id].executions != 0;
    });
  };
  for (const VariablePlace& place : program.variables) {
    const ptx::Variable& variable = *place.variable;
    if (!variable.initial.empty() || !variable.references.empty() || variable.bytes() == 0 || given(variable)) continue;
    const bool constant = variable.space == ptx::Space::constant;
    if (!was_read(constant ? trace::MemorySpace::constant : trace::MemorySpace::global)) continue;
    if (const ptx::Instruction* use = first_use(program, trace.totals, variable))
      found.push_back({source_name(variable.name), constant, place_of(program.module, *use, user_file)});
  }
  return found;
}

}  // namespace lanescope::sim
