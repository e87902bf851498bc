#include "ptx/body.h"

#include <fmt/format.h>

#include "core/worded.h"
#include "ptx/declarations.h"
#include "ptx/named_opcodes.h"

namespace lanescope::ptx {

using SymbolTable = Operand::SymbolTable;

BodyParser::BodyParser(Reader& reader, Locations& locations, const Names& module_names, Module& module,
                       Function& function)
    : reader_(reader), locations_(locations), module_(module), function_(function), scopes_(function, module_names) {
  declare_parameters(function.results, SymbolTable::result);
  declare_parameters(function.parameters, SymbolTable::parameter);
}

void BodyParser::declare_parameters(std::vector<Parameter>& list, SymbolTable table) {
  std::int32_t index = 0;
  for (Parameter& parameter : list) {
    if (!parameter.in_register) {
      scopes_.declare_parameter(parameter.name, {false, table, index++});
      continue;
    }
    parameter.reg = static_cast<RegisterId>(function_.registers.size());
    scopes_.declare_register(made_names_.emplace_back(parameter.name), parameter.type);
    parameter.name = function_.registers[parameter.reg].name;
    ++index;
  }
}

void BodyParser::parse() {
  locations_.begin_function();
  reader_.advance();  // {
  while (!reader_.gave_up()) {
    if (reader_.at_end()) {
      reader_.unexpected(worded("the '}}' that ends '{}'", function_.name));
      return;
    }
    if (reader_.accept('{')) {
      scopes_.open();
    } else if (reader_.at('}')) {
      const bool was_nested = scopes_.close();
      if (!was_nested && function_.instructions.empty()) add_return();
      reader_.advance();
      if (!was_nested) break;
    } else if (const char* begin = reader_.position(); !statement()) {
      skip_statement(begin);
    }
  }
  resolve_labels();
  resolve_lists();
}

// A body without an instruction returns at its end, as ptxas assembles it.
void BodyParser::add_return() {
  Instruction& added = function_.instructions.emplace_back();
  added.opcode = opcodes::ret;
  added.ptx_line = reader_.token().line;
  added.source = locations_.current();
}

// Skips to the end of the statement that began at `begin`. A brace at the start of a line belongs to a scope, not to a
// vector.
void BodyParser::skip_statement(const char* begin) {
  if (reader_.position() != begin && (reader_.just_passed(';') || reader_.just_passed(':'))) return;
  while (!reader_.at_end() && !reader_.at(';')) {
    if (reader_.at_line_start() && (reader_.at('}') || reader_.at('{'))) return;
    reader_.advance();
  }
  reader_.accept(';');
}

bool BodyParser::statement() {
  if (reader_.token().kind == Token::Kind::dotted) return directive();
  if (reader_.at('@')) {
    Guard present;
    if (!guard(present)) return false;
    const auto mnemonic = reader_.identifier("an instruction");
    return mnemonic && instruction(*mnemonic, present);
  }
  const auto first = reader_.identifier("an instruction");
  if (!first) return false;
  if (reader_.accept(':')) return labelled(*first);
  return instruction(*first, {});
}

bool BodyParser::labelled(const Token& name) {
  if (reader_.accept_dotted("branchtargets")) return branch_targets(name);
  if (reader_.accept_dotted("callprototype")) return call_prototype(name);
  if (reader_.accept_dotted("calltargets")) return call_targets(name);
  if (scopes_.declare_label(name.text)) return true;
  return reader_.fail(name, "duplicate", worded("the label '{}' is defined twice", name.text));
}

bool BodyParser::directive() {
  const Token word = reader_.token();
  reader_.advance();
  if (word.text == "reg") return registers();
  if (word.text == "loc") return locations_.parse(reader_);
  if (word.text == "param") return variables(Space::param);
  if (word.text == "local") return variables(Space::local);
  if (word.text == "shared") return variables(Space::shared);
  if (word.text == "global") return variables(Space::global);
  if (word.text == "const") return variables(Space::constant);
  if (word.text == "pragma") {
    const Token text = reader_.token();
    if (text.kind != Token::Kind::string) return reader_.unexpected("a string");
    reader_.advance();
    function_.pragmas.push_back({static_cast<std::int32_t>(function_.instructions.size()), std::string(text.text)});
    return reader_.expect(';');
  }
  return reader_.fail(word, "unknown_directive", worded("unknown directive '.{}' in a body", word.text));
}

bool BodyParser::registers() {
  const int elements = reader_.accept_dotted("v2") ? 2 : reader_.accept_dotted("v4") ? 4 : 1;
  const auto type = reader_.type();
  if (!type) return false;
  do {
    const auto name = reader_.identifier("a register's name");
    if (!name) return false;
    if (elements > 1) {
      if (!(reader_.at('<') ? vector_range(*name, *type, elements)
                            : vector_register(*name, name->text, *type, elements)))
        return false;
    } else if (reader_.at('<')) {
      if (!register_range(*name, *type)) return false;
    } else if (!scopes_.declare_register(name->text, *type)) {
      return reader_.fail(*name, "duplicate", worded("'{}' is declared twice", name->text));
    }
  } while (reader_.accept(','));
  return reader_.expect(';');
}

// The elements are registers of their own.
bool BodyParser::vector_register(const Token& name, std::string_view vector, Type type, int elements) {
  for (const char element : std::string_view("xyzw").substr(0, static_cast<std::size_t>(elements)))
    if (!scopes_.declare_register(made_names_.emplace_back(element_name(vector, element)), type))
      return reader_.fail(name, "duplicate", worded("'{}' is declared twice", vector));
  return true;
}

bool BodyParser::vector_range(const Token& prefix, Type type, int elements) {
  const auto count = range_count(prefix);
  if (!count) return false;
  for (std::size_t i = 0; i < *count; ++i)
    if (!vector_register(prefix, fmt::format("{}{}", prefix.text, i), type, elements)) return false;
  return true;
}

// `<12>` after a register's name.
std::optional<std::size_t> BodyParser::range_count(const Token& prefix) {
  reader_.advance();
  const auto count = reader_.unsigned_number("a number of registers");
  if (!count || !reader_.expect('>')) return std::nullopt;
  if (*count <= max_registers && function_.registers.size() + *count <= max_registers) return *count;
  reader_.fail(prefix, "syntax", worded("more than {} registers", max_registers));
  return std::nullopt;
}

bool BodyParser::register_range(const Token& prefix, Type type) {
  const auto count = range_count(prefix);
  if (!count) return false;
  if (scopes_.declare_range(prefix.text, type, static_cast<std::uint32_t>(*count))) return true;
  return reader_.fail(prefix, "duplicate", worded("'{}<…>' is declared twice", prefix.text));
}

// A .global or .const variable of a body lives as long as the module, so it becomes one of its variables.
bool BodyParser::variables(Space space) {
  const bool stays = space == Space::global || space == Space::constant;
  std::vector<Variable>& list = stays ? module_.variables : function_.variables;
  std::vector<Token> names;
  std::size_t index = list.size();
  const bool ok = parse_variables(reader_, space, "", list, names);
  for (const Token& token : names) {
    const Entity entity{false, stays ? SymbolTable::module : SymbolTable::function, static_cast<std::int32_t>(index)};
    if (!scopes_.declare(token.text, entity))
      return reader_.fail(token, "duplicate", worded("'{}' is declared twice", token.text));
    list[index++].name = scopes_.unique_name(stays ? fmt::format("{}${}", function_.name, token.text) : token.text);
  }
  return ok;
}

bool BodyParser::declare_list(const Token& name, SymbolTable table, std::size_t index) {
  if (scopes_.declare(name.text, {false, table, static_cast<std::int32_t>(index)})) return true;
  return reader_.fail(name, "duplicate", worded("'{}' is declared twice", name.text));
}

bool BodyParser::branch_targets(const Token& name) {
  const std::size_t index = function_.branch_targets.size();
  if (!declare_list(name, SymbolTable::branch_targets, index)) return false;
  function_.branch_targets.push_back({scopes_.unique_name(name.text), {}, {}});
  PendingList pending{index, scopes_.current(), {}};
  do {
    const auto label = reader_.identifier("a label");
    if (!label) return false;
    pending.names.push_back(*label);
  } while (reader_.accept(','));
  pending_lists_.push_back(std::move(pending));
  return reader_.expect(';');
}

bool BodyParser::call_prototype(const Token& name) {
  if (!declare_list(name, SymbolTable::call_prototype, function_.call_prototypes.size())) return false;
  CallPrototype& prototype = function_.call_prototypes.emplace_back();
  prototype.name = scopes_.unique_name(name.text);
  if (reader_.at('(') && !parse_parameters(reader_, prototype.results)) return false;
  const auto placeholder = reader_.identifier("'_'");
  if (!placeholder) return false;
  if (reader_.at('(') && !parse_parameters(reader_, prototype.parameters)) return false;
  prototype.no_return = reader_.accept_dotted("noreturn");
  for (const char* directive : {"abi_preserve", "abi_preserve_control"}) {
    if (!reader_.accept_dotted(directive)) continue;
    const auto registers = reader_.unsigned_number("a number");
    if (!registers) return false;
    prototype.directives.push_back(fmt::format(".{} {}", directive, *registers));
  }
  return reader_.expect(';');
}

bool BodyParser::call_targets(const Token& name) {
  if (!declare_list(name, SymbolTable::call_targets, function_.call_targets.size())) return false;
  CallTargets& targets = function_.call_targets.emplace_back();
  targets.name = scopes_.unique_name(name.text);
  do {
    const auto callee = reader_.identifier("a function's name");
    if (!callee) return false;
    const auto entity = scopes_.find(callee->text);
    if (!entity || entity->table != SymbolTable::module_function)
      return reader_.fail(*callee, "undeclared", worded("'{}' is not a function", callee->text));
    targets.functions.emplace_back(callee->text);
  } while (reader_.accept(','));
  return reader_.expect(';');
}

std::int32_t BodyParser::label_index(std::int32_t scope, const Token& name) {
  const std::int32_t label = scopes_.find_label(scope, name.text);
  if (label < 0) reader_.fail(name, "undeclared", worded("there is no label '{}'", name.text));
  return label;
}

void BodyParser::resolve_labels() {
  for (const PendingOperand& pending : pending_operands_) {
    Operand& operand = function_.instructions[pending.instruction].operands[pending.operand];
    if (operand.kind == Operand::Kind::label && operand.symbol_table == SymbolTable::none) {
      const std::int32_t label = label_index(pending.scope, pending.name);
      if (label < 0) continue;
      operand.name = function_.labels[static_cast<std::size_t>(label)].name;
      operand.target = function_.labels[static_cast<std::size_t>(label)].target;
      continue;
    }
    const auto entity = scopes_.find_symbol(pending.scope, pending.name.text);
    const auto index = entity ? static_cast<std::size_t>(entity->index) : 0;
    if (entity && entity->table == SymbolTable::branch_targets && operand.kind == Operand::Kind::label) {
      operand.name = function_.branch_targets[index].name;
    } else if (entity && operand.kind == Operand::Kind::symbol && entity->table == SymbolTable::call_prototype) {
      operand.name = function_.call_prototypes[index].name;
    } else if (entity && operand.kind == Operand::Kind::symbol && entity->table == SymbolTable::call_targets) {
      operand.name = function_.call_targets[index].name;
    } else if (entity && operand.kind == Operand::Kind::symbol && entity->table == SymbolTable::module) {
      operand.name = pending.name.text;  // a table of functions: `.global .u64 table[2] = {f, g};`
    } else {
      reader_.fail(pending.name, "undeclared",
                   worded("'{}' does not name a list that is allowed here", pending.name.text));
      continue;
    }
    operand.symbol_table = entity->table;
    operand.symbol = entity->index;
  }
}

void BodyParser::resolve_lists() {
  for (const PendingList& pending : pending_lists_) {
    BranchTargets& list = function_.branch_targets[pending.list];
    for (const Token& name : pending.names) {
      const std::int32_t label = label_index(pending.scope, name);
      if (label < 0) continue;
      list.labels.push_back(function_.labels[static_cast<std::size_t>(label)].name);
      list.targets.push_back(function_.labels[static_cast<std::size_t>(label)].target);
    }
  }
}

}  // namespace lanescope::ptx
