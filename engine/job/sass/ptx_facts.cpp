#include "job/sass/ptx_facts.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cfg/values.h"
#include "ptx/module.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::job {
namespace {

// Follows the results of atomics through the registers of a function.
class AtomicResults {
 public:
  AtomicResults(const ptx::Function& function, const cfg::ControlFlowGraph& graph)
      : function_(function), values_(cfg::values_of(function, graph)), from_(values_.all.size(), nothing) {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t v = 0; v < from_.size(); ++v) {
        if (from_[v] != nothing) continue;
        from_[v] = first_of(values_.all[v].merged);
        more |= from_[v] != nothing;
      }
      for (std::size_t i = 0; i < function_.instructions.size(); ++i) more |= follow(i);
    }
  }

  void add_addresses(std::map<int, int>& found) const {
    for (std::size_t i = 0; i < function_.instructions.size(); ++i)
      for (const ptx::Operand& operand : function_.instructions[i].operands) {
        if (operand.kind != ptx::Operand::Kind::address || operand.reg == ptx::no_register) continue;
        const cfg::ValueId address = values_.read_by(i, operand.reg);
        const std::size_t source = address == cfg::no_value ? nothing : from_[cfg::index(address)];
        if (source != nothing)
          found.emplace(function_.instructions[i].ptx_line, function_.instructions[source].ptx_line);
      }
  }

 private:
  static constexpr auto nothing = static_cast<std::size_t>(-1);

  std::size_t first_of(const std::vector<cfg::ValueId>& values) const {
    std::size_t first = nothing;
    for (const cfg::ValueId value : values)
      if (value != cfg::no_value) first = std::min(first, from_[cfg::index(value)]);
    return first;
  }

  // False if it finds nothing new.
  bool follow(std::size_t at) {
    const bool atomic = ptx::info(function_.instructions[at].opcode).category == ptx::Category::atomic;
    const std::size_t source = atomic ? at : first_of(values_.read[at]);
    bool more = false;
    for (const cfg::ValueId written : values_.written[at]) {
      if (source == nothing || written == cfg::no_value || from_[cfg::index(written)] != nothing) continue;
      from_[cfg::index(written)] = source;
      more = true;
    }
    return more;
  }

  const ptx::Function& function_;
  const cfg::Values values_;
  std::vector<std::size_t> from_;  // by value: the atomic's instruction
};

PtxLines lines_of_instructions(const ptx::Module& module) {
  PtxLines lines;
  for (const ptx::Function& function : module.functions) {
    if (function.instructions.empty()) continue;
    std::vector<int>& own = lines.emplace_back();
    for (const ptx::Instruction& instruction : function.instructions) own.push_back(instruction.ptx_line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string functions_outside(const ptx::Module& module) {
  std::set<std::string> names;
  for (const ptx::Function& function : module.functions)
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.opcode != ptx::opcodes::call || instruction.operands.front().kind != ptx::Operand::Kind::symbol)
        continue;
      const ptx::Function* callee = module.find_function(instruction.operands.front().name);
      if (!callee || callee->is_declaration) names.insert(instruction.operands.front().name);
    }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::map<int, int> addresses_from_atomics(const ptx::Module& module) {
  std::map<int, int> found;
  for (const ptx::Function& function : module.functions)
    if (!function.instructions.empty()) AtomicResults(function, cfg::build(function)).add_addresses(found);
  return found;
}

}  // namespace

PtxFacts facts_of_ptx(const std::string& ptx) {
  const Result<ptx::Module> module = ptx::parse(ptx, "kernel.ptx");
  if (!module) return {};
  return {lines_of_instructions(*module), functions_outside(*module), addresses_from_atomics(*module)};
}

}  // namespace lanescope::job
