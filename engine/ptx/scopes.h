#pragma once
// The names of one body. Nested scopes are flattened into the function's tables: a name that is already used gets a new
// one (name$1), so that the printed function has a single scope.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// What a name stands for: a register, or an entry of a symbol table.
struct Entity {
  bool is_register = false;
  Operand::SymbolTable table = Operand::SymbolTable::none;
  std::int32_t index = -1;
};
using Names = std::unordered_map<std::string_view, Entity>;

class Scopes {
 public:
  // Adds to `function`. `module_names` are visible in every scope and never reused.
  Scopes(Function& function, const Names& module_names);

  void open();
  bool close();  // false: only the outermost scope is open
  bool nested() const { return current_ != 0; }
  std::int32_t current() const { return current_; }

  // Return false if the scope already has the name. Names must outlive this object.
  bool declare_register(std::string_view name, Type type);
  bool declare_range(std::string_view prefix, Type type, std::uint32_t count);
  bool declare_label(std::string_view name);
  bool declare(std::string_view name, Entity entity);

  // The innermost entity with this name. A register is added to Function::registers at its first use.
  std::optional<Entity> find(std::string_view name);
  // The same for names other than registers, from a scope that may already be closed.
  std::optional<Entity> find_symbol(std::int32_t scope, std::string_view name) const;
  // Index in Function::labels, or -1.
  std::int32_t find_label(std::int32_t scope, std::string_view name) const;

  // Declares a parameter or result, which keeps its name.
  void declare_parameter(std::string_view name, Entity entity);

  // A name that the function does not use yet: `name`, or `name$1`, …. The name is then reserved.
  std::string unique_name(std::string_view name);

 private:
  struct Local {
    Entity entity;
    Type type = Type::none;  // of a register
  };
  struct Range {
    std::uint32_t count = 0;
    std::int32_t first = -1;  // register index of element 0; -1: the registers were renamed, so each has its own
    std::vector<std::int32_t> indices;
  };
  struct Scope {
    std::int32_t parent = -1;
    std::unordered_map<std::string_view, Local> names;
    std::unordered_map<std::string_view, Range> ranges;         // `%r<12>` under "%r"
    std::unordered_map<std::string_view, std::int32_t> labels;  // index in Function::labels
  };

  bool is_used(std::string_view name) const;
  bool overlaps_used(std::string_view prefix, std::uint32_t count) const;
  std::int32_t add_register(std::string name, Type type);

  Function& function_;
  const Names& module_names_;
  std::vector<Scope> scopes_;  // kept after closing: labels are looked up at the end
  std::int32_t current_ = 0;
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string_view, std::uint32_t> used_ranges_;
  std::unordered_map<std::string, std::uint32_t> last_suffix_;
};

}  // namespace lanescope::ptx
