#include "core/file_name_in_ptx.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope {

std::string escaped_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (byte < 0x20 || byte >= 0x7f)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out;
}

std::string unescaped_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    if (c >= '0' && c <= '7') {
      int value = 0;
      std::size_t digits = 0;
      while (digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7')
        value = value * 8 + (text[i + digits++] - '0');
      i += digits - 1;
      out += static_cast<char>(value);
    } else {
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
  }
  return out;
}

std::string in_ascii(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c >= 0x80; }, '_');
  return name;
}

}  // namespace lanescope
