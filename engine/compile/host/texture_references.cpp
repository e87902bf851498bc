#include "compile/host/texture_references.h"

#include <algorithm>

#include "compile/host/source_scan.h"
#include "compile/host/source_tokens.h"

namespace lanescope::compile {

namespace {

TextureReference placed(std::string_view text, const Token& name, std::string element) {
  const std::string_view before = text.substr(0, name.offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 if there is none
  return {std::string(name.text), std::move(element), 1 + static_cast<int>(std::ranges::count(before, '\n')),
          1 + static_cast<int>(name.offset - line_begin)};
}

}  // namespace

std::vector<TextureReference> texture_references(std::string_view text) {
  std::vector<TextureReference> found;
  const std::string code = blank_non_code(text);
  const std::vector<Token> tokens = tokenise(code);
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    if (tokens[i].text != "texture" || tokens[i + 1].text != "<" || tokens[i + 2].kind != Token::Kind::name) continue;
    std::size_t at = i + 2;
    while (at < tokens.size() && tokens[at].text != ">" && tokens[at].text != ";" && tokens[at].text != "{") ++at;
    if (at >= tokens.size() || tokens[at].text != ">") continue;
    for (++at; at + 1 < tokens.size() && tokens[at].kind == Token::Kind::name; at += 2) {
      const std::string_view behind = tokens[at + 1].text;
      if (behind != ";" && behind != ",") break;
      found.push_back(placed(text, tokens[at], std::string(tokens[i + 2].text)));
      if (behind == ";") break;
    }
  }
  return found;
}

}  // namespace lanescope::compile
