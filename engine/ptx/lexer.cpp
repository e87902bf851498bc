#include "ptx/lexer.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace lanescope::ptx {
namespace {

enum : std::uint8_t { word = 1, digit = 2, starts_word = 4, hex = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<std::size_t>(c)] = word | starts_word;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<std::size_t>(c)] = word | starts_word;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<std::size_t>(c)] = word | digit | hex;
  for (int c : {'a', 'b', 'c', 'd', 'e', 'f', 'A', 'B', 'C', 'D', 'E', 'F'})
    classes[static_cast<std::size_t>(c)] |= hex;
  for (int c : {'_', '$'}) classes[static_cast<std::size_t>(c)] = word | starts_word;
  classes['%'] = starts_word;
  return classes;
}
constexpr auto classes = make_classes();

bool in(char c, std::uint8_t wanted) {
  return (classes[static_cast<unsigned char>(c)] & wanted) != 0;
}

int digit_value(char c) {
  if (c <= '9') return c - '0';
  return (c | 0x20) - 'a' + 10;
}

}  // namespace

Lexer::Lexer(std::string_view text) : at_(text.data()), end_(text.data() + text.size()), line_start_(text.data()) {}

void Lexer::skip_to(char stop) {
  for (; at_ != end_ && *at_ != stop; ++at_)
    if (*at_ == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
}

void Lexer::skip_blank() {
  while (at_ != end_) {
    if (*at_ == '\n') {
      ++line_;
      line_start_ = ++at_;
    } else if (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\f' || *at_ == '\v') {
      ++at_;
    } else if (end_ - at_ >= 2 && at_[0] == '/' && at_[1] == '/') {
      const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = newline ? static_cast<const char*>(newline) : end_;
    } else if (end_ - at_ >= 2 && at_[0] == '/' && at_[1] == '*') {
      const char* begin = at_;
      const auto line = line_;
      const char* line_start = line_start_;
      at_ += 2;
      for (;; ++at_) {
        if (end_ - at_ < 2) {  // unclosed: punctuation() reports it
          at_ = begin;
          line_ = line;
          line_start_ = line_start;
          return;
        }
        if (at_[0] == '*' && at_[1] == '/') break;
        if (*at_ == '\n') {
          ++line_;
          line_start_ = at_ + 1;
        }
      }
      at_ += 2;
    } else {
      return;
    }
  }
}

Token Lexer::make(Token::Kind kind, const char* begin) const {
  Token token;
  token.kind = kind;
  token.line = line_;
  token.column = static_cast<std::int32_t>(begin - line_start_) + 1;
  token.text = {begin, static_cast<std::size_t>(at_ - begin)};
  return token;
}

Token Lexer::next() {
  skip_blank();
  if (at_ == end_) return make(Token::Kind::end, at_);
  const char c = *at_;
  if (in(c, digit)) return number();
  if (in(c, starts_word)) return identifier();
  if (c == '.') return dotted();
  if (c == '"') return string();
  return punctuation();
}

Token Lexer::identifier() {
  const char* begin = at_++;
  while (at_ != end_ && in(*at_, word)) ++at_;
  if (*begin == '%') {
    if (at_ - begin == 1) return make(Token::Kind::punctuation, begin);
    if (end_ - at_ >= 2 && at_[0] == '.' && in(at_[1], word)) {  // %tid.x
      ++at_;
      while (at_ != end_ && in(*at_, word)) ++at_;
    }
  }
  return make(Token::Kind::identifier, begin);
}

Token Lexer::dotted() {
  const char* dot = at_++;
  const char* begin = at_;
  while (at_ != end_) {
    if (in(*at_, word)) {
      ++at_;
    } else if (end_ - at_ >= 3 && at_[0] == ':' && at_[1] == ':' && in(at_[2], word)) {
      at_ += 2;
    } else {
      break;
    }
  }
  Token token = make(at_ == begin ? Token::Kind::bad : Token::Kind::dotted, dot);
  if (at_ != begin) token.text.remove_prefix(1);
  return token;
}

Token Lexer::string() {
  const char* begin = at_++;
  while (at_ != end_ && *at_ != '"' && *at_ != '\n') {
    // The escaped character, even a backslash or quote, does not end the string.
    if (*at_ == '\\' && at_ + 1 != end_ && at_[1] != '\n') ++at_;
    ++at_;
  }
  if (at_ == end_ || *at_ == '\n') return make(Token::Kind::bad, begin);
  ++at_;
  Token token = make(Token::Kind::string, begin);
  token.text = token.text.substr(1, token.text.size() - 2);
  return token;
}

Token Lexer::punctuation() {
  const char* begin = at_++;
  static constexpr std::string_view single = "{}()[]<>,;:+-*/!~@|&=?^";
  if (single.find(*begin) == std::string_view::npos || (*begin == '/' && at_ != end_ && *at_ == '*'))
    return make(Token::Kind::bad, begin);
  if (at_ != end_) {
    const char pair[] = {*begin, *at_};
    for (const char* known : {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::"})
      if (std::memcmp(pair, known, 2) == 0) {
        ++at_;
        break;
      }
  }
  return make(Token::Kind::punctuation, begin);
}

Token Lexer::number() {
  const char* begin = at_;
  const char second = end_ - at_ >= 2 ? static_cast<char>(at_[1] | 0x20) : '\0';
  if (*at_ == '0' && (second == 'f' || second == 'd')) {  // the bits of a float or double
    at_ += 2;
    const char* digits = at_;
    std::uint64_t bits = 0;
    for (; at_ != end_ && in(*at_, hex); ++at_) bits = bits << 4 | static_cast<std::uint64_t>(digit_value(*at_));
    const bool is_double = second == 'd';
    const bool ok = at_ - digits == (is_double ? 16 : 8);
    Token token = make(ok ? Token::Kind::real : Token::Kind::bad, begin);
    token.is_double = is_double;
    token.bits = bits;
    return token;
  }

  int base = 10;
  if (*at_ == '0' && second == 'x') base = 16;
  if (*at_ == '0' && second == 'b') base = 2;
  if (base != 10) at_ += 2;
  const char* digits = at_;
  while (at_ != end_ && in(*at_, base == 16 ? hex : digit)) ++at_;
  if (base == 10 && at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E')) return decimal_real(begin);
  if (base == 10 && at_ - digits > 1 && *digits == '0') base = 8;

  std::uint64_t bits = 0;
  const auto [stop, error] = std::from_chars(digits, at_, bits, base);
  bool ok = error == std::errc{} && stop == at_;
  bool is_unsigned = bits >> 63;
  if (at_ != end_ && (*at_ == 'U' || *at_ == 'u')) {
    is_unsigned = true;
    ++at_;
  }
  while (at_ != end_ && in(*at_, word)) {  // 12abc is not a number
    ok = false;
    ++at_;
  }
  Token token = make(ok ? Token::Kind::integer : Token::Kind::bad, begin);
  token.bits = bits;
  token.is_unsigned = is_unsigned;
  return token;
}

Token Lexer::decimal_real(const char* begin) {
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end_, value);
  bool ok = error == std::errc{} || error == std::errc::result_out_of_range;
  at_ = stop == begin ? at_ + 1 : stop;
  while (at_ != end_ && in(*at_, word)) {
    ok = false;
    ++at_;
  }
  Token token = make(ok ? Token::Kind::real : Token::Kind::bad, begin);
  token.is_double = true;
  token.bits = std::bit_cast<std::uint64_t>(value);
  return token;
}

std::size_t end_of_function(std::string_view text) {
  Lexer lexer(text);
  int depth = 0;
  for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
    depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
    if (depth == 0 && (token.is('}') || token.is(';')))
      return static_cast<std::size_t>(token.text.data() + token.text.size() - text.data());
  }
  return text.size();
}

}  // namespace lanescope::ptx
