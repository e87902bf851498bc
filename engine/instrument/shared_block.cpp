#include "instrument/shared_block.h"

#include <algorithm>
#include <map>
#include <set>

namespace lanescope::instrument {

using ptx::Function;
using ptx::Instruction;
using ptx::Module;
using ptx::Operand;
using ptx::Variable;

namespace {

bool is_static_shared(const Variable& variable) {
  return variable.space == ptx::Space::shared && variable.bytes() > 0 && !variable.is_extern;
}

template <typename List, typename Visit>
void for_each_operand(List& operands, Visit&& visit) {
  for (auto& operand : operands) {
    visit(operand);
    for_each_operand(operand.elements, visit);
  }
}
bool names_something(const Operand& operand) {
  return operand.kind == Operand::Kind::symbol || operand.kind == Operand::Kind::address;
}

// The kernel, the functions that its code names in order of first mention, and all names that they use.
struct Reach {
  Reach(const Module& module, const Function& kernel) : module_(module) { visit(kernel); }
  std::vector<const Function*> functions;
  std::set<std::string> names;

 private:
  void visit(const Function& from) {
    std::vector<const Function*> open{&from};
    while (!open.empty()) {
      const Function* function = open.back();
      open.pop_back();
      if (std::find(functions.begin(), functions.end(), function) != functions.end()) continue;
      functions.push_back(function);
      std::vector<const Function*> named;
      for (const Instruction& instruction : function->instructions)
        for_each_operand(instruction.operands, [&](const Operand& operand) {
          if (!names_something(operand) || operand.name.empty()) return;
          names.insert(operand.name);
          const Function* other = operand.symbol_table == Operand::SymbolTable::module_function
                                      ? module_.find_function(operand.name)
                                      : nullptr;
          if (other && !other->is_declaration) named.push_back(other);
        });
      open.insert(open.end(), named.rbegin(), named.rend());
    }
  }
  const Module& module_;
};

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// take() moves the used static shared variables of a list into the block and returns the offset of each.
struct Block {
  Variable variable{.name = shared_block, .space = ptx::Space::shared, .type = ptx::Type::b8, .elements = 0};
  std::size_t joined = 0;

  std::map<std::string, std::uint64_t> take(std::vector<Variable>& from, const std::set<std::string>& used) {
    std::map<std::string, std::uint64_t> places;
    std::erase_if(from, [&](const Variable& one) {
      if (!is_static_shared(one) || !used.contains(one.name)) return false;
      const std::uint64_t at = aligned(variable.elements, std::max(one.alignment, 1u));
      places[one.name] = at;
      variable.elements = at + one.bytes();
      variable.alignment = std::max(variable.alignment, one.alignment);
      ++joined;
      return true;
    });
    return places;
  }
};

constexpr std::uint32_t linkers_alignment = 16;  // of dynamic shared memory, whatever its variables need

// What the kernel's dynamic shared memory needs, or the linker's if that is more.
std::uint32_t dynamic_alignment(const Module& module, const Reach& reach) {
  std::uint32_t alignment = linkers_alignment;
  const auto raise = [&](const std::vector<Variable>& variables) {
    for (const Variable& one : variables)
      if (one.space == ptx::Space::shared && one.bytes() == 0 && reach.names.contains(one.name))
        alignment = std::max(alignment, one.alignment);
  };
  raise(module.variables);
  for (const Function* function : reach.functions) raise(function->variables);
  return alignment;
}

void move_names(Function& function, const std::map<std::string, std::uint64_t>& places, Operand::SymbolTable table) {
  if (places.empty()) return;
  for (Instruction& instruction : function.instructions)
    for_each_operand(instruction.operands, [&](Operand& operand) {
      if (!names_something(operand) || operand.symbol_table != table) return;
      const auto found = places.find(operand.name);
      if (found == places.end()) return;
      operand.name = shared_block;
      operand.integer += static_cast<std::int64_t>(found->second);
      operand.symbol_table = Operand::SymbolTable::module;
    });
}

}  // namespace

Module with_one_shared_block(const Module& module, const Function& kernel) {
  const Reach reach(module, kernel);
  for (const Variable& variable : module.variables)
    for (const Variable::Reference& reference : variable.references)
      if (std::any_of(module.variables.begin(), module.variables.end(),
                      [&](const Variable& one) { return one.name == reference.symbol && is_static_shared(one); }))
        return module;  // a table holds the variable's address, to which no offset can be added
  Module joined = module;
  Block block;
  const auto of_module = block.take(joined.variables, reach.names);
  for (Function& function : joined.functions) move_names(function, of_module, Operand::SymbolTable::module);
  bool of_called = false;
  for (const Function* reached : reach.functions) {
    Function& function = joined.functions[static_cast<std::size_t>(reached - module.functions.data())];
    const auto own = block.take(function.variables, reach.names);
    of_called = of_called || (!own.empty() && reached != &kernel);
    move_names(function, own, Operand::SymbolTable::function);
  }
  const std::uint32_t behind = dynamic_alignment(module, reach);
  const bool aligns = behind > linkers_alignment && block.joined > 0;
  if (block.joined < 2 && !of_called && !aligns) return module;
  if (aligns) {
    block.variable.alignment = std::max(block.variable.alignment, behind);
    block.variable.elements = aligned(block.variable.elements, behind);
  }
  block.variable.dimensions = {block.variable.elements};
  joined.variables.push_back(std::move(block.variable));
  return joined;
}

}  // namespace lanescope::instrument
