#include "ptx/reader.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "core/worded.h"

namespace lanescope::ptx {
namespace {

Wording quoted(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::dotted:
      return fmt::format("'.{}'", token.text);
    case Token::Kind::string:
      return "a string";
    default:
      return fmt::format("'{}'", token.text.substr(0, 60));
  }
}

}  // namespace

void Reader::skip_to(char stop) {
  lexer_.skip_to(stop);
  advance();
}

bool Reader::accept(char punctuation) {
  if (!at(punctuation)) return false;
  advance();
  return true;
}

bool Reader::accept_dotted(std::string_view word) {
  if (!token_.is_dotted(word)) return false;
  advance();
  return true;
}

bool Reader::expect(char punctuation) {
  if (accept(punctuation)) return true;
  return unexpected(fmt::format("'{}'", punctuation));
}

std::optional<Token> Reader::identifier(const char* what) {
  if (token_.kind != Token::Kind::identifier) {
    unexpected(what);
    return std::nullopt;
  }
  const Token result = token_;
  advance();
  return result;
}

std::optional<std::uint64_t> Reader::unsigned_number(const char* what) {
  if (token_.kind != Token::Kind::integer) {
    unexpected(what);
    return std::nullopt;
  }
  const std::uint64_t value = token_.bits;
  advance();
  return value;
}

std::optional<Type> Reader::type() {
  const Type result = token_.kind == Token::Kind::dotted ? type_named(token_.text) : Type::none;
  if (result == Type::none || result == Type::other) {
    unexpected("a type");
    return std::nullopt;
  }
  advance();
  return result;
}

bool Reader::alignment(std::uint32_t& bytes) {
  const Token at = token_;
  const auto value = unsigned_number("an alignment");
  if (!value) return false;
  if (*value == 0 || (*value & (*value - 1)) != 0 || *value > 1u << 20)
    return fail(at, "syntax", worded("an alignment must be a power of two, not {}", *value));
  bytes = static_cast<std::uint32_t>(*value);
  return true;
}

bool Reader::parenthesised(std::string& written) {
  int depth = 0;
  do {
    if (at('(')) ++depth;
    if (at(')')) --depth;
    if (at_end() || token_.kind == Token::Kind::bad || at(';')) return unexpected("')'");
    if (token_.kind == Token::Kind::dotted) written += '.';
    written += token_.text;
    if (at(',')) written += ' ';
    advance();
  } while (depth > 0);
  return true;
}

bool Reader::fail(const Token& at, std::string_view code, Wording message, Wording cure) {
  Diagnostic diagnostic;
  diagnostic.code = fmt::format("ptx.{}", code);
  diagnostic.place = {name_, at.line, at.column};
  diagnostic.message = std::move(message);
  diagnostic.cure = std::move(cure);
  if (!gave_up()) errors_.push_back(std::move(diagnostic));
  return false;
}

void Reader::fail_at(std::int32_t line, std::string_view code, Wording message, Wording cure) {
  Token at;
  at.line = line;
  at.column = 0;
  fail(at, code, std::move(message), std::move(cure));
}

bool Reader::unexpected(const Wording& wanted) {
  return fail(token_, "syntax", worded("expected {} before {}", wanted, quoted(token_)));
}

bool Reader::at_negated_name(char sign) const {
  if (!at(sign)) return false;
  Lexer ahead = lexer_;
  return ahead.next().kind == Token::Kind::identifier;
}

// --- constant expressions, as in the ISA's "Constant Expressions": all integers have 64 bits ---

namespace {

// Precedence of a binary operator; 0 for any other token.
int precedence(const Token& token) {
  if (token.kind != Token::Kind::punctuation) return 0;
  static constexpr std::string_view operators[][4] = {
      {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  if (token.is(',') || token.is(';') || token.is(']') || token.is('}')) return 0;
  int level = 0;
  for (const auto& row : operators) {
    ++level;
    for (std::string_view op : row)
      if (op == token.text) return level;
  }
  return 0;
}

std::optional<Constant> compute(std::string_view op, const Constant& left, const Constant& right) {
  Constant result;
  const bool is_unsigned = left.is_unsigned || right.is_unsigned;
  const std::uint64_t a = left.bits, b = right.bits;
  const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
  const auto less = [&](std::uint64_t x, std::uint64_t y) {
    return is_unsigned ? x < y : static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y);
  };
  result.is_unsigned = is_unsigned;
  // clang-format off
  if (op == "+") result.bits = a + b;
  else if (op == "-") result.bits = a - b;
  else if (op == "*") result.bits = a * b;
  else if (op == "/" || op == "%") {
    if (b == 0) return std::nullopt;
    const bool overflows = !is_unsigned && sb == -1;  // INT64_MIN / -1
    if (op == "/") result.bits = is_unsigned ? a / b : overflows ? 0 - a : static_cast<std::uint64_t>(sa / sb);
    else result.bits = is_unsigned ? a % b : overflows ? 0 : static_cast<std::uint64_t>(sa % sb);
  } else if (op == "&") result.bits = a & b;
  else if (op == "|") result.bits = a | b;
  else if (op == "^") result.bits = a ^ b;
  else if (op == "<<" || op == ">>") {
    result.is_unsigned = left.is_unsigned;
    const bool fill = !left.is_unsigned && sa < 0;
    if (b > 63) result.bits = op == ">>" && fill ? ~std::uint64_t{0} : 0;
    else if (op == "<<") result.bits = a << b;
    else result.bits = left.is_unsigned ? a >> b : static_cast<std::uint64_t>(sa >> b);
  } else {
    result.is_unsigned = false;
    if (op == "==") result.bits = a == b;
    else if (op == "!=") result.bits = a != b;
    else if (op == "<") result.bits = less(a, b);
    else if (op == ">") result.bits = less(b, a);
    else if (op == "<=") result.bits = !less(b, a);
    else if (op == ">=") result.bits = !less(a, b);
    else if (op == "&&") result.bits = a != 0 && b != 0;
    else result.bits = a != 0 || b != 0;
  }
  // clang-format on
  return result;
}

// The sum, difference, product or quotient of two real numbers, in double precision as all of them are computed.
std::optional<Constant> compute_real(std::string_view op, const Constant& left, const Constant& right) {
  if (!left.is_real || !right.is_real || !left.is_double || !right.is_double) return std::nullopt;
  const auto a = std::bit_cast<double>(left.bits), b = std::bit_cast<double>(right.bits);
  Constant result = left;
  if (op != "+" && op != "-" && op != "*" && op != "/") return std::nullopt;
  result.bits = std::bit_cast<std::uint64_t>(op == "+" ? a + b : op == "-" ? a - b : op == "*" ? a * b : a / b);
  return result;
}

// `.5`, which the lexer reads as a word after a dot.
std::optional<Constant> fraction(const Token& token) {
  if (token.kind != Token::Kind::dotted || token.text.empty() || token.text[0] < '0' || token.text[0] > '9')
    return std::nullopt;
  const std::string text = "0." + std::string(token.text);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (stop != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  return Constant{.is_real = true, .is_double = true, .bits = std::bit_cast<std::uint64_t>(value)};
}

}  // namespace

std::optional<Constant> Reader::constant() {
  return conditional(0);
}

std::optional<Constant> Reader::conditional(int depth) {
  if (depth > max_depth) {
    fail(token_, "syntax", "this expression is nested too deeply");
    return std::nullopt;
  }
  const Token begin = token_;
  auto condition = binary(1, depth);
  if (!condition || !at('?')) return condition;
  advance();
  const auto yes = conditional(depth + 1);
  if (!yes || !expect(':')) return std::nullopt;
  const auto no = conditional(depth + 1);
  if (!no) return std::nullopt;
  if (condition->is_real || yes->is_real || no->is_real) {
    fail(begin, "syntax", "a real number cannot be part of an expression");
    return std::nullopt;
  }
  return condition->bits != 0 ? yes : no;
}

std::optional<Constant> Reader::binary(int least, int depth) {
  auto left = unary(depth);
  while (left) {
    const Token op = token_;
    const int level = precedence(op);
    if (level < least) break;
    advance();
    const auto right = binary(level + 1, depth);
    if (!right) return std::nullopt;
    if (left->is_real || right->is_real) {
      const auto result = compute_real(op.text, *left, *right);
      if (!result) {
        fail(op, "syntax", "a real number cannot be part of an expression");
        return std::nullopt;
      }
      left = result;
      continue;
    }
    left = compute(op.text, *left, *right);
    if (!left) fail(op, "syntax", "division by zero in a constant expression");
  }
  return left;
}

std::optional<Constant> Reader::unary(int depth) {
  if (depth > max_depth) {
    fail(token_, "syntax", "this expression is nested too deeply");
    return std::nullopt;
  }
  const Token sign = token_;
  if (!at('-') && !at('+') && !at('~') && !at('!')) return primary(depth);
  advance();
  auto value = unary(depth + 1);
  if (!value) return value;
  if (value->is_real) {
    if (sign.is('-')) value->bits ^= std::uint64_t{1} << (value->is_double ? 63 : 31);
    if (sign.is('-') || sign.is('+')) return value;
    fail(sign, "syntax", "a real number cannot be part of an expression");
    return std::nullopt;
  }
  if (sign.is('-')) value->bits = 0 - value->bits;
  if (sign.is('~')) value->bits = ~value->bits;
  if (sign.is('!')) {
    value->bits = value->bits == 0;
    value->is_unsigned = false;
  }
  return value;
}

std::optional<Constant> Reader::primary(int depth) {
  Constant result;
  if (accept('(')) {
    if (token_.is_dotted("s64") || token_.is_dotted("u64")) {  // a cast
      const bool is_unsigned = token_.is_dotted("u64");
      advance();
      if (!expect(')')) return std::nullopt;
      auto value = unary(depth + 1);
      if (value) value->is_unsigned = is_unsigned;
      return value;
    }
    auto value = conditional(depth + 1);
    if (!value || !expect(')')) return std::nullopt;
    return value;
  }
  if (token_.kind == Token::Kind::integer) {
    result.bits = token_.bits;
    result.is_unsigned = token_.is_unsigned;
  } else if (token_.kind == Token::Kind::real) {
    result.is_real = true;
    result.is_double = token_.is_double;
    result.bits = token_.bits;
  } else if (token_.kind == Token::Kind::identifier && token_.text == "WARP_SZ") {
    result.bits = 32;
  } else if (const auto real = fraction(token_)) {
    result = *real;
  } else {
    unexpected("a number");
    return std::nullopt;
  }
  advance();
  return result;
}

}  // namespace lanescope::ptx
