#include "compile/host/macro_calls.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "compile/host/source_scan.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

// Macros that call one another can multiply without end; behind this, calls stay as they are.
constexpr std::size_t most_tokens = 1u << 16;

using Tokens = std::vector<Token>;

bool is_mark(const Tokens& tokens, std::size_t at, std::string_view text) {
  return at < tokens.size() && tokens[at].kind == Token::Kind::mark && tokens[at].text == text;
}

// The arguments of the call whose bracket is at `open`; `end`: the index after the closing one. Empty and `end` 0 if
// the bracket is not closed.
std::vector<Tokens> arguments_of(const Tokens& tokens, std::size_t open, std::size_t& end) {
  std::vector<Tokens> arguments(1);
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (is_mark(tokens, i, ")") && --depth == 0) {
      end = i + 1;
      return arguments;
    }
    if (depth == 1 && is_mark(tokens, i, ","))
      arguments.emplace_back();
    else if (depth > 0)
      arguments.back().push_back(tokens[i]);
    if (is_mark(tokens, i, "(")) ++depth;
  }
  end = 0;
  return {};
}

// Joins the arguments from `count` on, which are those of "...".
void join_rest(std::vector<Tokens>& arguments, std::size_t count) {
  static constexpr std::string_view comma = ",";
  while (arguments.size() > count) {
    const Tokens last = std::move(arguments.back());
    arguments.pop_back();
    arguments.back().push_back({Token::Kind::mark, comma, 0, 0});
    arguments.back().insert(arguments.back().end(), last.begin(), last.end());
  }
}

}  // namespace

MacroCalls::MacroCalls(std::string_view text, const Names& annotations) {
  for (auto& [name, found] : find_macros(text)) {
    if (!found.has_parameters || found.ambiguous) continue;
    Macro& macro = macros_[name];
    macro.parameters = found.parameters;
    macro.body = blank_non_code(found.body);
    macro.tokens = tokenise(macro.body);
  }
  find_declaring(annotations);
}

void MacroCalls::find_declaring(const Names& annotations) {
  for (bool more = true; more;) {
    more = false;
    for (auto& [name, macro] : macros_) {
      if (macro.declares) continue;
      macro.declares = std::ranges::any_of(macro.tokens, [&](const Token& token) {
        if (annotations.contains(token.text)) return true;
        const auto other = macros_.find(token.text);
        return other != macros_.end() && other->second.declares;
      });
      more |= macro.declares;
    }
  }
}

std::vector<Token> MacroCalls::replaced(const std::vector<Token>& tokens) {
  const bool any = std::ranges::any_of(macros_, [](const auto& macro) { return macro.second.declares; });
  if (!any) return tokens;
  Tokens out;
  replace(tokens, {}, nullptr, out);
  return out;
}

// Appends the tokens to `out`. `call`: the outermost call that they come from; nullptr outside of one.
void MacroCalls::replace(const Tokens& tokens, const Names& hidden, const Token* call, Tokens& out) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const auto found = token.kind == Token::Kind::name ? macros_.find(token.text) : macros_.end();
    std::size_t end = 0;
    std::vector<Tokens> arguments;
    if (found != macros_.end() && (found->second.declares || call != nullptr) && !hidden.contains(token.text) &&
        is_mark(tokens, i + 1, "(") && produced_ < most_tokens)
      arguments = arguments_of(tokens, i + 1, end);
    const Macro* macro = end != 0 ? &found->second : nullptr;
    if (macro != nullptr && !macro->parameters.empty() && macro->parameters.back() == "...")
      join_rest(arguments, macro->parameters.size());
    if (macro != nullptr && macro->parameters.empty() && arguments.size() == 1 && arguments[0].empty())
      arguments.clear();
    if (macro == nullptr || arguments.size() != macro->parameters.size()) {
      out.push_back(token);
      ++produced_;
      continue;
    }
    Token range = call != nullptr ? *call : token;
    if (call == nullptr) range.end = tokens[end - 1].end;
    Names inner = hidden;
    inner.emplace(token.text);
    replace(substituted(*macro, arguments, hidden, range), inner, &range, out);
    i = end - 1;
  }
}

const Token& MacroCalls::made(std::string text, const Token& call) {
  const std::string& kept = texts_.emplace_back(std::move(text));
  const bool number = !kept.empty() && std::isdigit(static_cast<unsigned char>(kept[0])) != 0;
  const bool name = !kept.empty() && is_name_char(kept[0]);
  last_made_ = {number           ? Token::Kind::number
                : name           ? Token::Kind::name
                : kept[0] == '"' ? Token::Kind::literal
                                 : Token::Kind::mark,
                kept, call.offset, call.end};
  return last_made_;
}

Tokens MacroCalls::substituted(const Macro& macro, const std::vector<Tokens>& arguments, const Names& hidden,
                               const Token& call) {
  const auto argument_at = [&](std::size_t i) -> const Tokens* {
    for (std::size_t p = 0; i < macro.tokens.size() && p < arguments.size(); ++p)
      if (macro.tokens[i].text == macro.parameters[p] ||
          (macro.parameters[p] == "..." && macro.tokens[i].text == "__VA_ARGS__"))
        return &arguments[p];
    return nullptr;
  };
  const auto pastes = [&](std::size_t i) { return is_mark(macro.tokens, i, "#") && is_mark(macro.tokens, i + 1, "#"); };
  Tokens out;
  bool paste = false;  // the next token is joined to the last one
  const auto add = [&](const Token& token) {
    if (paste && !out.empty())
      out.back() = made(std::string(out.back().text) + std::string(token.text), call);
    else
      out.push_back({token.kind, token.text, call.offset, call.end});
    paste = false;
  };
  for (std::size_t i = 0; i < macro.tokens.size(); ++i) {
    if (pastes(i)) {
      paste = true;
      ++i;
    } else if (is_mark(macro.tokens, i, "#") && argument_at(i + 1) != nullptr) {
      add(made("\"\"", call));
      ++i;
    } else if (const Tokens* argument = argument_at(i)) {
      Tokens inside;
      if (paste || pastes(i + 1))
        inside = *argument;
      else
        replace(*argument, hidden, &call, inside);
      for (const Token& token : inside) add(token);
      paste = false;
    } else {
      add(macro.tokens[i]);
    }
  }
  produced_ += out.size();
  return out;
}

}  // namespace lanescope::compile
