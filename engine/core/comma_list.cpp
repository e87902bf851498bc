#include "core/comma_list.h"

#include "core/text.h"

namespace lanescope {

std::vector<std::string> comma_list(std::string_view text, ListOf of) {
  std::vector<std::string> parts;
  int depth = 0, angles = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (of == ListOf::types && depth == 0) {
      if (c == '<') ++angles;
      if (c == '>' && angles > 0) --angles;
    }
    if (c != ',' || ((depth > 0 || angles > 0) && i < text.size())) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (parts.size() == 1 && parts.front().empty()) parts.clear();
  return parts;
}

}  // namespace lanescope
