#include "instrument/calls.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lanescope::instrument {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Operand;
using ptx::Parameter;

// What is handed on, and the registers that it is for.
struct Argument {
  const char* name;
  const char* value;  // as an operand of 64 bits
  bool pair;
};
constexpr Argument arguments[] = {
    {"lanescope_region", "%lanescope_d0", false},
    {"lanescope_counter", "%lanescope_d1", false},
    {"lanescope_place", "{%lanescope_r2, %lanescope_r13}", true},
    {"lanescope_counts", "{%lanescope_r1, %lanescope_r14}", true},
};
// What comes back: 32 bits each.
constexpr std::array<const char*, 3> results = {"%lanescope_r2", "%lanescope_r1", "%lanescope_r14"};

std::uint64_t places_offset(const Function& plain) { return plain.results.empty() ? 0 : (plain.results.front().bytes() + 3) / 4 * 4; }

// The function's own result, if any, with the place behind it.
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

bool names_one_of(const Operand& operand, const std::set<std::string>& names) {
  return (operand.kind == Operand::Kind::symbol && names.contains(operand.name)) ||
         std::any_of(operand.elements.begin(), operand.elements.end(), [&](const Operand& element) { return names_one_of(element, names); });
}

bool hands_on(const Function& function, const std::set<std::string>& recorded) {
  std::set<std::string> own_results, other_results;  // variables that calls of recorded functions, and of others, write
  for (const Instruction& instruction : function.instructions) {
    const bool direct = instruction.opcode == ptx::Opcode::call && instruction.operands.front().kind == Operand::Kind::symbol &&
                        recorded.contains(instruction.operands.front().name);
    if (direct && instruction.guard.present()) return false;
    for (std::size_t i = direct ? 1 : 0; i < instruction.operands.size(); ++i)
      if (names_one_of(instruction.operands[i], recorded)) return false;
    for (const auto* list : {&instruction.call_results, &instruction.call_arguments})
      for (const Operand& operand : *list)
        if (names_one_of(operand, recorded) || (direct && operand.kind != Operand::Kind::symbol)) return false;
    for (const Operand& operand : instruction.call_results)
      if (!(direct ? own_results : other_results).insert(operand.name).second && direct) return false;
  }
  return std::none_of(own_results.begin(), own_results.end(), [&](const std::string& name) { return other_results.contains(name); });
}

}  // namespace

bool can_hand_places_on(const ptx::Module& module, const Function& kernel, const std::set<std::string>& recorded) {
  if (!hands_on(kernel, recorded)) return false;
  return std::all_of(recorded.begin(), recorded.end(), [&](const std::string& name) {
    const Function& function = *module.find_function(name);
    return function.results.size() <= 1 && hands_on(function, recorded);
  });
}

void add_places(Function& function) {
  for (const Argument& argument : arguments) function.parameters.push_back({.name = argument.name, .type = ptx::Type::b64});
  function.results = {result_with_places(function)};
}

std::string take_places() {
  std::string text = "\tmov.u32 %lanescope_r15, %laneid;\n";
  for (const Argument& argument : arguments)
    text += argument.pair ? fmt::format("\tld.param.b64 %lanescope_d3, [{}];\n\tmov.b64 {}, %lanescope_d3;\n", argument.name, argument.value)
                          : fmt::format("\tld.param.b64 {}, [{}];\n", argument.value, argument.name);
  return text;
}

std::string give_places_back(const Function& plain) {
  const std::string name = result_with_places(plain).name;
  std::string text;
  std::uint64_t at = places_offset(plain);
  for (const char* value : results) text += fmt::format("\tst.param.b32 [{}+{}], {};\n", name, at, value), at += 4;
  return text;
}

HandingCall handing_call(const Function& callee, const Instruction& call, int index) {
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
  for (const char* value : results) out.after += fmt::format("\tld.param.b32 {}, [{}+{}];\n", value, out.result, at), at += 4;
  return out;
}

}  // namespace lanescope::instrument
