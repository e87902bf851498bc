#pragma once
// Calls of a source's own macros that declare device code, such as KERNEL(add, float), replaced by what they stand for.

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compile/host/host_facts.h"
#include "compile/host/source_tokens.h"

namespace lanescope::compile {

class MacroCalls {
 public:
  // `text`: the source with its directives. `annotations`: the words that mark device code.
  MacroCalls(std::string_view text, const std::set<std::string, std::less<>>& annotations);

  // Replaces calls of function-like macros with one definition, whose replacement has an annotation, directly or
  // through macros that it names. Each token of a replacement has the range of the call; its text belongs to this
  // object.
  std::vector<Token> replaced(const std::vector<Token>& tokens);

 private:
  struct Macro {
    std::vector<std::string> parameters;  // "..." is the last one
    std::string body;
    std::vector<Token> tokens;  // of `body`
    bool declares = false;
  };
  using Tokens = std::vector<Token>;
  using Names = std::set<std::string, std::less<>>;

  void find_declaring(const Names& annotations);
  void replace(const Tokens& tokens, const Names& hidden, const Token* call, Tokens& out);
  Tokens substituted(const Macro& macro, const std::vector<Tokens>& arguments, const Names& hidden, const Token& call);
  const Token& made(std::string text, const Token& call);

  std::map<std::string, Macro, std::less<>> macros_;
  std::deque<std::string> texts_;
  Token last_made_;
  std::size_t produced_ = 0;
};

}  // namespace lanescope::compile
