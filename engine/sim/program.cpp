// prepare(): collects the functions and variables that a kernel reaches, assigns addresses, and decodes the functions.

#include <algorithm>
#include <set>

#include "core/source_name.h"
#include "core/worded.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "sim/decode/decoder.h"
#include "sim/decode/local_layout.h"
#include "sim/launch.h"
#include "sim/memory/address_space.h"

namespace lanescope::sim {

namespace {

using ptx::Operand;
using ptx::Space;
using Table = ptx::Operand::SymbolTable;

constexpr std::uint64_t max_constant_bytes = 64 * 1024;  // CUDA programming guide, technical specifications

Diagnostic error(std::string code, SourcePlace place, Wording message, Wording cure) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.place = std::move(place);
  diagnostic.message = std::move(message);
  diagnostic.cure = std::move(cure);
  return diagnostic;
}

// The same whichever kernel runs.
std::uint64_t address_in_module(const ptx::Module& module, const ptx::Function& function) {
  const auto index = static_cast<std::uint64_t>(&function - module.functions.data());
  return address_space::functions + (index + 1) * address_space::function_bytes;
}

void put_address(std::vector<std::byte>& contents, const ptx::Variable::Reference& reference, std::uint64_t value) {
  value += static_cast<std::uint64_t>(reference.addend);
  for (std::uint64_t byte = 0; byte < reference.bytes; ++byte)
    if (reference.offset + byte < contents.size())
      contents[reference.offset + byte] = static_cast<std::byte>(value >> (8 * byte));
}

std::vector<std::byte> initialiser_of(const ptx::Variable& variable) {
  std::vector<std::byte> contents(variable.bytes());
  const std::size_t given = std::min(variable.initial.size(), contents.size());
  for (std::size_t i = 0; i < given; ++i) contents[i] = std::byte{variable.initial[i]};
  return contents;
}

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const ptx::Module& module, const VariablePlaces* places = nullptr)
      : program_(std::make_shared<Program>()), places_(places) {
    program_->module = module;
  }

  Result<std::shared_ptr<const Program>> build(const std::string& kernel_name);

 private:
  using Function = ptx::Function;

  std::optional<Diagnostic> find_kernel(const std::string& name);
  std::optional<Diagnostic> too_much_constant_memory() const;
  void reach(const Function& function);
  void visit_operand(const Function& user, const ptx::Instruction& at, const Operand& operand);
  void reach_function(const std::string& name, const ptx::Instruction* at);
  void reach_what_pointers_may_name();
  void reach_variable(const ptx::Variable& variable);
  std::vector<const ptx::Variable*> shared_variables() const;
  void place_shared();
  void place_variables();
  void fill_initial(VariablePlace& place);
  const LocalLayout& local_of(const Function& function);
  SymbolAddress address_of(const Function& user, const Operand& operand);
  std::uint64_t function_address(const std::string& name) const;

  std::shared_ptr<Program> program_;
  const VariablePlaces* places_;  // places of the module's variables, if other programs share them
  std::vector<std::unique_ptr<cfg::ControlFlowGraph>> graphs_;  // parallel to Program::functions
  std::vector<const ptx::Variable*> reached_variables_;
  std::set<const ptx::Variable*> known_variables_;
  std::map<const ptx::Variable*, std::uint64_t> address_;
  std::map<const Function*, LocalLayout> local_;
  Diagnostics errors_;
};

std::optional<Diagnostic> ProgramBuilder::find_kernel(const std::string& name) {
  program_->kernel = program_->module.find_function(name);
  if (program_->kernel != nullptr && program_->kernel->is_entry && !program_->kernel->is_declaration)
    return std::nullopt;
  std::string known;
  for (const Function& function : program_->module.functions)
    if (function.is_entry) known += (known.empty() ? "" : ", ") + function.name;
  return error("launch.no_such_kernel", {program_->module.name, 0, 0}, worded("there is no kernel \"{}\"", name),
               known.empty() ? "Mark a function with __global__." : worded("Choose one of these: {}.", known));
}

// Counts as ptxas does: all of the module's constant memory, whichever kernel reads it.
std::optional<Diagnostic> ProgramBuilder::too_much_constant_memory() const {
  std::uint64_t end = 0;
  const ptx::Variable* largest = nullptr;
  for (const ptx::Variable& variable : program_->module.variables) {
    if (variable.space != Space::constant) continue;
    end = address_space::align_up(end, std::max<std::uint64_t>(variable.alignment, 1)) + variable.bytes();
    if (largest == nullptr || variable.bytes() > largest->bytes()) largest = &variable;
  }
  if (end <= max_constant_bytes) return std::nullopt;
  return error("compile.constant_too_large", {program_->module.name, 0, 0},
               worded("the __constant__ variables take {} bytes; the limit is {} (`{}` alone has {})", end,
                      max_constant_bytes, source_name(largest->name), largest->bytes()),
               "Pass the large ones as buffers, or declare them __device__ const.");
}

void ProgramBuilder::reach_variable(const ptx::Variable& variable) {
  if (!known_variables_.insert(&variable).second) return;
  reached_variables_.push_back(&variable);
  for (const ptx::Variable::Reference& reference : variable.references) {
    bool is_variable = false;
    for (const ptx::Variable& other : program_->module.variables)
      if (other.name == reference.symbol) {
        reach_variable(other);
        is_variable = true;
      }
    if (!is_variable) reach_function(reference.symbol, nullptr);
  }
}

void ProgramBuilder::reach_function(const std::string& name, const ptx::Instruction* at) {
  const Function* function = program_->module.find_function(name);
  if (function == nullptr || function->is_declaration) {
    // Device functions can be called, but they have no address here.
    if (at != nullptr && at->opcode == ptx::opcodes::call && device_function(name) != DeviceFunction::none) return;
    SourcePlace place{program_->module.name, 0, 0};
    if (at != nullptr) place = place_of(program_->module, *at, "");
    for (const Diagnostic& known : errors_)
      if (known.code == "run.unresolved_function" && known.place == place) return;
    errors_.push_back(error(
        "run.unresolved_function", place, worded("the function \"{}\" is declared but not defined", source_name(name)),
        name.starts_with("__cudaCDP") ? "The kernel of this run cannot launch others: remove the <<<…>>> line. A whole "
                                        "program with main(), whose kernels launch kernels, runs with `exec`."
                                      : "Define it in the same source file."));
    return;
  }
  for (const auto& known : program_->functions)
    if (known->source == function) return;
  reach(*function);
}

void ProgramBuilder::visit_operand(const Function& user, const ptx::Instruction& at, const Operand& operand) {
  for (const Operand& element : operand.elements) visit_operand(user, at, element);
  if (operand.kind != Operand::Kind::symbol && operand.kind != Operand::Kind::address) return;
  const auto index = static_cast<std::size_t>(operand.symbol);
  switch (operand.symbol_table) {
    case Table::module:
      reach_variable(program_->module.variables[index]);
      break;
    case Table::module_function:
      reach_function(operand.name, &at);
      break;
    case Table::function:
      if (const Space space = user.variables[index].space;
          space == Space::shared || space == Space::global || space == Space::constant)
        reach_variable(user.variables[index]);
      break;
    default:
      break;
  }
}

void ProgramBuilder::reach(const Function& function) {
  auto code = std::make_unique<FunctionCode>();
  code->source = &function;
  code->index = static_cast<std::int32_t>(program_->functions.size());
  code->address = places_ != nullptr
                      ? address_in_module(program_->module, function)
                      : address_space::functions + (program_->functions.size() + 1) * address_space::function_bytes;
  program_->functions.push_back(std::move(code));
  graphs_.push_back(std::make_unique<cfg::ControlFlowGraph>(cfg::build(function)));
  const cfg::ControlFlowGraph& graph = *graphs_.back();
  const std::vector<bool> reached = reachable_blocks(graph);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    if (!reached[b]) continue;
    for (std::int32_t i = graph.blocks[b].first; i < graph.blocks[b].end; ++i) {
      const ptx::Instruction& instruction = function.instructions[static_cast<std::size_t>(i)];
      for (const Operand& operand : instruction.operands) visit_operand(function, instruction, operand);
    }
  }
}

// A function pointer may come from another kernel of the module through a variable. So if any function is called by
// address, all functions whose address is taken anywhere are prepared.
void ProgramBuilder::reach_what_pointers_may_name() {
  const auto calls_by_address = [](const auto& code) { return !code->source->call_prototypes.empty(); };
  if (std::ranges::none_of(program_->functions, calls_by_address)) return;
  const auto reach_defined = [&](const std::string& name) {
    const Function* function = program_->module.find_function(name);
    if (function != nullptr && !function->is_declaration && !function->is_entry) reach_function(name, nullptr);
  };
  for (const ptx::Variable& variable : program_->module.variables)
    for (const ptx::Variable::Reference& reference : variable.references) reach_defined(reference.symbol);
  for (const Function& function : program_->module.functions)
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.opcode == ptx::opcodes::call) continue;
      for (const Operand& operand : instruction.operands)
        if (operand.symbol_table == Table::module_function) reach_defined(operand.name);
    }
}

// In the order in which ptxas places them: the module's variables, the kernel's, those of called functions; each in
// order of declaration.
std::vector<const ptx::Variable*> ProgramBuilder::shared_variables() const {
  std::vector<const ptx::Variable*> found;
  const auto add = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& variable : variables)
      if (variable.space == Space::shared && known_variables_.contains(&variable)) found.push_back(&variable);
  };
  add(program_->module.variables);
  for (const auto& function : program_->functions) add(function->source->variables);
  return found;
}

// The static shared memory of all functions is contiguous. Dynamic shared memory starts after it.
void ProgramBuilder::place_shared() {
  std::uint64_t end = 0;
  std::uint64_t dynamic_alignment = 1;  // 16 at least if there is dynamic shared memory, as ptxas counts
  const std::vector<const ptx::Variable*> variables = shared_variables();
  for (const ptx::Variable* variable : variables) {
    if (variable->bytes() == 0) {
      dynamic_alignment = std::max<std::uint64_t>({16, dynamic_alignment, variable->alignment});
      continue;
    }
    end = address_space::align_up(end, std::max<std::uint64_t>(variable->alignment, 1));
    address_[variable] = end;
    end += variable->bytes();
  }
  end = address_space::align_up(end, end == 0 ? 1 : dynamic_alignment);
  for (const ptx::Variable* variable : variables)
    if (variable->bytes() == 0) address_[variable] = end;
  program_->static_shared_bytes = static_cast<std::uint32_t>(end);
  for (const bool dynamic : {false, true})
    for (const ptx::Variable* variable : variables)
      if ((variable->bytes() == 0) == dynamic) program_->shared.push_back({variable, address_[variable]});
}

std::uint64_t ProgramBuilder::function_address(const std::string& name) const {
  const Function* function = program_->module.find_function(name);
  for (const auto& known : program_->functions)
    if (known->source == function) return known->address;
  return 0;
}

void ProgramBuilder::place_variables() {
  std::uint64_t next = address_space::variables;
  for (const ptx::Variable* variable : reached_variables_) {
    if (variable->space != Space::global && variable->space != Space::constant) continue;
    next = address_space::align_up(next, std::max<std::uint64_t>(variable->alignment, address_space::alignment));
    if (places_ != nullptr) {
      if (const auto place = places_->find(variable->name); place != places_->end()) address_[variable] = place->second;
      continue;
    }
    address_[variable] = next;
    program_->variables.push_back({variable, next, {}});
    next += variable->bytes() + 4096;
  }
  for (VariablePlace& place : program_->variables) fill_initial(place);
}

void ProgramBuilder::fill_initial(VariablePlace& place) {
  const ptx::Variable& variable = *place.variable;
  place.initial = initialiser_of(variable);
  for (const ptx::Variable::Reference& reference : variable.references) {
    std::uint64_t value = function_address(reference.symbol);
    for (const auto& [other, address] : address_)
      if (other->name == reference.symbol) {
        value = address;
        if (reference.generic && other->space == Space::shared) value += address_space::shared_window;
      }
    put_address(place.initial, reference, value);
  }
}

const LocalLayout& ProgramBuilder::local_of(const Function& function) {
  const auto [place, is_new] = local_.try_emplace(&function);
  if (is_new) place->second = local_layout(function);
  return place->second;
}

SymbolAddress ProgramBuilder::address_of(const Function& user, const Operand& operand) {
  const auto index = static_cast<std::size_t>(operand.symbol);
  const auto placed = [&](const ptx::Variable& variable) {
    const auto found = address_.find(&variable);
    return found == address_.end() ? SymbolAddress{0, false, false}
                                   : SymbolAddress{found->second, false, true, variable.space == Space::shared};
  };
  switch (operand.symbol_table) {
    case Table::module:
      return placed(program_->module.variables[index]);
    case Table::module_function:
      return {function_address(operand.name), false, true};
    case Table::parameter:
      if (user.is_entry) return {user.parameters[index].offset, false, true};
      for (const LocalCopy& copy : local_of(user).copies)
        if (copy.parameter == index) return {copy.offset, true, true};
      break;
    case Table::function:
      if (const auto offset = local_of(user).variables[index]) return {*offset, true, true};
      return placed(user.variables[index]);
    default:
      break;
  }
  return {0, false, false};
}

Result<std::shared_ptr<const Program>> ProgramBuilder::build(const std::string& kernel_name) {
  if (auto error = find_kernel(kernel_name)) return *error;
  if (auto error = too_much_constant_memory()) return *error;
  reach(*program_->kernel);
  if (places_ != nullptr) reach_what_pointers_may_name();
  if (!errors_.empty()) return std::move(errors_);
  place_shared();
  place_variables();
  for (std::size_t i = 0; i < program_->functions.size(); ++i) {
    const auto resolve = [&](const Function& user, const Operand& operand) {
      SymbolAddress address = address_of(user, operand);
      if (!address.known && errors_.empty())
        errors_.push_back(error("run.unsupported_instruction", {program_->module.name, user.ptx_line, 0},
                                worded("the address of \"{}\" in function \"{}\" cannot be taken in the interpreter",
                                       operand.name, user.name),
                                "Copy the parameter to a local variable first."));
      return address;
    };
    FunctionDecoder decoder(*program_, *program_->functions[i], *graphs_[i], resolve);
    decoder.decode(errors_);
  }
  if (!errors_.empty()) return std::move(errors_);
  find_what_lies_ahead(*program_, graphs_);
  return std::shared_ptr<const Program>(program_);
}

}  // namespace

Result<std::shared_ptr<const Program>> prepare(const ptx::Module& module, const std::string& mangled_kernel) {
  return ProgramBuilder(module).build(mangled_kernel);
}

Result<std::shared_ptr<const Program>> prepare(const ptx::Module& module, const std::string& mangled_kernel,
                                               const VariablePlaces& places) {
  return ProgramBuilder(module, &places).build(mangled_kernel);
}

std::vector<std::byte> initial_contents(const ptx::Module& module, const ptx::Variable& variable,
                                        const VariablePlaces& places) {
  std::vector<std::byte> contents = initialiser_of(variable);
  for (const ptx::Variable::Reference& reference : variable.references) {
    std::uint64_t value = 0;
    if (const auto place = places.find(reference.symbol); place != places.end())
      value = place->second;
    else if (const ptx::Function* function = module.find_function(reference.symbol))
      value = address_in_module(module, *function);
    put_address(contents, reference, value);
  }
  return contents;
}

std::vector<SharedPlace> shared_places(const Program& program) {
  return program.shared;
}

std::uint32_t static_shared_bytes(const Program& program) {
  return program.static_shared_bytes;
}
const ptx::Function& kernel_of(const Program& program) {
  return *program.kernel;
}
const ptx::Module& module_of(const Program& program) {
  return program.module;
}

const FunctionCode* Program::function_at(std::uint64_t address) const {
  for (const auto& function : functions)
    if (function->address == address) return function.get();
  return nullptr;
}

}  // namespace lanescope::sim
