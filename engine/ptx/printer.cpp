// Prints a module so that parsing the text gives the same module.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/file_name_in_ptx.h"
#include "ptx/module.h"
#include "ptx/named_opcodes.h"
#include "ptx/names.h"
#include "ptx/opcode_table.h"
#include "ptx/register_part.h"

namespace lanescope::ptx {
namespace {

using Kind = Operand::Kind;

// Maps names of inlined functions to their labels in .debug_str, in order of first use.
class DebugStrings {
 public:
  std::string label(const std::string& name) {
    const auto [place, is_new] = labels_.try_emplace(name, order_.size());
    if (is_new) order_.push_back(&place->first);
    return fmt::format("$L__info_string{}", place->second);
  }

  void print(std::string& out) const {
    if (order_.empty()) return;
    out += "\t.section\t.debug_str\n\t{\n";
    for (std::size_t i = 0; i < order_.size(); ++i) {
      fmt::format_to(std::back_inserter(out), "$L__info_string{}:\n.b8 ", i);
      for (const char c : *order_[i]) fmt::format_to(std::back_inserter(out), "{},", static_cast<unsigned char>(c));
      out += "0\n";
    }
    out += "\t}\n";
  }

 private:
  std::map<std::string, std::size_t> labels_;
  std::vector<const std::string*> order_;
};

class Printer {
 public:
  Printer(std::string& out, const Module& module) : out_(out), module_(module) {}

  void module();
  void function(const Function& function);
  void instruction(const Function& function, const Instruction& instruction);

 private:
  template <typename... Values>
  void write(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Values>(values)...);
  }

  void header();
  void forward_declarations();
  void signature(const Function& function);
  void body(const Function& function);
  void parameters(const std::vector<Parameter>& list, std::string_view separator);
  bool is_before(int major, int minor) const;
  void variable(const Variable& variable);
  void initialiser(const Variable& variable, std::size_t depth, std::uint64_t begin, std::uint64_t end);
  void element(const Variable& variable, std::uint64_t at);
  void registers(const Function& function);
  void lists(const Function& function);
  void place_of(const Instruction& instruction);
  void location(const SourceLocation& location);
  void operand(const Function& function, const Operand& operand);
  void operands(const Function& function, const std::vector<Operand>& list);
  void offset(std::int64_t offset);

  std::string& out_;
  const Module& module_;
  DebugStrings debug_strings_;

  // Location of the last instruction printed in the current function.
  SourceLocation last_location_;
  // The call chains as Locations (locations.h) will read them.
  std::map<std::tuple<int, int, int>, std::int32_t> chains_;
};

void Printer::module() {
  header();
  forward_declarations();
  for (const Function& declaration : module_.functions)
    if (declaration.is_declaration) function(declaration);
  for (const Variable& v : module_.variables) variable(v);
  if (!module_.variables.empty()) out_ += '\n';
  for (const Function& definition : module_.functions)
    if (!definition.is_declaration) function(definition);
  for (const Module::Alias& alias : module_.aliases) write(".alias {}, {};\n", alias.name, alias.target);
  for (std::size_t i = 1; i < module_.files.size(); ++i)
    if (!module_.files[i].empty()) write("\t.file\t{} \"{}\"\n", i, escaped_name(module_.files[i]));
  debug_strings_.print(out_);
}

void Printer::header() {
  write(".version {}.{}\n.target {}\n", module_.version_major, module_.version_minor, module_.target);
  if (!is_before(2, 3)) write(".address_size {}\n", module_.address_size);
  for (const std::string& pragma : module_.pragmas) write(".pragma \"{}\";\n", pragma);
  out_ += '\n';
}

// Variables are printed before all definitions, so functions that their initial values refer to are declared first.
void Printer::forward_declarations() {
  std::unordered_set<std::string_view> wanted, declared;
  for (const Variable& v : module_.variables)
    for (const Variable::Reference& reference : v.references) wanted.insert(reference.symbol);
  for (const Function& f : module_.functions)
    if (f.is_declaration) declared.insert(f.name);
  for (const Function& f : module_.functions)
    if (!f.is_declaration && wanted.contains(f.name) && declared.insert(f.name).second) {
      Function declaration = f;
      declaration.is_declaration = true;
      declaration.directives.clear();
      signature(declaration);
      out_ += "\n;\n\n";
    }
}

void Printer::signature(const Function& function) {
  if (!function.linkage.empty()) write("{} ", function.linkage);
  out_ += function.is_entry ? ".entry " : ".func ";
  if (!function.attribute.empty()) write("{} ", function.attribute);
  if (!function.results.empty()) {
    out_ += '(';
    parameters(function.results, ", ");
    out_ += ") ";
  }
  write("{}(", function.name);
  if (!function.parameters.empty()) {
    out_ += "\n\t";
    parameters(function.parameters, ",\n\t");
    out_ += '\n';
  }
  out_ += ')';
  for (const std::string& directive : function.directives) write("\n{}", directive);
}

void Printer::function(const Function& function) {
  signature(function);
  if (function.is_declaration) {
    out_ += "\n;\n\n";
    return;
  }
  out_ += "\n{\n";
  body(function);
  out_ += "}\n\n";
}

void Printer::parameters(const std::vector<Parameter>& list, std::string_view separator) {
  bool first = true;
  for (const Parameter& parameter : list) {
    if (!first) out_ += separator;
    first = false;
    if (parameter.in_register) {
      write(".reg .{} {}", name_of(parameter.type), parameter.name);
      continue;
    }
    out_ += ".param ";
    if (parameter.alignment > static_cast<std::uint32_t>(bytes_of(parameter.type)) || parameter.is_array)
      write(".align {} ", parameter.alignment);
    write(".{} ", name_of(parameter.type));
    if (!parameter.pointer.empty()) write("{} ", parameter.pointer);
    out_ += parameter.name;
    if (parameter.is_array && parameter.elements == 0)
      out_ += "[]";
    else if (parameter.is_array)
      write("[{}]", parameter.elements);
  }
}

// Whether the module's version of PTX is an earlier one.
bool Printer::is_before(int major, int minor) const {
  return std::pair(module_.version_major, module_.version_minor) < std::pair(major, minor);
}

void Printer::variable(const Variable& variable) {
  if (variable.type_name == "texref" && is_before(1, 5)) return write(".tex .u64 {};\n", variable.name);
  if (!variable.linkage.empty()) write("{} ", variable.linkage);
  write(".{} ", name_of(variable.space));
  if (!variable.attribute.empty()) write("{} ", variable.attribute);
  write(".align {} ", variable.alignment);
  if (variable.vector_width > 1) write(".v{} ", variable.vector_width);
  write(".{} {}", variable.type_name.empty() ? name_of(variable.type) : variable.type_name.c_str(), variable.name);
  for (const std::uint64_t extent : variable.dimensions) {
    if (extent == 0)
      out_ += "[]";
    else
      write("[{}]", extent);
  }
  if (!variable.initial.empty()) {
    out_ += " = ";
    initialiser(variable, 0, 0, variable.initial.size());
  }
  out_ += ";\n";
}

bool is_blank(const Variable& variable, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t i = begin; i < end; ++i)
    if (variable.initial[i] != 0) return false;
  for (const Variable::Reference& reference : variable.references)
    if (reference.offset >= begin && reference.offset < end) return false;
  return true;
}

// Trailing zeros are left out. The scalars of a vector are written like those of an array.
void Printer::initialiser(const Variable& variable, std::size_t depth, std::uint64_t begin, std::uint64_t end) {
  const bool is_vector = variable.vector_width > 1;
  if (depth >= variable.dimensions.size() + is_vector) return element(variable, begin);
  std::uint64_t inner = static_cast<std::uint64_t>(bytes_of(variable.type));
  for (std::size_t i = depth + 1; i < variable.dimensions.size(); ++i) inner *= variable.dimensions[i];
  if (depth < variable.dimensions.size()) inner *= variable.vector_width;
  out_ += '{';
  while (end > begin + inner && is_blank(variable, end - inner, end)) end -= inner;
  for (std::uint64_t at = begin; at < end; at += inner) {
    if (at != begin) out_ += ", ";
    initialiser(variable, depth + 1, at, at + inner);
  }
  out_ += '}';
}

void Printer::element(const Variable& variable, std::uint64_t at) {
  for (const Variable::Reference& reference : variable.references) {
    if (reference.offset != at) continue;
    if (reference.mask != 0) write("0x{:x}(", reference.mask);
    write("{}{}{}", reference.generic ? "generic(" : "", reference.symbol, reference.generic ? ")" : "");
    if (reference.addend != 0) offset(reference.addend);
    if (reference.mask != 0) out_ += ')';
    return;
  }
  std::uint64_t bits = 0;
  const auto bytes = std::min(8, bytes_of(variable.type));
  std::memcpy(&bits, variable.initial.data() + at, static_cast<std::size_t>(bytes));
  if (variable.type == Type::f32)
    write("0f{:08X}", bits);
  else if (variable.type == Type::f64)
    write("0d{:016X}", bits);
  else if (is_signed(variable.type))
    write("{}", static_cast<std::int64_t>(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
  else
    write("{}", bits);
}

// Runs such as %r0, %r1, %r2 become %r<3>.
void Printer::registers(const Function& function) {
  const auto& list = function.registers;
  const auto is_element = [&](std::size_t index, std::string_view prefix, std::size_t number) {
    return index < list.size() && list[index].name.starts_with(prefix) &&
           list[index].name.substr(prefix.size()) == std::to_string(number);
  };
  const auto declared = std::ranges::count_if(function.results, &Parameter::in_register) +
                        std::ranges::count_if(function.parameters, &Parameter::in_register);
  for (auto i = static_cast<std::size_t>(declared); i < list.size();) {
    const std::string& name = list[i].name;
    std::size_t count = 1;
    write("\t.reg .{} ", name_of(list[i].type));
    if (name.size() > 1 && name.back() == '0' && !(name[name.size() - 2] >= '0' && name[name.size() - 2] <= '9')) {
      const std::string_view prefix(name.data(), name.size() - 1);
      while (is_element(i + count, prefix, count) && list[i + count].type == list[i].type) ++count;
      write("{}<{}>;\n", prefix, count);
    } else {
      write("{};\n", name);
    }
    i += count;
  }
}

void Printer::body(const Function& function) {
  last_location_ = {};
  chains_.clear();
  registers(function);
  for (const Variable& v : function.variables) {
    out_ += '\t';
    variable(v);
  }
  lists(function);

  std::size_t next_label = 0, next_pragma = 0;
  for (std::size_t i = 0; i <= function.instructions.size(); ++i) {
    const auto here = [&](std::int32_t place) { return static_cast<std::size_t>(place) <= i; };
    for (; next_label < function.labels.size() && here(function.labels[next_label].target); ++next_label)
      write("{}:\n", function.labels[next_label].name);
    for (; next_pragma < function.pragmas.size() && here(function.pragmas[next_pragma].at); ++next_pragma)
      write("\t.pragma \"{}\";\n", function.pragmas[next_pragma].text);
    if (i == function.instructions.size()) break;
    place_of(function.instructions[i]);
    out_ += '\t';
    instruction(function, function.instructions[i]);
    out_ += '\n';
  }
}

// The lists that indirect branches and calls refer to. They precede the instructions.
void Printer::lists(const Function& function) {
  for (const BranchTargets& targets : function.branch_targets)
    write("{}: .branchtargets {};\n", targets.name, fmt::join(targets.labels, ", "));
  for (const CallPrototype& prototype : function.call_prototypes) {
    write("{}: .callprototype ", prototype.name);
    if (!prototype.results.empty()) {
      out_ += '(';
      parameters(prototype.results, ", ");
      out_ += ") ";
    }
    out_ += "_ (";
    parameters(prototype.parameters, ", ");
    write("){}", prototype.no_return ? " .noreturn" : "");
    for (const std::string& directive : prototype.directives) write(" {}", directive);
    write(";\n");
  }
  for (const CallTargets& targets : function.call_targets)
    write("{}: .calltargets {};\n", targets.name, fmt::join(targets.functions, ", "));
}

void Printer::place_of(const Instruction& instruction) {
  const SourceLocation& place = instruction.source;
  if (std::tie(place.file, place.line, place.column, place.inlined_at) !=
      std::tie(last_location_.file, last_location_.line, last_location_.column, last_location_.inlined_at))
    location(place);
}

// An inlined location names its call site, and the call site's chain is that of the last .loc there. So the chain is
// written from the outside in, starting where it differs from the chain in force.
void Printer::location(const SourceLocation& place) {
  std::vector<SourceLocation> chain{place};
  while (chain.back().inlined_at >= 0) {
    const SourceLocation& site = module_.inlined_locations[static_cast<std::size_t>(chain.back().inlined_at)];
    const auto known = chains_.find({site.file, site.line, site.column});
    if (known != chains_.end() && known->second == site.inlined_at) break;
    chain.push_back(site);
  }
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    write("\t.loc\t{} {} {}", at->file, at->line, at->column);
    if (at->inlined_at >= 0) {
      const auto index = static_cast<std::size_t>(at->inlined_at);
      const SourceLocation& site = module_.inlined_locations[index];
      write(", function_name {}, inlined_at {} {} {}", debug_strings_.label(module_.inlined_functions[index]),
            site.file, site.line, site.column);
    }
    out_ += '\n';
    chains_[{at->file, at->line, at->column}] = at->inlined_at;
  }
  last_location_ = place;
}

void Printer::instruction(const Function& function, const Instruction& instruction) {
  if (instruction.guard.present())
    write("@{}{} ", instruction.guard.negated ? "!" : "", function.registers[instruction.guard.predicate].name);
  out_ += name_of(instruction.opcode);
  for (const std::string& modifier : instruction.modifiers) write(".{}", modifier);
  if (instruction.opcode != opcodes::call) {
    if (!instruction.operands.empty()) out_ += ' ';
    operands(function, instruction.operands);
  } else {
    out_ += ' ';
    if (!instruction.call_results.empty()) {
      out_ += '(';
      operands(function, instruction.call_results);
      out_ += "), ";
    }
    operand(function, instruction.operands.front());
    if (!instruction.call_arguments.empty() || instruction.operands.size() > 1) {
      out_ += ", (";
      operands(function, instruction.call_arguments);
      out_ += ')';
    }
    if (instruction.operands.size() > 1) write(", {}", instruction.operands[1].name);
  }
  out_ += ';';
}

void Printer::operands(const Function& function, const std::vector<Operand>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out_ += list[i].paired ? "|" : ", ";
    operand(function, list[i]);
  }
}

void Printer::offset(std::int64_t offset) {
  if (offset != 0) write("+{}", offset);
}

// %tid, which the parser reads as {%tid.x, %tid.y, %tid.z, 0}: ptxas takes no special register in braces.
bool is_special_vector(const Operand& vector) {
  const auto& list = vector.elements;
  if (list.size() != 4 || list[3].kind != Operand::Kind::integer || list[3].integer != 0) return false;
  const auto name = [&](std::size_t i) {
    return list[i].kind == Operand::Kind::special ? std::string_view(name_of(list[i].special)) : std::string_view();
  };
  const std::string_view first = name(0);
  if (!first.ends_with(".x")) return false;
  const std::string base(first.substr(0, first.size() - 1));
  return name(1) == base + "y" && name(2) == base + "z";
}

void Printer::operand(const Function& function, const Operand& operand) {
  switch (operand.kind) {
    case Kind::reg:
      if (operand.negated) out_ += function.registers[operand.reg].type == Type::pred ? '!' : '-';
      out_ += function.registers[operand.reg].name;
      if (const std::string lanes = selector_text(operand); !lanes.empty())
        write(".{}", lanes);
      else if (const RegisterPart part = part_of(operand); part != RegisterPart::whole)
        write(".{}", name_of(part));
      break;
    case Kind::integer:
      write("{}", operand.integer);
      break;
    case Kind::real:
      if (operand.type == Type::f32)
        write("0f{:08X}", static_cast<std::uint32_t>(operand.integer));
      else
        write("0d{:016X}", static_cast<std::uint64_t>(operand.integer));
      break;
    case Kind::special:
      out_ += name_of(operand.special, operand.integer);
      break;
    case Kind::symbol:
      out_ += operand.name;
      offset(operand.integer);
      break;
    case Kind::address:
      out_ += '[';
      if (operand.reg != no_register) {
        out_ += function.registers[operand.reg].name;
        offset(operand.integer);
      } else if (!operand.name.empty()) {
        out_ += operand.name;
        offset(operand.integer);
      } else {
        write("{}", operand.integer);
      }
      for (const Operand& element : operand.elements) {
        out_ += ", ";
        this->operand(function, element);
      }
      out_ += ']';
      break;
    case Kind::vector:
      if (is_special_vector(operand)) {
        const std::string_view name = name_of(operand.elements.front().special);
        out_ += name.substr(0, name.rfind('.'));
        break;
      }
      out_ += '{';
      operands(function, operand.elements);
      out_ += '}';
      break;
    case Kind::label:
      out_ += operand.name;
      break;
    case Kind::sink:
      out_ += '_';
      break;
  }
}

}  // namespace

std::string print(const Module& module) {
  std::string out;
  Printer(out, module).module();
  return out;
}

std::string print(const Module& module, const Function& function) {
  std::string out;
  Printer(out, module).function(function);
  return out;
}

std::string print(const Module& module, const Function& function, const Instruction& instruction) {
  std::string out;
  Printer(out, module).instruction(function, instruction);
  return out;
}

}  // namespace lanescope::ptx
