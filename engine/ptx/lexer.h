#pragma once
// Splits PTX text into tokens, one at a time. Skips comments and white space.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lanescope::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,          // of the text
    identifier,   // mov, $L__BB0_2, %r1, and %tid.x including its dot
    dotted,       // .reg, .v4, .shared::cta, .1d: `text` without the dot
    integer,      // value in `bits`
    real,         // 0f…, 0d…, 1.5: the bits of a float (`is_double` false) or double in `bits`
    string,       // "…": `text` without the quotes
    punctuation,  // one character in `text`, or one of << >> <= >= == != && || ::
    bad           // a character that starts no token, an unclosed comment or string, a malformed number
  };
  Kind kind = Kind::end;
  bool is_double = false;
  bool is_unsigned = false;  // an integer with the suffix U, or one that does not fit s64
  std::int32_t line = 1;     // from 1
  std::int32_t column = 1;   // from 1, in bytes
  std::string_view text;
  std::uint64_t bits = 0;

  bool is(char punctuation) const { return kind == Kind::punctuation && text.size() == 1 && text[0] == punctuation; }
  bool is_dotted(std::string_view word) const { return kind == Kind::dotted && text == word; }
};

class Lexer {
 public:
  // `text` must outlive the lexer and its tokens.
  explicit Lexer(std::string_view text);

  Token next();

  // Moves to the next `stop` in the text, or to the end, without reading the text between.
  void skip_to(char stop);

 private:
  void skip_blank();
  Token make(Token::Kind kind, const char* begin) const;
  Token number();
  Token decimal_real(const char* begin);
  Token dotted();
  Token identifier();
  Token string();
  Token punctuation();

  const char* at_;
  const char* end_;
  const char* line_start_;
  std::int32_t line_ = 1;
};

// Where the function that begins the text ends: behind its last brace, or behind the semicolon of a declaration.
std::size_t end_of_function(std::string_view text);

}  // namespace lanescope::ptx
