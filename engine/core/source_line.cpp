#include "core/source_line.h"

#include "core/text.h"

namespace lanescope {
namespace {

std::string_view without_comment(std::string_view line) {
  char quote = 0;  // the quotation mark of the literal that `i` is in
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || (c == '\'' && (i == 0 || !is_name_char(line[i - 1])))) {  // but not the separator in 10'000
      quote = c;
    } else if (line.substr(i).starts_with("//")) {
      return line.substr(0, i);
    }
  }
  return line;
}

}  // namespace

std::string source_line(std::string_view source, int line, Comments comments) {
  if (line < 1) return {};
  for (; line > 1; --line) {
    const std::size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  const std::string_view found = source.substr(0, source.find('\n'));
  return std::string(trimmed(comments == Comments::kept ? found : without_comment(found)));
}

}  // namespace lanescope
