// The part of BodyParser that reads instructions and their operands according to the columns of opcodes.def.
#include "ptx/instruction.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/os/installation.h"
#include "core/worded.h"
#include "ptx/body.h"
#include "ptx/declarations.h"
#include "ptx/names.h"
#include "ptx/operand_types.h"
#include "ptx/register_part.h"
#include "ptx/requirements.h"

namespace lanescope::ptx {

using SymbolTable = Operand::SymbolTable;

bool BodyParser::guard(Guard& guard) {
  reader_.advance();  // @
  guard.negated = reader_.accept('!');
  const auto name = reader_.identifier("a predicate");
  if (!name) return false;
  const auto entity = scopes_.find(name->text);
  if (!entity || !entity->is_register)
    return reader_.fail(*name, "undeclared", worded("there is no register '{}'", name->text));
  guard.predicate = static_cast<RegisterId>(entity->index);
  if (function_.registers[guard.predicate].type != Type::pred)
    return reader_.fail(*name, "operands", worded("'{}' is not a predicate", name->text));
  return true;
}

bool BodyParser::instruction(const Token& mnemonic, Guard guard) {
  Instruction instruction;
  if (!opcode(instruction, mnemonic)) return false;
  instruction.guard = guard;
  instruction.ptx_line = mnemonic.line;
  instruction.source = locations_.current();
  function_.instructions.push_back(std::move(instruction));
  // Pending operands refer to their instruction by index, so it must be in place before they are read.
  sums_.clear();
  if (operands(function_.instructions.back(), mnemonic)) {
    if (!sums_.empty()) insert_sums();
    return true;
  }
  function_.instructions.pop_back();
  while (!pending_operands_.empty() && pending_operands_.back().instruction == function_.instructions.size())
    pending_operands_.pop_back();
  return false;
}

bool BodyParser::opcode(Instruction& instruction, const Token& mnemonic) {
  const char* end = mnemonic.text.data() + mnemonic.text.size();
  while (reader_.token().kind == Token::Kind::dotted) {
    instruction.modifiers.emplace_back(reader_.token().text);
    end = reader_.token().text.data() + reader_.token().text.size();
    reader_.advance();
  }
  const std::string_view written(mnemonic.text.data(), static_cast<std::size_t>(end - mnemonic.text.data()));
  if (const auto known = known_.find(written); known != known_.end()) {
    instruction = known->second;
    return true;
  }

  auto& modifiers = instruction.modifiers;
  if ((mnemonic.text == "bar" || mnemonic.text == "barrier") && !modifiers.empty() && modifiers.front() == "cta")
    modifiers.erase(modifiers.begin());  // the default
  // The manual puts .sync first. CUB writes vote.ballot.sync, which ptxas also accepts.
  if (const auto sync = std::ranges::find(modifiers, "sync"); mnemonic.text == "vote" && sync != modifiers.end())
    std::rotate(modifiers.begin(), sync, sync + 1);
  const auto match = find_opcode(mnemonic.text, modifiers);
  if (!match)
    return reader_.fail(
        mnemonic, "unknown_opcode", worded("unknown instruction '{}'", written.substr(0, 80)),
        worded("If it is a PTX instruction, {} says how to add it.", document("docs/add-an-opcode.md")));
  instruction.opcode = match->opcode;
  modifiers.erase(modifiers.begin(), modifiers.begin() + static_cast<std::ptrdiff_t>(match->words));
  for (const std::string& modifier : modifiers)
    if (!allows_modifier(match->opcode, modifier))
      return reader_.fail(mnemonic, "unknown_modifier",
                          worded("'{}' does not take '.{}'", name_of(match->opcode), modifier));
  understand_modifiers(instruction);
  if (const Wording missing = missing_modifier(instruction); !missing.empty())
    return reader_.fail(mnemonic, "unknown_modifier", worded("'{}' {}", written, missing));
  if (!exists(instruction, mnemonic, written)) return false;
  known_.emplace(written, instruction);
  return true;
}

// Whether the text's target and version have the instruction, as far as its operands are known.
bool BodyParser::exists(const Instruction& instruction, const Token& mnemonic, std::string_view written) {
  std::vector<Unmet> unmet = unmet_requirements(instruction, written, module_);
  for (Unmet& one : unmet) reader_.fail(mnemonic, one.code, std::move(one.message), std::move(one.cure));
  return unmet.empty();
}

bool BodyParser::operands(Instruction& instruction, const Token& mnemonic) {
  const auto wanted = roles(instruction.opcode);
  if (!wanted.empty() && wanted.front().letter == 'c') return call(instruction, mnemonic);
  auto& list = instruction.operands;
  operand_tokens_.clear();
  std::size_t next = 0;
  while (!reader_.at(';')) {
    if (!list.empty() && !reader_.expect(',')) return false;
    if (next == wanted.size()) return count_operands(instruction, mnemonic);
    const char role = wanted[next].letter;
    if (role != '*') ++next;
    operand_tokens_.push_back(reader_.token());
    list.emplace_back();
    if (!operand(list.back(), role)) return false;
    if ((role == 'p' || role == '*') && list.size() == 1 && reader_.accept('|')) {
      operand_tokens_.push_back(reader_.token());
      list.emplace_back();
      list.back().paired = true;
      if (!operand(list.back(), 'd')) return false;
    }
  }
  if (next < wanted.size() && !wanted[next].optional && wanted[next].letter != '*')
    return count_operands(instruction, mnemonic);
  if (const auto problem = operand_problem(function_, instruction))
    return reader_.fail(operand_tokens_[problem->operand], "operands", problem->message, problem->cure);
  if (list.size() > 3 && requires_by_operands(instruction.opcode)) {
    const char* const end = reader_.position();
    const std::string_view text(mnemonic.text.data(), static_cast<std::size_t>(end - mnemonic.text.data()));
    if (!exists(instruction, mnemonic, text)) return false;
  }
  return reader_.expect(';');
}

bool BodyParser::count_operands(const Instruction& instruction, const Token& mnemonic) {
  const auto wanted = roles(instruction.opcode);
  const auto most = wanted.size();
  const auto least =
      static_cast<std::size_t>(std::ranges::count_if(wanted, [](const OperandRole& role) { return !role.optional; }));
  const Wording count = least == most ? Wording(std::to_string(most)) : worded("{} to {}", least, most);
  return reader_.fail(
      mnemonic, "operands",
      most == 0 ? worded("'{}' takes no operands", name_of(instruction.opcode))
                : worded("'{}' takes {} operand{}", name_of(instruction.opcode), count, most == 1 ? "" : "s"));
}

namespace {

// What a role expects, for messages; nullptr if `kind` is allowed.
const char* wanted_by(char role, const Operand& operand) {
  using Kind = Operand::Kind;
  const Kind kind = operand.kind;
  const bool is_plain_register = kind == Kind::reg && !operand.negated;
  const bool is_destination = is_plain_register || kind == Kind::sink;
  const bool is_source =
      is_plain_register || kind == Kind::integer || kind == Kind::real || kind == Kind::special || kind == Kind::symbol;
  switch (role) {
    case 'd':
    case 'p':
      return is_destination ? nullptr : "a destination register";
    case 'D':
      return is_destination || kind == Kind::vector ? nullptr : "a destination register or vector";
    case 'a':
      return is_source ? nullptr : "a register or a number";
    case 'A':
      return is_source || kind == Kind::vector ? nullptr : "a register, a number or a vector";
    case 'n':
      return is_source || kind == Kind::reg ? nullptr : "a register or a number";
    case 'q':
      return kind == Kind::reg || kind == Kind::integer ? nullptr : "a predicate";
    case 'm':
      return kind == Kind::address ? nullptr : "an address in brackets";
    case 'i':
      return kind == Kind::integer ? nullptr : "an integer";
    default:
      return nullptr;
  }
}

}  // namespace

bool BodyParser::operand(Operand& operand, char role) {
  const Token begin = reader_.token();
  if (role == 'l' || role == 't') return later(operand, role);
  bool ok = true;
  if (reader_.at('[')) {
    ok = address(operand);
  } else if (reader_.at('{')) {
    ok = vector(operand, role);
  } else if (begin.kind == Token::Kind::identifier && begin.text != "WARP_SZ") {
    ok = name(operand, role);
    if (ok && operand.kind == Operand::Kind::reg && (role == 'a' || role == 'A' || role == 'n') && reader_.at('+'))
      ok = sum(operand);
    if (ok && role == 'm' && operand.kind == Operand::Kind::symbol && reader_.just_passed(']'))  // array[3]
      operand.kind = Operand::Kind::address;
  } else if (reader_.at_negated_name()) {
    reader_.advance();
    ok = name(operand, role);
    if (ok && operand.kind != Operand::Kind::reg)
      return reader_.fail(begin, "operands", "only a predicate can be negated");
    operand.negated = true;
  } else if (role == 'n' && reader_.at_negated_name('-')) {
    reader_.advance();
    ok = name(operand, role);
    if (ok && operand.kind != Operand::Kind::reg)
      return reader_.fail(begin, "operands", "only a register can have a minus sign");
    operand.negated = true;
  } else {
    ok = constant(operand);
  }
  if (!ok) return false;
  if (const char* wanted = wanted_by(role, operand))
    return reader_.fail(begin, "operands", worded("this operand must be {}", wanted));
  return true;
}

bool BodyParser::constant(Operand& operand) {
  const auto value = reader_.constant();
  if (!value) return false;
  operand.kind = value->is_real ? Operand::Kind::real : Operand::Kind::integer;
  if (value->is_real) operand.type = value->is_double ? Type::f64 : Type::f32;
  operand.integer = static_cast<std::int64_t>(value->bits);
  return true;
}

bool BodyParser::name(Operand& operand, char) {
  const auto name = reader_.identifier("an operand");
  if (!name) return false;
  if (name->text == "_") return true;  // a sink, which is the default
  if (const auto entity = scopes_.find(name->text)) {
    if (entity->is_register) {
      operand.kind = Operand::Kind::reg;
      operand.reg = static_cast<RegisterId>(entity->index);
      return register_part(operand, {});
    }
    operand.kind = Operand::Kind::symbol;
    operand.symbol_table = entity->table;
    operand.symbol = entity->index;
    const auto which = static_cast<std::size_t>(entity->index);
    operand.name = entity->table == SymbolTable::function ? function_.variables[which].name
                   : entity->table == SymbolTable::module ? module_.variables[which].name
                                                          : std::string(name->text);
    return reader_.at('[') ? index(operand) : offset(operand);
  }
  if (special(operand, name->text)) return true;
  if (register_part(operand, name->text)) return true;
  if (of_vector_register(operand, name->text)) return true;
  return reader_.fail(*name, "undeclared", worded("'{}' is not declared", name->text));
}

// A special register. `%tid` is the vector of %tid.x, %tid.y, %tid.z and %tid.w, which is 0.
bool BodyParser::special(Operand& operand, std::string_view name) {
  if (const NumberedSpecial* special = special_named(name)) {
    operand.kind = Operand::Kind::special;
    operand.special = special->special;
    operand.integer = special->number;
    return true;
  }
  const bool is_fourth = name.ends_with(".w");
  const std::string vector(is_fourth ? name.substr(0, name.size() - 2) : name);
  if (special_named(vector + ".x") == nullptr) return false;
  operand.kind = Operand::Kind::integer;
  operand.integer = 0;
  if (is_fourth) return true;
  operand.kind = Operand::Kind::vector;
  for (const char* element : {".x", ".y", ".z", ".w"}) special(operand.elements.emplace_back(), vector + element);
  return true;
}

// A vector register or, as `mx.x` or `mx.r`, an element of one. The lexer gives `%mx.x` as one name.
bool BodyParser::of_vector_register(Operand& operand, std::string_view name) {
  const auto element_of = [](std::string_view word) -> char {
    constexpr std::string_view names = "xyzwrgba";
    const std::size_t at = word.size() == 1 ? names.find(word[0]) : std::string_view::npos;
    return at == std::string_view::npos ? '\0' : names[at % 4];
  };
  const auto is_register = [&](Operand& to, std::string_view vector, char element) {
    const auto entity = scopes_.find(element_name(vector, element));
    if (!entity || !entity->is_register) return false;
    to.kind = Operand::Kind::reg;
    to.reg = static_cast<RegisterId>(entity->index);
    return true;
  };
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos) {
    const char element = element_of(name.substr(dot + 1));
    return element != '\0' && is_register(operand, name.substr(0, dot), element);
  }
  if (reader_.token().kind == Token::Kind::dotted) {
    const char element = element_of(reader_.token().text);
    if (element == '\0' || !is_register(operand, name, element)) return false;
    reader_.advance();
    return true;
  }
  for (const char element : std::string_view("xyzw")) {
    Operand one;
    if (!is_register(one, name, element)) break;
    operand.elements.push_back(std::move(one));
  }
  if (operand.elements.empty()) return false;
  operand.kind = Operand::Kind::vector;
  return true;
}

// Parses `.b2` after a register, if the instruction allows parts of registers, or `.b7410` if it selects lanes. With a
// `name`, which is the lexer's `%r1.b2`: true if it is such a register and part.
bool BodyParser::register_part(Operand& operand, std::string_view name) {
  const auto part_of_this = [&](std::string_view word) -> std::optional<std::int64_t> {
    if (function_.instructions.empty()) return std::nullopt;
    const Instruction& instruction = function_.instructions.back();
    if (!takes_parts(instruction.opcode))
      return selector_named(word, instruction.opcode, instruction.operands.size() - 1);
    const auto part = part_named(word);
    return part ? std::optional(static_cast<std::int64_t>(*part)) : std::nullopt;
  };
  if (name.empty()) {
    if (reader_.token().kind != Token::Kind::dotted) return true;
    if (const auto part = part_of_this(reader_.token().text)) {
      operand.integer = *part;
      reader_.advance();
    }
    return true;
  }
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const auto part = part_of_this(name.substr(dot + 1));
  const auto entity = part ? scopes_.find(name.substr(0, dot)) : std::nullopt;
  if (!entity || !entity->is_register) return false;
  operand.kind = Operand::Kind::reg;
  operand.reg = static_cast<RegisterId>(entity->index);
  operand.integer = *part;
  return true;
}

bool BodyParser::later(Operand& operand, char role) {
  const auto name = reader_.identifier(role == 'l' ? "a label" : "a list's name");
  if (!name) return false;
  operand.kind = role == 'p' ? Operand::Kind::symbol : Operand::Kind::label;
  if (role != 'l')  // a placeholder table until the symbol is resolved
    operand.symbol_table = role == 't' ? SymbolTable::branch_targets : SymbolTable::call_prototype;
  pending_operands_.push_back(
      {function_.instructions.size() - 1, function_.instructions.back().operands.size() - 1, scopes_.current(), *name});
  return true;
}

// `+ 4`, `- 4`, `+ -4`, or nothing, after a symbol or an address's base.
bool BodyParser::offset(Operand& operand) {
  if (!reader_.at('+') && !reader_.at('-')) return true;
  const Token begin = reader_.token();
  const auto value = reader_.constant();
  if (!value) return false;
  if (value->is_real) return reader_.fail(begin, "operands", "an offset must be an integer");
  operand.integer = static_cast<std::int64_t>(value->bits);
  return true;
}

// `+ 5` after a register outside of an address.
bool BodyParser::sum(Operand& operand) {
  const Token plus = reader_.token();
  const Type type = function_.registers[operand.reg].type;
  const int bytes = is_float(type) ? 0 : bytes_of(type);
  if (bytes != 2 && bytes != 4 && bytes != 8)
    return reader_.fail(plus, "operands", "only an integer register of 16, 32 or 64 bits can be part of a sum");
  Instruction add;
  add.modifiers = {bytes == 2 ? "s16" : bytes == 4 ? "s32" : "s64"};
  add.opcode = find_opcode("add", add.modifiers)->opcode;
  understand_modifiers(add);
  add.ptx_line = function_.instructions.back().ptx_line;
  add.source = function_.instructions.back().source;
  std::string name;
  for (std::size_t n = 0; name.empty() || !scopes_.declare_register(made_names_.emplace_back(name), type); ++n)
    name = fmt::format("%sum{}", n);
  add.operands.resize(3);
  add.operands[0].kind = Operand::Kind::reg;
  add.operands[0].reg = static_cast<RegisterId>(scopes_.find(made_names_.back())->index);
  add.operands[1] = operand;
  add.operands[2].kind = Operand::Kind::integer;
  if (!offset(add.operands[2])) return false;
  operand.reg = add.operands[0].reg;
  sums_.push_back(std::move(add));
  return true;
}

// Places sums_ before the last instruction, of which they are a part: a label before it is before them too.
void BodyParser::insert_sums() {
  const std::size_t last = function_.instructions.size() - 1;
  for (PendingOperand& pending : pending_operands_)
    if (pending.instruction == last) pending.instruction += sums_.size();
  function_.instructions.insert(function_.instructions.end() - 1, std::make_move_iterator(sums_.begin()),
                                std::make_move_iterator(sums_.end()));
}

// `[3]` after an array's name: the address of that element.
bool BodyParser::index(Operand& operand) {
  const Token begin = reader_.token();
  reader_.advance();
  const auto value = reader_.constant();
  if (!value || !reader_.expect(']')) return false;
  const Variable* const variable =
      operand.symbol_table == SymbolTable::function ? &function_.variables[static_cast<std::size_t>(operand.symbol)]
      : operand.symbol_table == SymbolTable::module ? &module_.variables[static_cast<std::size_t>(operand.symbol)]
                                                    : nullptr;
  if (value->is_real || variable == nullptr || variable->dimensions.size() != 1)
    return reader_.fail(begin, "operands", "only an array of one dimension can have an index",
                        "Write the address as a sum in bytes: [array + 4].");
  const auto element = static_cast<std::int64_t>(bytes_of(variable->type)) * variable->vector_width;
  operand.integer = static_cast<std::int64_t>(value->bits) * element;
  return true;
}

bool BodyParser::address(Operand& operand) {
  reader_.advance();  // [
  const Token base = reader_.token();
  if (base.kind == Token::Kind::identifier && base.text != "WARP_SZ") {
    if (!name(operand, 'a')) return false;
    if (operand.kind != Operand::Kind::reg && operand.kind != Operand::Kind::symbol)
      return reader_.fail(base, "operands", "an address needs a register or a variable");
    if (operand.kind == Operand::Kind::reg && !offset(operand)) return false;
  } else {
    if (!constant(operand)) return false;
    if (operand.kind != Operand::Kind::integer) return reader_.fail(base, "operands", "an address must be an integer");
  }
  operand.kind = Operand::Kind::address;
  while (reader_.accept(',')) {  // coordinates of a texture or tensor
    operand.elements.emplace_back();
    if (!(reader_.at('{') ? vector(operand.elements.back(), 'A') : this->operand(operand.elements.back(), 'a')))
      return false;
  }
  return reader_.expect(']');
}

bool BodyParser::vector(Operand& operand, char role) {
  operand.kind = Operand::Kind::vector;
  reader_.advance();  // {
  do {
    operand.elements.emplace_back();
    if (reader_.at('{') || reader_.at('[')) return reader_.unexpected("an element");
    if (!this->operand(operand.elements.back(), role == 'D' ? 'd' : role == 'A' ? 'a' : '*')) return false;
  } while (reader_.accept(','));
  return reader_.expect('}');
}

bool BodyParser::call(Instruction& instruction, const Token& mnemonic) {
  if (reader_.at('(')) {
    if (!call_list(instruction.call_results) || !reader_.expect(',')) return false;
  }
  const Token callee = reader_.token();
  instruction.operands.emplace_back();
  if (!name(instruction.operands.back(), 'c')) return false;
  const Operand& target = instruction.operands.front();
  const bool is_direct = target.kind == Operand::Kind::symbol && target.symbol_table == SymbolTable::module_function &&
                         target.integer == 0;
  if (!is_direct && target.kind != Operand::Kind::reg)
    return reader_.fail(callee, "operands", worded("'{}' is neither a function nor a register", callee.text));
  if (reader_.accept(',')) {
    if (reader_.at('(')) {
      if (!call_list(instruction.call_arguments)) return false;
      if (reader_.accept(',')) {
        instruction.operands.emplace_back();
        if (!later(instruction.operands.back(), 'p')) return false;
      }
    } else {
      instruction.operands.emplace_back();
      if (!later(instruction.operands.back(), 'p')) return false;
    }
  }
  if (is_direct == (instruction.operands.size() == 2))
    return reader_.fail(mnemonic, "operands",
                        is_direct ? "a direct call does not take a prototype"
                                  : "an indirect call needs a prototype or a list of targets");
  return reader_.expect(';');
}

bool BodyParser::call_list(std::vector<Operand>& list) {
  reader_.advance();  // (
  if (reader_.accept(')')) return true;
  do {
    list.emplace_back();
    if (!operand(list.back(), '*')) return false;
    if (list.back().kind == Operand::Kind::address) return reader_.unexpected("a parameter");
    // A vector register: its elements, as parse_parameters() has them.
    if (list.back().kind == Operand::Kind::vector) {
      std::vector<Operand> elements = std::move(list.back().elements);
      list.pop_back();
      std::ranges::move(elements, std::back_inserter(list));
    }
  } while (reader_.accept(','));
  return reader_.expect(')');
}

}  // namespace lanescope::ptx
