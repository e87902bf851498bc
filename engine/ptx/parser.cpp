// The module level: directives, function signatures, and references that are resolved at the end of the text.
#include <fmt/format.h>

#include <algorithm>

#include "core/file_name_in_ptx.h"
#include "core/worded.h"
#include "ptx/body.h"
#include "ptx/declarations.h"
#include "ptx/locations.h"
#include "ptx/module.h"
#include "ptx/reader.h"
#include "ptx/whole_module.h"

namespace lanescope::ptx {
namespace {

using SymbolTable = Operand::SymbolTable;

class ModuleParser {
 public:
  ModuleParser(std::string_view text, std::string name) : reader_(text, name), locations_(module_) {
    module_.name = std::move(name);
    module_.files.emplace_back();
  }

  Result<Module> run(bool whole) {
    while (!reader_.at_end() && !reader_.gave_up())
      if (const char* begin = reader_.position(); !statement()) skip_statement(begin);
    if (!reader_.errors().empty()) return reader_.take_errors();
    for (const auto& [missing, directive] :
         {std::pair{module_.version_major == 0, ".version"}, std::pair{module_.target.empty(), ".target"}})
      if (missing)
        reader_.fail_at(1, "syntax", worded("this is not PTX: there is no {}", directive),
                        "Pass the text that NVRTC or nvcc -ptx writes.");
    check_references();
    if (!reader_.errors().empty()) return reader_.take_errors();
    locations_.finish();
    drop_unused_variables(whole);
    return std::move(module_);
  }

 private:
  bool statement();
  void skip_statement(const char* begin);
  bool version();
  bool target();
  bool file();
  bool section();
  bool alias();
  bool variables(Space space, const std::string& linkage);
  bool texture_references();
  // The module's variables from `first` on get these names.
  bool declare(const std::vector<Token>& names, std::size_t first);
  bool linked(std::string linkage);
  bool function(const std::string& linkage, bool is_entry);
  bool function_directives(Function& function);
  bool add_function(const Token& name, Function function);
  void check_references();
  void drop_unused_variables(bool whole);

  Reader reader_;
  Module module_;
  Locations locations_;
  Names names_;
};

// Skips to the end of the statement that began at `begin`: a `;`, or a `}` and the `;` that may follow it.
void ModuleParser::skip_statement(const char* begin) {
  if (reader_.position() != begin && reader_.just_passed(';')) return;
  int depth = 0;
  while (!reader_.at_end()) {
    if (reader_.at('{')) ++depth;
    const bool ends = (reader_.at('}') && --depth <= 0) || (reader_.at(';') && depth <= 0);
    reader_.advance();
    if (ends) break;
  }
  reader_.accept(';');
}

namespace {

// Whether a statement of a module begins with this word, which is not a directive of a function.
bool begins_statement(std::string_view word) {
  static constexpr std::string_view words[] = {"file",  "section", "alias",  "extern", "visible", "weak", "common",
                                               "entry", "func",    "global", "const",  "shared",  "local"};
  return std::ranges::find(words, word) != std::end(words);
}

}  // namespace

bool ModuleParser::statement() {
  const Token word = reader_.token();
  if (word.kind != Token::Kind::dotted) return reader_.unexpected("a directive");
  reader_.advance();
  if (word.text == "version") return version();
  if (word.text == "target") return target();
  if (word.text == "address_size") {
    const auto size = reader_.unsigned_number("32 or 64");
    if (size && *size != 64) return reader_.fail(word, "unsupported", "only 64-bit PTX is supported");
    return size.has_value();
  }
  if (word.text == "file") return file();
  if (word.text == "section") return section();
  if (word.text == "alias") return alias();
  if (word.text == "pragma") {
    if (reader_.token().kind != Token::Kind::string) return reader_.unexpected("a string");
    module_.pragmas.emplace_back(reader_.token().text);
    reader_.advance();
    return reader_.expect(';');
  }
  if (word.text == "extern" || word.text == "visible" || word.text == "weak" || word.text == "common")
    return linked("." + std::string(word.text));
  if (word.text == "entry" || word.text == "func") return function("", word.text == "entry");
  if (word.text == "global") return variables(Space::global, "");
  if (word.text == "const") return variables(Space::constant, "");
  if (word.text == "shared") return variables(Space::shared, "");
  if (word.text == "local") return variables(Space::local, "");
  if (word.text == "tex") return texture_references();
  return reader_.fail(word, "unknown_directive", worded("unknown directive '.{}'", word.text));
}

bool ModuleParser::linked(std::string linkage) {
  const Token word = reader_.token();
  reader_.advance();
  if (word.is_dotted("entry") || word.is_dotted("func")) return function(linkage, word.is_dotted("entry"));
  if (word.is_dotted("global")) return variables(Space::global, linkage);
  if (word.is_dotted("const")) return variables(Space::constant, linkage);
  if (word.is_dotted("shared")) return variables(Space::shared, linkage);
  if (word.is_dotted("local")) return variables(Space::local, linkage);
  return reader_.fail(word, "syntax", worded("'{}' needs a function or a variable after it", linkage));
}

// `.tex .u64 a, b;`, as texture references were declared before `.global .texref`.
bool ModuleParser::texture_references() {
  const auto type = reader_.type();
  if (!type) return false;
  const std::size_t first = module_.variables.size();
  std::vector<Token> names;
  do {
    const auto name = reader_.identifier("a variable's name");
    if (!name) return false;
    Variable& variable = module_.variables.emplace_back();
    variable.name = name->text;
    variable.type = Type::other;
    variable.type_name = "texref";
    names.push_back(*name);
  } while (reader_.accept(','));
  return declare(names, first) && reader_.expect(';');
}

bool ModuleParser::version() {
  const Token number = reader_.token();
  const auto dot = number.text.find('.');
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dot == std::string_view::npos || !digits(number.text.substr(0, dot)) || !digits(number.text.substr(dot + 1)))
    return reader_.unexpected("a version such as 8.5");
  module_.version_major = std::stoi(std::string(number.text.substr(0, dot)));
  module_.version_minor = std::stoi(std::string(number.text.substr(dot + 1)));
  reader_.advance();
  return true;
}

bool ModuleParser::target() {
  do {
    const auto word = reader_.identifier("a target such as sm_90");
    if (!word) return false;
    if (word->text != "debug")  // it requests debug sections, which are not kept
      module_.target.append(module_.target.empty() ? "" : ", ").append(word->text);
  } while (reader_.accept(','));
  return true;
}

bool ModuleParser::file() {
  const Token at = reader_.token();
  const auto number = reader_.unsigned_number("a file's number");
  if (!number) return false;
  if (*number > 65535) return reader_.fail(at, "syntax", "this file number is too large");
  if (reader_.token().kind != Token::Kind::string) return reader_.unexpected("a file's name");
  if (module_.files.size() <= *number) module_.files.resize(*number + 1);
  module_.files[*number] = unescaped_name(reader_.token().text);
  reader_.advance();
  while (reader_.accept(','))  // time and size
    if (!reader_.unsigned_number("a number")) return false;
  return true;
}

bool ModuleParser::section() {
  const Token name = reader_.token();
  if (name.kind != Token::Kind::dotted) return reader_.unexpected("a section's name");
  reader_.advance();
  if (!reader_.at('{')) return reader_.unexpected("'{'");
  if (name.text == "debug_str") {
    reader_.advance();
    locations_.parse_debug_strings(reader_);
  } else {
    reader_.skip_to('}');
  }
  return reader_.expect('}');
}

bool ModuleParser::alias() {
  const auto name = reader_.identifier("a function's name");
  if (!name || !reader_.expect(',')) return false;
  const auto target = reader_.identifier("a function's name");
  if (!target) return false;
  module_.aliases.push_back({std::string(name->text), std::string(target->text)});
  return reader_.expect(';');
}

bool ModuleParser::variables(Space space, const std::string& linkage) {
  std::vector<Token> names;
  const std::size_t first = module_.variables.size();
  const bool ok = parse_variables(reader_, space, linkage, module_.variables, names);
  return declare(names, first) && ok;
}

bool ModuleParser::declare(const std::vector<Token>& names, std::size_t first) {
  auto index = static_cast<std::int32_t>(first);
  for (const Token& name : names) {
    const Entity entity{false, SymbolTable::module, index++};
    const auto [place, is_new] = names_.try_emplace(name.text, entity);
    if (is_new) continue;
    // A variable declared .extern may be defined later.
    if (place->second.table != SymbolTable::module ||
        !module_.variables[static_cast<std::size_t>(place->second.index)].is_extern)
      return reader_.fail(name, "duplicate", worded("'{}' is declared twice", name.text));
    place->second = entity;
  }
  return true;
}

bool ModuleParser::function(const std::string& linkage, bool is_entry) {
  Function function;
  function.linkage = linkage;
  function.is_entry = is_entry;
  function.ptx_line = reader_.token().line;
  if (reader_.accept_dotted("attribute")) {
    function.attribute = ".attribute";
    if (!reader_.parenthesised(function.attribute)) return false;
  }
  if (reader_.at('(') && !parse_parameters(reader_, function.results)) return false;
  const auto name = reader_.identifier("a function's name");
  if (!name) return false;
  function.name = name->text;
  if (reader_.at('(') && !parse_parameters(reader_, function.parameters)) return false;
  function.parameter_bytes = bytes_of(function.parameters);
  if (!function_directives(function)) return false;
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (function.parameters[i].name == function.parameters[j].name)
        return reader_.fail(*name, "duplicate", worded("two parameters are named '{}'", function.parameters[i].name));

  if (is_entry && std::ranges::any_of(function.parameters, &Parameter::in_register))
    return reader_.fail(*name, "syntax", "a kernel's parameters are .param, not .reg");

  // A declaration. nvopencc ended it without a semicolon, which ptxas still takes; then the next statement begins.
  if (reader_.accept(';') || reader_.token().kind == Token::Kind::dotted || reader_.at_end()) {
    function.is_declaration = true;
    return add_function(*name, std::move(function));
  }
  if (!reader_.at('{')) return reader_.unexpected("'{' or ';'");
  if (!add_function(*name, std::move(function))) return false;
  BodyParser(reader_, locations_, names_, module_, module_.functions.back()).parse();
  return true;
}

bool ModuleParser::function_directives(Function& function) {
  while (reader_.token().kind == Token::Kind::dotted) {
    static constexpr std::string_view plain[] = {"noreturn", "explicitcluster", "blocksareclusters"};
    static constexpr std::string_view counted[] = {"maxntid",        "reqntid",      "minnctapersm",
                                                   "maxnctapersm",   "maxnreg",      "reqnctapercluster",
                                                   "maxclusterrank", "abi_preserve", "abi_preserve_control"};
    const Token word = reader_.token();
    if (begins_statement(word.text)) break;
    std::string written = "." + std::string(word.text);
    reader_.advance();
    if (word.text == "pragma") {
      if (reader_.token().kind != Token::Kind::string) return reader_.unexpected("a string");
      written += fmt::format(" \"{}\";", reader_.token().text);
      reader_.advance();
      if (!reader_.expect(';')) return false;
    } else if (std::ranges::find(counted, word.text) != std::end(counted)) {
      std::string_view separator = " ";
      do {
        const auto value = reader_.unsigned_number("a number");
        if (!value) return false;
        written += fmt::format("{}{}", separator, *value);
        separator = ", ";
      } while (reader_.accept(','));
    } else if (std::ranges::find(plain, word.text) == std::end(plain)) {
      return reader_.fail(word, "unknown_directive", worded("unknown directive '.{}' of a function", word.text));
    }
    function.directives.push_back(std::move(written));
  }
  return true;
}

bool ModuleParser::add_function(const Token& name, Function function) {
  const Entity entity{false, SymbolTable::module_function, static_cast<std::int32_t>(module_.functions.size())};
  const auto [place, is_new] = names_.try_emplace(name.text, entity);
  if (!is_new) {
    if (place->second.table != SymbolTable::module_function)
      return reader_.fail(name, "duplicate", worded("'{}' is declared twice", name.text));
    const auto index = static_cast<std::size_t>(place->second.index);
    if (!function.is_declaration && !module_.functions[index].is_declaration)
      return reader_.fail(name, "duplicate", worded("the function '{}' is defined twice", name.text));
    if (!function.is_declaration) place->second = entity;
  }
  module_.functions.push_back(std::move(function));
  return true;
}

// Calls visit(operand) for each operand of the module that may name a symbol, elements of vectors included.
template <typename Visit>
void for_each_operand(std::vector<Operand>& operands, Visit& visit) {
  for (Operand& operand : operands) {
    visit(operand);
    if (!operand.elements.empty()) for_each_operand(operand.elements, visit);
  }
}
template <typename Visit>
void for_each_operand(Module& module, Visit visit) {
  for (Function& function : module.functions)
    for (Instruction& instruction : function.instructions) {
      for_each_operand(instruction.operands, visit);
      for_each_operand(instruction.call_results, visit);
      for_each_operand(instruction.call_arguments, visit);
    }
}

void ModuleParser::check_references() {
  const auto check = [&](const std::vector<Variable>& variables) {
    for (const Variable& variable : variables)
      for (const Variable::Reference& reference : variable.references)
        if (!names_.contains(reference.symbol))
          reader_.fail_at(0, "undeclared",
                          worded("'{}', which '{}' refers to, is not declared", reference.symbol, variable.name));
  };
  check(module_.variables);
  for (const Function& function : module_.functions) check(function.variables);
  for (const Module::Alias& alias : module_.aliases) {
    const auto target = names_.find(alias.target), name = names_.find(alias.name);
    const auto is_function = [&](auto found) {
      return found != names_.end() && found->second.table == SymbolTable::module_function;
    };
    if (is_function(target) && is_function(name))
      name->second = target->second;
    else
      reader_.fail_at(0, "undeclared", worded("the alias '{}' does not name a function", alias.name));
  }
}

// Keeps the variables that a function reaches, directly or through initial values, and those that other modules or the
// host may refer to.
void ModuleParser::drop_unused_variables(bool whole) {
  std::vector<bool> used(module_.variables.size());
  std::vector<std::size_t> reached;
  const auto reach = [&](std::int32_t variable) {
    const auto index = static_cast<std::size_t>(variable);
    if (used[index]) return;
    used[index] = true;
    reached.push_back(index);
  };
  const auto reach_references = [&](const Variable& variable) {
    for (const Variable::Reference& reference : variable.references)
      if (const Entity& entity = names_.at(reference.symbol); entity.table == SymbolTable::module) reach(entity.index);
  };
  // References to a declaration become references to the later definition.
  for_each_operand(module_, [&](Operand& operand) {
    if (operand.symbol_table == SymbolTable::module) {
      // A variable that a body declared is not among the module's names.
      if (const auto known = names_.find(operand.name); known != names_.end()) operand.symbol = known->second.index;
      reach(operand.symbol);
    } else if (operand.symbol_table == SymbolTable::module_function) {
      operand.symbol = names_.at(operand.name).index;
    }
  });
  for (const Function& function : module_.functions)
    for (const Variable& variable : function.variables) reach_references(variable);
  for (std::size_t i = 0; i < module_.variables.size(); ++i) {
    const Variable& one = module_.variables[i];
    const bool has_contents = !one.initial.empty() || !one.references.empty() || !one.attribute.empty();
    if (!one.is_extern && (!one.linkage.empty() || (whole && has_contents))) reach(static_cast<std::int32_t>(i));
  }
  while (!reached.empty()) {
    const std::size_t index = reached.back();
    reached.pop_back();
    reach_references(module_.variables[index]);
  }

  std::vector<std::int32_t> moved(used.size(), -1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    moved[i] = static_cast<std::int32_t>(kept);
    if (kept != i) module_.variables[kept] = std::move(module_.variables[i]);
    ++kept;
  }
  module_.variables.resize(kept);
  for_each_operand(module_, [&](Operand& operand) {
    if (operand.symbol_table == SymbolTable::module) operand.symbol = moved[static_cast<std::size_t>(operand.symbol)];
  });
}

}  // namespace

Result<Module> parse(std::string_view text, std::string name) {
  return ModuleParser(text, std::move(name)).run(false);
}
Result<Module> parse_whole(std::string_view text, std::string name) {
  return ModuleParser(text, std::move(name)).run(true);
}

const Function* Module::find_function(std::string_view mangled_name) const {
  const Function* declaration = nullptr;
  for (const Function& function : functions) {
    if (function.name != mangled_name) continue;
    if (!function.is_declaration) return &function;
    declaration = &function;
  }
  return declaration;
}

}  // namespace lanescope::ptx
