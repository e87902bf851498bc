#include "compile/host/source_tokens.h"

#include <algorithm>
#include <cctype>

#include "core/text.h"

namespace lanescope::compile {

std::vector<Token> tokenise(std::string_view code) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < code.size();) {
    const char c = code[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    Token::Kind kind = Token::Kind::mark;
    if (is_name_char(c)) {
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      const auto separator = [&] {  // 0xffff'ffff
        return number && code[end] == '\'' && end + 1 < code.size() && is_name_char(code[end + 1]);
      };
      while (end < code.size() && (is_name_char(code[end]) || separator())) ++end;
      kind = number ? Token::Kind::number : Token::Kind::name;
    } else if (c == '"' || c == '\'') {
      end = std::min(code.find(c, end), code.size() - 1) + 1;
      kind = Token::Kind::literal;
    } else if (code.substr(at, 2) == "::") {
      ++end;
    }
    tokens.push_back({kind, code.substr(at, end - at), at, end});
    at = end;
  }
  return tokens;
}

}  // namespace lanescope::compile
