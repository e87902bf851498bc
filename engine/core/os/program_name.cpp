#include "core/os/program_name.h"

#include <algorithm>

#include "core/os/environment.h"

namespace lanescope {
namespace {

std::string& kept_name() {
  static std::string name = "lanescope";
  return name;
}

}  // namespace

bool can_be_typed(const std::string& name) {
  constexpr std::size_t longest = 4096;
  const auto shown = [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != 0x7f && c != '`'; };
  if (name.empty() || name.size() > longest || name.front() == '-' || !std::all_of(name.begin(), name.end(), shown))
    return false;
  return is_path(name) ? is_program(name) : as_typed(name) == name;
}

const std::string& program_name() {
  return kept_name();
}

void set_program_name(const char* argv0) {
  const std::string told = value_of_variable(called_as_variable).value_or("");
  for (const std::string& name : {told, std::string(argv0 != nullptr ? argv0 : "")}) {
    if (!can_be_typed(name)) continue;
    kept_name() = as_typed(name);
    set_variable(called_as_variable, name);
    return;
  }
  unset_variable(called_as_variable);
}

}  // namespace lanescope
