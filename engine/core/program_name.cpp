#include "core/program_name.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace lanescope {
namespace {

std::string& kept_name() {
  static std::string name = "lanescope";
  return name;
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
  return letter || byte >= 0x80 || std::string_view("_-.+@%,/").find(c) != std::string_view::npos;
}

}  // namespace

bool can_be_typed(const std::string& name) {
  constexpr std::size_t longest = 4096;
  const auto shown = [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != 0x7f && c != '`'; };
  if (name.empty() || name.size() > longest || name.front() == '-' || !std::all_of(name.begin(), name.end(), shown))
    return false;
  if (name.find('/') == std::string::npos) return std::all_of(name.begin(), name.end(), is_plain);
  struct stat file {};
  return ::stat(name.c_str(), &file) == 0 && S_ISREG(file.st_mode) && ::access(name.c_str(), X_OK) == 0;
}

std::string as_typed(std::string_view name) {
  if (std::all_of(name.begin(), name.end(), is_plain)) return std::string(name);
  std::string quoted = "'";
  for (const char c : name)
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  return quoted + "'";
}

const std::string& program_name() {
  return kept_name();
}

void set_program_name(const char* argv0) {
  const char* told = std::getenv(called_as_variable);
  for (const char* name : {told, argv0}) {
    if (name == nullptr || !can_be_typed(name)) continue;
    kept_name() = as_typed(name);
    ::setenv(called_as_variable, name, 1);
    return;
  }
  ::unsetenv(called_as_variable);
}

}  // namespace lanescope
