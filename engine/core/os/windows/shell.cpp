// What a shell takes as one word.

#include <algorithm>

#include "core/os/program_name.h"

namespace lanescope {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
  return letter || byte >= 0x80 || std::string_view("_-.+@/\\:").find(c) != std::string_view::npos;
}

}  // namespace

bool is_path(std::string_view name) {
  return name.find_first_of("/\\") != std::string_view::npos;
}

// File names have no quotation marks on Windows.
std::string as_typed(std::string_view name) {
  if (std::all_of(name.begin(), name.end(), is_plain)) return std::string(name);
  return "\"" + std::string(name) + "\"";
}

}  // namespace lanescope
