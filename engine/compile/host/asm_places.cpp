#include "compile/host/asm_places.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compile/host/source_scan.h"
#include "compile/host/source_tokens.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

bool is_asm(std::string_view name) {
  return name == "asm" || name == "__asm__" || name == "__asm";
}

// The places of a text, asked for in ascending order.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {}
  LineAndColumn of(std::size_t offset) {
    for (; at_ < offset; ++at_)
      if (text_[at_] == '\n') {
        ++line_;
        begin_ = at_ + 1;
      }
    return {line_, static_cast<int>(offset - begin_) + 1};
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
  int line_ = 1;
};

// `asm volatile("…" : outputs : inputs : clobbers)`, from the keyword's token to the closing parenthesis.
class AsmStatement {
 public:
  AsmStatement(std::string_view source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

  // The tokens at which the operands begin that are read before the instructions. `at` goes to the end.
  std::vector<std::size_t> operands(std::size_t& at) const {
    std::vector<std::size_t> found;
    while (++at < tokens_.size() && tokens_[at].kind == Token::Kind::name) {
    }
    if (at == tokens_.size() || tokens_[at].text != "(") return found;
    int depth = 0, section = 0;
    for (; at < tokens_.size(); ++at) {
      const std::string_view text = tokens_[at].text;
      if (text == "(" || text == "[" || text == "{") {
        if (depth++ == 1 && text == "(" && is_read(at, section)) found.push_back(at + 1);
      } else if (text == ")" || text == "]" || text == "}") {
        if (--depth == 0) break;
      } else if (depth == 1 && text == ":") {
        ++section;
      } else if (depth == 1 && text == "::") {
        section += 2;
      }
    }
    return found;
  }

 private:
  // The parenthesis at `at` follows a constraint. An output is read too if it is not a variable of the function.
  bool is_read(std::size_t at, int section) const {
    const Token& constraint = tokens_[at - 1];
    if (constraint.kind != Token::Kind::literal || at + 2 >= tokens_.size()) return false;
    const std::string_view letters = source_.substr(constraint.offset, constraint.end - constraint.offset);
    if (section == 2) return letters != "\"n\"";
    if (section != 1) return false;
    return contains(letters, "+") || tokens_[at + 1].text == "*" || tokens_[at + 2].text == "[";
  }

  std::string_view source_;
  const std::vector<Token>& tokens_;
};

}  // namespace

std::map<LineAndColumn, LineAndColumn> asm_places(std::string_view source) {
  std::map<LineAndColumn, LineAndColumn> places;
  if (!contains(source, "asm")) return places;
  const std::string code = blank_non_code(source);
  const std::vector<Token> tokens = tokenise(code);
  const AsmStatement statement(source, tokens);
  Places place(code);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!is_asm(tokens[at].text)) continue;
    const LineAndColumn keyword = place.of(tokens[at].offset);
    LineAndColumn last = keyword;
    for (const std::size_t operand : statement.operands(at))
      if (const LineAndColumn there = place.of(tokens[operand].offset); there.first != last.first) last = there;
    if (last != keyword) places[keyword] = last;
  }
  return places;
}

}  // namespace lanescope::compile
