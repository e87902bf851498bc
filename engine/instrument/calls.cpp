#include "instrument/calls.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "ptx/named_opcodes.h"

namespace lanescope::instrument {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Operand;
using ptx::Parameter;

// A value that is passed to a recorded function, and the registers that receive it.
struct Argument {
  const char* name;
  const char* value;  // as a 64-bit operand
  bool pair;
};
constexpr Argument arguments[] = {
    {"lanescope_records", "%lanescope_d0", false},
    {"lanescope_place", "{%lanescope_r2, %lanescope_r13}", true},
    {"lanescope_counts", "{%lanescope_r1, %lanescope_r14}", true},
};
// The registers that a recorded function returns, 32 bits each.
constexpr std::array<const char*, 3> results = {"%lanescope_r2", "%lanescope_r1", "%lanescope_r14"};

std::uint64_t places_offset(const Function& plain) {
  return plain.results.empty() ? 0 : (plain.results.front().bytes() + 3) / 4 * 4;
}

// The result of a recorded copy: the function's own result, if any, followed by the place.
Parameter result_with_places(const Function& plain) {
  Parameter result{.name = "lanescope_result", .alignment = 4};
  if (!plain.results.empty()) {
    result = plain.results.front();
    result.alignment = std::max({4u, result.alignment, static_cast<std::uint32_t>(ptx::bytes_of(result.type))});
  }
  result.type = ptx::Type::b8;
  result.elements = places_offset(plain) + 4 * results.size();
  result.is_array = true;
  return result;
}

// By default a called function preserves sixteen registers for its caller and allocates its own from register 32 on.
// With recording, functions then used 60 registers instead of 40, which halved the resident warps. A function whose
// arguments do not fit into the twelve argument registers gets no directive: with it, all of them would be passed in
// registers instead of on the stack.
std::vector<std::string> preserved_registers(const ptx::Module& module, const std::vector<Parameter>& parameters) {
  constexpr std::uint64_t register_bytes = 12 * 4;
  std::uint64_t bytes = 0;
  for (const Parameter& parameter : parameters) bytes = (bytes + parameter.bytes() + 7) / 8 * 8;
  const bool known = module.version_major >= 9 && architecture_of(module.target) >= 80;
  return known && bytes <= register_bytes ? std::vector<std::string>{".abi_preserve 8"} : std::vector<std::string>{};
}

void note_symbols(const Operand& operand, std::set<std::string>& names) {
  if (operand.kind == Operand::Kind::symbol || operand.kind == Operand::Kind::address) names.insert(operand.name);
  for (const Operand& element : operand.elements) note_symbols(element, names);
}

bool is_direct(const Instruction& call) {
  return call.operands.front().kind == Operand::Kind::symbol;
}

// Functions whose address is taken anywhere in the module, by code or by a table.
std::vector<const Function*> functions_with_address(const ptx::Module& module) {
  std::set<std::string> names;
  for (const Function& function : module.functions)
    for (const Instruction& instruction : function.instructions) {
      const bool calls = instruction.opcode == ptx::opcodes::call && is_direct(instruction);
      for (std::size_t i = calls ? 1 : 0; i < instruction.operands.size(); ++i)
        note_symbols(instruction.operands[i], names);
      for (const Operand& operand : instruction.call_arguments) note_symbols(operand, names);
    }
  for (const ptx::Variable& variable : module.variables)
    for (const auto& reference : variable.references) names.insert(reference.symbol);
  std::vector<const Function*> found;
  for (const std::string& name : names)
    if (const Function* function = module.find_function(name);
        function && !function->is_declaration && !function->is_entry)
      found.push_back(function);
  return found;
}

// The prototype of a recorded copy.
ptx::CallPrototype prototype_of(const ptx::Module& module, const Function& plain, int index) {
  ptx::CallPrototype prototype{.name = fmt::format("lanescope_prototype_{}", index),
                               .results = {result_with_places(plain)},
                               .parameters = plain.parameters};
  for (std::size_t i = 0; i < std::size(arguments); ++i) prototype.parameters.push_back({.type = ptx::Type::b64});
  prototype.directives = preserved_registers(module, prototype.parameters);
  for (auto* list : {&prototype.results, &prototype.parameters})
    for (Parameter& parameter : *list) parameter.name = "_";
  return prototype;
}

bool same_sizes(const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Parameter& one, const Parameter& other) { return one.bytes() == other.bytes(); });
}

}  // namespace

int architecture_of(const std::string& target) {
  int number = 0;
  const std::size_t digits = target.find('_') + 1;  // sm_90, sm_90a, sm_100
  std::from_chars(target.data() + digits, target.data() + target.size(), number);
  return number;
}

std::string recorded_name(const std::string& function) {
  return function + "_lanescope_recorded";
}

Calls::Calls(const ptx::Module& module, const Function& kernel)
    : module_(module), kernel_(kernel), address_taken_(functions_with_address(module)) {
  std::vector<const Function*> open{&kernel};
  while (!open.empty()) {
    const Function* caller = open.back();
    open.pop_back();
    for (const Instruction& instruction : caller->instructions)
      for (const Function* callee : callees(*caller, instruction)) {
        any_through_pointer_ = any_through_pointer_ || !is_direct(instruction);
        if (recorded_.insert(callee->name).second) open.push_back(callee);
      }
  }
}

std::vector<const Function*> Calls::callees(const Function& caller, const Instruction& instruction) const {
  if (instruction.opcode != ptx::opcodes::call) return {};
  std::vector<const Function*> found;
  const auto add = [&](const std::string& name) {
    if (const Function* function = module_.find_function(name); function && !function->is_declaration)
      found.push_back(function);
  };
  if (is_direct(instruction)) {
    add(instruction.operands.front().name);
    return found;
  }
  const Operand& list = instruction.operands.at(1);
  const auto index = static_cast<std::size_t>(list.symbol);
  if (list.symbol_table == Operand::SymbolTable::call_targets) {
    for (const std::string& name : caller.call_targets.at(index).functions) add(name);
    return found;
  }
  if (list.symbol_table == Operand::SymbolTable::module) {  // a table of functions
    for (const ptx::Variable::Reference& entry : module_.variables.at(index).references) add(entry.symbol);
    return found;
  }
  const ptx::CallPrototype& prototype = caller.call_prototypes.at(index);
  std::copy_if(address_taken_.begin(), address_taken_.end(), std::back_inserter(found), [&](const Function* function) {
    return same_sizes(function->parameters, prototype.parameters) && same_sizes(function->results, prototype.results);
  });
  return found;
}

Diagnostics Calls::refusals() const {
  Diagnostics all = refusals_in(kernel_);
  for (const std::string& name : recorded_)
    for (Diagnostic& one : refusals_in(*module_.find_function(name))) all.push_back(std::move(one));
  return all;
}

Diagnostics Calls::refusals_in(const Function& function) const {
  Diagnostics found;
  std::set<std::string> results_so_far;
  for (const Instruction& instruction : function.instructions) {
    const std::vector<const Function*> targets = callees(function, instruction);
    if (targets.empty()) continue;
    const auto is_variable = [](const Operand& operand) { return operand.kind == Operand::Kind::symbol; };
    const auto& results = instruction.call_results;
    const bool one_result =
        results.size() <= 1 &&
        std::all_of(targets.begin(), targets.end(), [](const Function* target) { return target->results.size() <= 1; });
    const bool by_register = std::any_of(targets.begin(), targets.end(), [](const Function* target) {
      return std::ranges::any_of(target->parameters, &Parameter::in_register) ||
             std::ranges::any_of(target->results, &Parameter::in_register);
    });
    const bool handed =
        one_result && !by_register && !instruction.guard.present() &&
        std::all_of(results.begin(), results.end(), is_variable) &&
        std::all_of(instruction.call_arguments.begin(), instruction.call_arguments.end(), is_variable) &&
        (results.empty() || results_so_far.insert(results.front().name).second);
    if (!handed)
      found.push_back(
          {.code = "instrument.unsupported",
           .place = {module_.name, instruction.ptx_line, 0},
           .message = "This call cannot be recorded on the GPU: it is predicated, passes registers, or shares its "
                      "result variable with another call.",
           .cure = "Branch around the call, and give its arguments and result .param variables of their own, as "
                   "NVIDIA's compilers do."});
  }
  return found;
}

void add_places(Function& function, const ptx::Module& module) {
  function.name = recorded_name(function.name);
  for (const Argument& argument : arguments)
    function.parameters.push_back({.name = argument.name, .type = ptx::Type::b64});
  function.results = {result_with_places(function)};
  std::erase_if(function.directives,
                [](const std::string& directive) { return directive.starts_with(".abi_preserve"); });
  for (std::string& directive : preserved_registers(module, function.parameters))
    function.directives.push_back(std::move(directive));
}

std::string take_places() {
  std::string text = "\tmov.u32 %lanescope_r15, %lanemask_lt;\n";
  for (const Argument& argument : arguments)
    text += argument.pair ? fmt::format("\tld.param.b64 %lanescope_d3, [{}];\n\tmov.b64 {}, %lanescope_d3;\n",
                                        argument.name, argument.value)
                          : fmt::format("\tld.param.b64 {}, [{}];\n", argument.value, argument.name);
  text += "\tmad.wide.u32 %lanescope_d1, %lanescope_r13, 16, %lanescope_d0;\n";
  return text;
}

std::string give_places_back(const Function& plain) {
  const std::string name = result_with_places(plain).name;
  std::string text;
  std::uint64_t at = places_offset(plain);
  for (const char* value : results) text += fmt::format("\tst.param.b32 [{}+{}], {};\n", name, at, value), at += 4;
  return text;
}

HandingCall handing_call(const std::vector<const Function*>& callees, const ptx::Module& module, const Function& caller,
                         const Instruction& call, int index) {
  const Function& callee = *callees.front();
  HandingCall out{.call = call};
  const auto variable = [&](const std::string& name, ptx::Type type, std::uint32_t alignment) {
    return ptx::Variable{.name = name, .space = ptx::Space::param, .type = type, .alignment = alignment};
  };
  const auto symbol = [](const std::string& name) {
    Operand operand;
    operand.kind = Operand::Kind::symbol;
    operand.name = name;
    return operand;
  };
  if (is_direct(call)) {
    out.call.operands.front().name = recorded_name(callee.name);
  } else {
    const std::string& pointer = caller.registers[call.operands.front().reg].name;
    out.before = fmt::format("\tmov.b64 %lanescope_d5, {};\n", pointer);
    for (const Function* one : callees)
      out.before += fmt::format(
          "\tmov.u64 %lanescope_d4, {};\n\tsetp.eq.u64 %lanescope_p0, {}, %lanescope_d4;\n"
          "\tmov.u64 %lanescope_d4, {};\n\tselp.b64 %lanescope_d5, %lanescope_d4, %lanescope_d5, %lanescope_p0;\n",
          one->name, pointer, recorded_name(one->name));
    out.prototypes = {prototype_of(module, callee, index)};
    out.call.operands = {symbol("%lanescope_d5"), symbol(out.prototypes.front().name)};
  }
  for (const Argument& argument : arguments) {
    const std::string name = fmt::format("{}_{}", argument.name, index);
    out.variables.push_back(variable(name, ptx::Type::b64, 8));
    if (argument.pair) out.before += fmt::format("\tmov.b64 %lanescope_d3, {};\n", argument.value);
    out.before += fmt::format("\tst.param.b64 [{}], {};\n", name, argument.pair ? "%lanescope_d3" : argument.value);
    out.call.call_arguments.push_back(symbol(name));
  }
  const Parameter result = result_with_places(callee);
  out.result = fmt::format("lanescope_result_{}", index);
  ptx::Variable& holder = out.variables.emplace_back(variable(out.result, result.type, result.alignment));
  holder.elements = result.elements;
  holder.dimensions = {result.elements};
  if (!call.call_results.empty()) out.plain_result = call.call_results.front().name;
  out.call.call_results = {symbol(out.result)};
  std::uint64_t at = places_offset(callee);
  for (const char* value : results)
    out.after += fmt::format("\tld.param.b32 {}, [{}+{}];\n", value, out.result, at), at += 4;
  return out;
}

}  // namespace lanescope::instrument
