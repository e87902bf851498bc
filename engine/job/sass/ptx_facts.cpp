#include "job/sass/ptx_facts.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ptx/module.h"
#include "ptx/named_opcodes.h"

namespace lanescope::job {

PtxLines lines_of_instructions(const std::string& ptx) {
  PtxLines lines;
  const Result<ptx::Module> module = ptx::parse(ptx, "kernel.ptx");
  if (!module) return lines;
  for (const ptx::Function& function : module->functions) {
    if (function.instructions.empty()) continue;
    std::vector<int>& own = lines.emplace_back();
    for (const ptx::Instruction& instruction : function.instructions) own.push_back(instruction.ptx_line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string functions_outside(const std::string& ptx) {
  const Result<ptx::Module> module = ptx::parse(ptx, "kernel.ptx");
  if (!module) return {};
  std::set<std::string> names;
  for (const ptx::Function& function : module->functions)
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.opcode != ptx::opcodes::call || instruction.operands.front().kind != ptx::Operand::Kind::symbol)
        continue;
      const ptx::Function* callee = module->find_function(instruction.operands.front().name);
      if (!callee || callee->is_declaration) names.insert(instruction.operands.front().name);
    }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace lanescope::job
