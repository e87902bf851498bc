#pragma once
// A token stream with one token of lookahead, the errors so far, and shared parts of the grammar: names, numbers,
// types, constant expressions. Functions that return bool or optional return false or nullopt after they have recorded
// an error. The caller then returns too, up to the statement, which skips to its end.

#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.h"
#include "ptx/instruction.h"
#include "ptx/lexer.h"

namespace lanescope::ptx {

// The value of a constant expression.
struct Constant {
  bool is_real = false;
  bool is_double = false;    // the width of a real
  bool is_unsigned = false;  // of an integer
  std::uint64_t bits = 0;    // the integer, or the bits of the float or double
};

class Reader {
 public:
  Reader(std::string_view text, std::string name) : name_(std::move(name)), lexer_(text) { advance(); }

  const Token& token() const { return token_; }
  void advance() {
    previous_ = token_;
    token_ = lexer_.next();
  }
  // Calls the lexer's skip_to and reads the token there.
  void skip_to(char stop);

  bool at(char punctuation) const { return token_.is(punctuation); }
  // The current token's position in the text.
  const char* position() const { return token_.text.data(); }
  bool just_passed(char punctuation) const { return previous_.is(punctuation); }
  bool at_line_start() const { return token_.line != previous_.line; }
  bool at_end() const { return token_.kind == Token::Kind::end; }
  bool accept(char punctuation);
  bool accept_dotted(std::string_view word);
  bool expect(char punctuation);
  std::optional<Token> identifier(const char* what);
  std::optional<std::uint64_t> unsigned_number(const char* what);
  std::optional<Type> type();            // of a register or a parameter: not Type::other
  bool alignment(std::uint32_t& bytes);  // after .align
  // Reads `(…)` as written, without white space; the current token is the parenthesis.
  bool parenthesised(std::string& written);

  // A C expression of integers, or a real number with an optional sign. WARP_SZ is 32.
  std::optional<Constant> constant();
  // True at `!`, or another sign, before a name, which is not a constant.
  bool at_negated_name(char sign = '!') const;

  // Both record an error and return false. Codes: "ptx." + `code`.
  bool fail(const Token& at, std::string_view code, Wording message, Wording cure = {});
  bool unexpected(const Wording& wanted);
  void fail_at(std::int32_t line, std::string_view code, Wording message, Wording cure = {});
  const Diagnostics& errors() const { return errors_; }
  Diagnostics take_errors() { return std::move(errors_); }
  bool gave_up() const { return errors_.size() >= max_errors; }

 private:
  static constexpr std::size_t max_errors = 20;
  static constexpr int max_depth = 100;

  std::optional<Constant> conditional(int depth);
  std::optional<Constant> binary(int least, int depth);
  std::optional<Constant> unary(int depth);
  std::optional<Constant> primary(int depth);

  std::string name_;
  Lexer lexer_;
  Token token_, previous_;
  Diagnostics errors_;
};

}  // namespace lanescope::ptx
