#include "compile/host/host_facts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "compile/host/launch_scan.h"
#include "compile/host/source_scan.h"
#include "compile/host/source_tokens.h"
#include "core/comma_list.h"
#include "core/text.h"

namespace lanescope::compile {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_specifier(std::string_view word) {
  return is_one_of(word, {"static", "const", "constexpr", "inline", "volatile", "register", "extern", "__host__",
                          "__device__", "__forceinline__", "__inline__", "__constant__", "__managed__"});
}
bool is_real_type(std::string_view word) {
  return is_one_of(word, {"float", "double"});
}
bool is_type(std::string_view word) {
  return is_real_type(word) ||
         is_one_of(word, {"int",     "unsigned", "signed",  "long",     "short",     "char",    "bool",    "size_t",
                          "auto",    "dim3",     "uint",    "uint3",    "int8_t",    "uint8_t", "int16_t", "uint16_t",
                          "int32_t", "uint32_t", "int64_t", "uint64_t", "ptrdiff_t", "ssize_t"});
}

class FactFinder {
 public:
  explicit FactFinder(std::string_view text) : code_(blank_non_code(text)), tokens_(tokenise(code_)) {
    find_scopes();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "template") && is(i + 1, "<")) template_parameters(i);
      if (is(i, "{") && i > 0) parameters_before(i);
      if (is(i, "enum")) enumerators(i);
      if (starts_declaration(i)) declaration(i);
    }
    find_all_changes();
    for (auto& [name, variable] : facts_.variables) find_changes(name, variable);
  }
  HostFacts take() { return std::move(facts_); }

 private:
  bool is(std::size_t i, std::string_view text) const { return i < tokens_.size() && tokens_[i].text == text; }
  bool is_name(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == Token::Kind::name; }
  std::size_t end_of_code() const { return code_.size(); }

  // The braces of `namespace {` and of `extern "C" {`: what they declare is visible behind them.
  bool is_transparent(std::size_t brace) const {
    if (brace == 0) return false;
    const std::size_t before = brace - (brace > 1 && tokens_[brace - 1].kind == Token::Kind::literal ? 2 : 1);
    return is(before, "extern") || (is(before, "namespace") && before + 1 == brace);
  }

  // Finds for each token where its innermost enclosing braces end.
  void find_scopes() {
    scope_end_.assign(tokens_.size(), end_of_code());
    partner_.assign(tokens_.size(), tokens_.size());
    std::vector<std::size_t> open, brackets;
    std::vector<std::size_t> braces_of(tokens_.size(), tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      braces_of[i] = open.empty() ? tokens_.size() : open.back();
      const std::string_view t = tokens_[i].text;
      if (t == "(" || t == "[" || t == "{") brackets.push_back(i);
      if (t == "{" && !is_transparent(i)) open.push_back(i);
      if ((t == ")" || t == "]" || t == "}") && !brackets.empty()) {
        partner_[i] = brackets.back();
        partner_[brackets.back()] = i;
        brackets.pop_back();
      }
      if (t == "}" && !open.empty() && partner_[i] == open.back()) open.pop_back();
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (braces_of[i] < tokens_.size() && partner_[braces_of[i]] < tokens_.size())
        scope_end_[i] = tokens_[partner_[braces_of[i]]].offset;
  }

  bool starts_declaration(std::size_t i) const {
    if (!is_name(i)) return false;
    return i == 0 || is_one_of(tokens_[i - 1].text, {";", "{", "}", "(", ":"}) || is(i - 1, ">");
  }

  std::string_view text_between(std::size_t first, std::size_t end) const {
    if (first >= end) return {};
    const Token& last = tokens_[end - 1];
    return std::string_view(code_).substr(tokens_[first].offset,
                                          last.offset + last.text.size() - tokens_[first].offset);
  }

  // The first comma or semicolon outside brackets from `i` on, or the bracket that closes the enclosing ones.
  std::size_t end_of_part(std::size_t i) const {
    while (i < tokens_.size() && !is_one_of(tokens_[i].text, {",", ";", ")", "}", "]"}))
      i = is_one_of(tokens_[i].text, {"(", "[", "{"}) ? partner_[i] + 1 : i + 1;
    return std::min(i, tokens_.size());
  }

  void declaration(std::size_t i) {
    HostVariable of_type;
    bool typed = false;
    of_type.is_parameter = i > 0 && is(i - 1, "(");
    for (; i < tokens_.size(); ++i) {
      const std::string_view word = tokens_[i].text;
      if (is_specifier(word)) continue;
      if (word == "std" && is(i + 1, "::")) {
        ++i;
        continue;
      }
      if (!is_type(word) || !is_name(i)) break;
      typed = true;
      of_type.type += word;
      of_type.is_extent |= word == "dim3";
      of_type.is_real |= is_real_type(word);
      of_type.is_whole |= !is_real_type(word) && word != "dim3" && word != "auto";
    }
    if (!typed) return;
    while (is_name(i) || is(i, "*") || is(i, "&")) {
      const bool indirect = is(i, "*") || is(i, "&");
      while (is(i, "*") || is(i, "&") || is(i, "const") || is(i, "__restrict__")) ++i;
      if (!is_name(i)) return;
      HostVariable variable = of_type;
      if (is(i - 1, "&")) variable.type.clear();  // not needed, and sizeof would be the type's
      i = declarator(i, std::move(variable), indirect);
      if (!is(i, ",")) return;
      ++i;
    }
  }

  // Reads the declarator whose name is at `i`; returns the index of the next token.
  std::size_t declarator(std::size_t i, HostVariable variable, bool indirect) {
    const std::string name(tokens_[i].text);
    variable.begin = tokens_[i].offset;
    variable.scope_end = scope_end_[i];
    if (std::string owner = owner_of(i); !owner.empty()) variable.owners.push_back(std::move(owner));
    variable.is_pointer = indirect;
    std::size_t next = i + 1, end = next;
    const bool is_array = is(next, "[");
    for (; is(next, "[") && partner_[next] < tokens_.size(); next = partner_[next] + 1)
      variable.lengths.emplace_back(text_between(next + 1, partner_[next]));
    end = next;
    if (is(next, "=") && !is(next + 1, "=")) {
      end = end_of_part(next + 1);
      variable.initialiser = text_between(next + 1, end);
    } else if (is(next, "(") || is(next, "{")) {
      end = std::min(partner_[next] + 1, tokens_.size());
      if (is(next, "(") && (is(end, "{") || is(end, "const") || is(end, "noexcept")))
        return function(name, next, end, variable);
      if (is(next, "(") && !variable.is_extent && is(end, ";") && scope_end_[i] == end_of_code())
        return end;  // a function declaration
      variable.initialiser = text_between(next + 1, end - 1);
    } else {
      variable.known = variable.is_extent && !variable.is_parameter;  // dim3's constructor sets all to 1
      if (is_array) end = end_of_part(next);
    }
    variable.known &= !indirect && !is_array;
    facts_.variables.emplace(name, std::move(variable));
    return end;
  }

  // The struct, class or namespace in whose braces the token is; empty if there is none.
  std::string owner_of(std::size_t i) const {
    const auto close = std::ranges::lower_bound(tokens_, scope_end_[i], {}, &Token::offset);
    const auto place = static_cast<std::size_t>(close - tokens_.begin());
    if (place >= tokens_.size() || partner_[place] >= place) return {};
    std::size_t name = partner_[place];
    while (name > 0 && !is_one_of(tokens_[name - 1].text, {";", "{", "}", ">"})) --name;
    if (!is_one_of(tokens_[name].text, {"struct", "class", "namespace"}) || !is_name(name + 1)) return {};
    return std::string(tokens_[name + 1].text);
  }

  // `enum { TILE = 16, NEXT }`. Those of an `enum class` are named with their type, so nothing here names them.
  void enumerators(std::size_t at) {
    if (is(at + 1, "class") || is(at + 1, "struct")) return;
    std::size_t open = at + 1;
    while (open < tokens_.size() && (is_name(open) || is(open, ":") || is(open, "::"))) ++open;
    if (!is(open, "{") || partner_[open] >= tokens_.size()) return;
    std::string next = "0";
    std::vector<std::string> owners;
    if (is_name(at + 1)) owners.emplace_back(tokens_[at + 1].text);
    if (std::string owner = owner_of(at); !owner.empty()) owners.push_back(std::move(owner));
    for (std::size_t i = open + 1; i < partner_[open] && is_name(i);) {
      HostVariable made;
      made.is_whole = true;
      made.begin = tokens_[i].offset;
      made.scope_end = scope_end_[at];
      made.owners = owners;
      enumerators_.insert(made.begin);
      const std::size_t end = end_of_part(i);
      made.initialiser = is(i + 1, "=") ? std::string(text_between(i + 2, end)) : next;
      const std::string name(tokens_[i].text);
      next = name + " + 1";
      facts_.variables.emplace(name, std::move(made));
      i = end + 1;
    }
  }

  // Only a function whose body is `return expression;` is used. `open`: its parameter list; `end`: the token after it.
  std::size_t function(const std::string& name, std::size_t open, std::size_t end, const HostVariable& type) {
    while (end < tokens_.size() && !is(end, "{") && !is(end, ";")) ++end;
    if (!is(end, "{") || partner_[end] >= tokens_.size()) return end;
    const std::size_t close = partner_[end];
    if (!is(end + 1, "return") || end_of_part(end + 2) + 1 != close || !is(close - 1, ";")) return end;
    HostFunction made;
    for (std::size_t i = open + 1; i < end; ++i)
      if (is_name(i) && (is(i + 1, ",") || is(i + 1, ")") || is(i + 1, "=")))
        made.parameters.emplace_back(tokens_[i].text);
    made.body = text_between(end + 2, close - 1);
    made.returns_whole = type.is_whole;
    add(facts_.functions, name, std::move(made));
    return end;
  }

  static void add(std::map<std::string, HostFunction, std::less<>>& to, const std::string& name, HostFunction made) {
    const auto [place, is_new] = to.try_emplace(name, made);
    if (!is_new && (place->second.body != made.body || place->second.parameters != made.parameters))
      place->second.ambiguous = true;
  }

  void hide(std::size_t first, std::size_t end, std::size_t scope_begin, std::size_t scope_end) {
    for (std::size_t i = first; i < end; ++i) {
      const bool ends = is(i + 1, ",") || is(i + 1, "=") || is(i + 1, "[") || i + 1 == end;
      if (!is_name(i) || !ends) continue;
      HostVariable hidden;
      hidden.known = false;
      hidden.begin = scope_begin;
      hidden.scope_end = scope_end;
      facts_.variables.emplace(std::string(tokens_[i].text), hidden);
    }
  }

  // The parameters of the function whose body opens at `brace`.
  void parameters_before(std::size_t brace) {
    std::size_t close = brace - 1;
    while (close > 0 && is_name(close)) --close;  // const, noexcept
    if (!is(close, ")") || partner_[close] >= close) return;
    const std::size_t open = partner_[close];
    if (open == 0 || is_one_of(tokens_[open - 1].text, {"if", "for", "while", "switch", "catch"}) ||
        partner_[brace] >= tokens_.size())
      return;
    hide(open + 1, close, tokens_[open].offset, tokens_[partner_[brace]].offset);
  }

  void template_parameters(std::size_t at) {
    std::size_t close = at + 1;
    int depth = 0;
    for (; close < tokens_.size(); ++close) {
      if (is(close, "<")) ++depth;
      if (is(close, ">") && --depth == 0) break;
      if (is(close, ";") || is(close, "{")) return;
    }
    std::size_t brace = close;
    while (brace < tokens_.size() && !is(brace, "{") && !is(brace, ";")) ++brace;
    if (is(brace, "{") && partner_[brace] < tokens_.size())
      hide(at + 2, close, tokens_[at].offset, tokens_[partner_[brace]].offset);
  }

  bool changes(std::size_t i) const {
    const auto next = [&](std::size_t k, std::string_view text) {
      return is(i + k, text) && tokens_[i + k].offset == tokens_[i + k - 1].offset + tokens_[i + k - 1].text.size();
    };
    const std::string_view before = i > 0 ? tokens_[i - 1].text : "", two_before = i > 1 ? tokens_[i - 2].text : "";
    if (before == "." || (before == ">" && two_before == "-")) return false;  // a member of an object
    if (i > 0 && is_name(i - 1) && before != "return" && before != "else")
      return false;  // another declaration of the name
    if (is(i + 1, "=") && !next(2, "=")) return true;
    if (is(i + 1, "=")) return !is(i + 2, "=");
    if (is(i + 1, ".") && is(i + 3, "=") && !is(i + 4, "=")) return true;
    for (const std::string_view mark : {"+", "-", "*", "/", "%", "&", "|", "^"})
      if (is(i + 1, mark) && is(i + 2, "=") && !is(i + 3, "=")) return true;
    if ((is(i + 1, "<") && is(i + 2, "<") && is(i + 3, "=")) || (is(i + 1, ">") && is(i + 2, ">") && is(i + 3, "=")))
      return true;
    if ((is(i + 1, "+") && is(i + 2, "+")) || (is(i + 1, "-") && is(i + 2, "-"))) return true;
    if ((before == "+" && two_before == "+") || (before == "-" && two_before == "-") ||
        (before == ">" && two_before == ">"))
      return true;
    if (before == "&" && two_before == "&" && tokens_[i - 1].offset == tokens_[i - 2].offset + 1)
      return i > 2 && tokens_[i - 3].text == "&";  // `a && &name`; not `a && name`
    if (before == "&") return is_one_of(two_before, {"(", ",", "=", "&"});
    return is_swapped(i) || (before == "=" && is_name(i - 2) && i > 4 && tokens_[i - 3].text == "&" &&
                             tokens_[i - 5].text != "const");  // int& other = name;
  }

  // swap(name, other), swap(other, name)
  bool is_swapped(std::size_t i) const {
    const auto called = [&](std::size_t open) {
      return open > 0 && tokens_[open].text == "(" && tokens_[open - 1].text == "swap";
    };
    return (i > 1 && called(i - 1)) || (i > 3 && tokens_[i - 1].text == "," && called(i - 3));
  }

  // Notes `name.x = …;` where it is executed once for each time that the variable is declared.
  bool sets_member(HostVariable& variable, std::size_t i) const {
    if (!variable.is_extent || scope_end_[i] != variable.scope_end || i == 0 || !is(i + 1, ".") || !is(i + 3, "="))
      return false;
    if (!is_one_of(tokens_[i - 1].text, {";", "{", "}"}) || !is_one_of(tokens_[i + 2].text, {"x", "y", "z"}))
      return false;
    const std::size_t end = end_of_part(i + 4);
    HostVariable::Member& member = variable.members[static_cast<std::size_t>(tokens_[i + 2].text[0] - 'x')];
    if (!member.value.empty() || !is(end, ";")) return false;
    member = {std::string(text_between(i + 4, end)), tokens_[i].offset};
    return true;
  }

  void find_all_changes() {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (is_name(i) && changes(i)) changes_[tokens_[i].text].push_back(i);
    for (std::size_t at = code_.find('\n'); at != std::string::npos; at = code_.find('\n', at + 1))
      line_ends_.push_back(at);
  }

  // A file may have thousands of variables of a name, such as the parameters of its functions.
  void find_changes(const std::string& name, HostVariable& variable) {
    if (enumerators_.contains(variable.begin)) return;
    const auto found = changes_.find(name);
    if (found == changes_.end()) return;
    const auto offset = [&](std::size_t i) { return tokens_[i].offset; };
    for (auto at = std::ranges::upper_bound(found->second, variable.begin, {}, offset);
         at != found->second.end() && offset(*at) < variable.scope_end; ++at) {
      if (sets_member(variable, *at)) continue;
      variable.set_again = 1 + static_cast<int>(std::ranges::lower_bound(line_ends_, offset(*at)) - line_ends_.begin());
      return;
    }
  }

  std::string code_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> scope_end_, partner_;
  std::map<std::string_view, std::vector<std::size_t>> changes_;  // of each name: the tokens at which it may change
  std::vector<std::size_t> line_ends_;                            // offsets
  std::set<std::size_t> enumerators_;                             // offsets of their names
  HostFacts facts_;
};

std::string without_comments(std::string_view line) {
  std::string out(line.substr(0, line.find("//")));
  for (std::size_t at = out.find("/*"); at != std::string::npos; at = out.find("/*")) {
    const std::size_t end = out.find("*/", at + 2);
    out.replace(at, end == std::string::npos ? end : end + 2 - at, " ");
  }
  return out;
}

std::string_view first_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_char(text[end])) ++end;
  return text.substr(0, end);
}

// The text's lines that begin with #, each with the lines that continue it.
std::vector<std::string> directives_of(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < text.size();) {
    std::string line;
    bool goes_on = true;
    while (goes_on && begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view part = text.substr(begin, end - begin);
      if (part.ends_with('\r')) part.remove_suffix(1);
      goes_on = part.ends_with('\\');
      if (goes_on) part.remove_suffix(1);
      line.append(part).append(" ");
      begin = end + 1;
    }
    if (const std::string_view found = trimmed(line); found.starts_with('#')) all.emplace_back(found);
  }
  return all;
}

// Which branches of the text's conditionals are surely not compiled: `#ifdef NAME` and the like, of a name that nothing
// defines. A header of the user's may define any name; compilers and CUDA's headers define those that begin with _ or
// CUDA.
class DirectiveBranches {
 public:
  explicit DirectiveBranches(std::string_view text) {
    for (const std::string& line : directives_of(text)) {
      const std::string_view rest = trimmed(std::string_view(line).substr(1));
      const std::string_view word = first_name(rest), behind = trimmed(rest.substr(word.size()));
      has_header_ |= word == "include" && behind.starts_with('"') && !is_of_cuda(behind.substr(1));
      if (word == "define") defined_.emplace(first_name(behind));
    }
  }

  // Takes what stands behind the #; false if it is no part of a conditional.
  bool directive(std::string_view rest) {
    const std::string_view word = first_name(rest);
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      const std::optional<bool> holds = condition(rest);
      open_.push_back({excluded(), excluded() || holds == false, holds == true});
      return true;
    }
    if (word != "elif" && word != "else" && word != "endif") return false;
    if (open_.empty()) return true;
    if (word == "endif") {
      open_.pop_back();
      return true;
    }
    const std::optional<bool> holds = word == "else" ? true : condition(rest);
    open_.back().excluded = open_.back().outer_excluded || open_.back().decided || holds == false;
    open_.back().decided |= holds == true;
    return true;
  }

  bool excluded() const { return !open_.empty() && open_.back().excluded; }

 private:
  static bool is_of_cuda(std::string_view header) {
    return header.starts_with("cuda") || header.starts_with("device_launch") || header.starts_with("helper_") ||
           header.starts_with("std") || header.starts_with("math.h");
  }

  struct Conditional {
    bool outer_excluded, excluded, decided;  // decided: an earlier or this branch surely is compiled
  };

  std::optional<bool> condition(std::string_view rest) const {
    const std::string text = without_comments(rest);
    const std::string_view word = first_name(text);
    std::string_view asked = trimmed(std::string_view(text).substr(word.size()));
    bool negated = word == "ifndef";
    if (word == "if" || word == "elif") {
      if (asked == "0" || asked == "1") return asked == "1";
      if (asked.starts_with('!')) {
        negated = true;
        asked = trimmed(asked.substr(1));
      }
      if (first_name(asked) != "defined") return std::nullopt;
      asked = trimmed(asked.substr(7));
      if (asked.starts_with('(') && asked.ends_with(')')) asked = trimmed(asked.substr(1, asked.size() - 2));
    }
    const bool is_one_name = !asked.empty() && first_name(asked) == asked;
    if (!is_one_name || has_header_ || asked.starts_with('_') || asked.starts_with("CUDA") || defined_.contains(asked))
      return std::nullopt;
    return negated;
  }

  std::set<std::string, std::less<>> defined_;
  std::vector<Conditional> open_;
  bool has_header_ = false;
};

}  // namespace

std::map<std::string, HostFunction, std::less<>> find_macros(std::string_view text) {
  std::map<std::string, HostFunction, std::less<>> macros;
  DirectiveBranches branches(text);
  for (const std::string& line : directives_of(text)) {
    const std::string_view rest = trimmed(std::string_view(line).substr(1));
    if (branches.directive(rest) || branches.excluded()) continue;
    if (!rest.starts_with("define") || rest.size() < 7 || is_name_char(rest[6])) continue;
    const std::string definition = without_comments(trimmed(rest.substr(6)));
    std::size_t end = first_name(definition).size();
    HostFunction macro;
    const std::string name = definition.substr(0, end);
    macro.has_parameters = end < definition.size() && definition[end] == '(';
    if (macro.has_parameters) {
      const std::size_t close = definition.find(')', end);
      if (close == std::string::npos) continue;
      macro.parameters = comma_list(std::string_view(definition).substr(end + 1, close - end - 1));
      end = close + 1;
    }
    macro.body = trimmed(std::string_view(definition).substr(end));
    const auto [place, is_new] = macros.try_emplace(name, macro);
    if (!is_new && place->second.body != macro.body) place->second.ambiguous = true;
  }
  return macros;
}

HostFacts find_host_facts(std::string_view text) {
  HostFacts facts = FactFinder(text).take();
  facts.macros = find_macros(text);
  for (const ScannedDeclaration& one : scan_declarations(text))
    if (std::string type = aliased_type(text, one); !type.empty())
      facts.macros.try_emplace(one.name, HostFunction{.parameters = {}, .body = type, .has_parameters = false});
  return facts;
}

std::optional<std::pair<std::string, std::string>> macro_as_name(std::string_view line, int column,
                                                                 std::string_view text) {
  const auto macros = find_macros(text);
  for (std::size_t at = 0, end = 0; at < line.size(); at = std::max(end, at + 1)) {
    end = at;
    end += first_name(line.substr(at)).size();
    if (end == at || (column > 0 && at + 1 != static_cast<std::size_t>(column))) continue;
    const std::size_t before = at == 0 ? std::string_view::npos : line.find_last_not_of(" \t", at - 1);
    if (before == std::string_view::npos) continue;
    if (!is_name_char(line[before]) && line[before] != '*' && line[before] != '&') continue;
    const auto macro = macros.find(line.substr(at, end - at));
    if (macro != macros.end() && !macro->second.has_parameters) return std::pair(macro->first, macro->second.body);
  }
  return std::nullopt;
}

}  // namespace lanescope::compile
