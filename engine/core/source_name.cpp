#include "core/source_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lanescope {

std::string demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? std::string(text.get()) : std::string();
}

std::size_t parameter_list(const std::string& name) {
  int depth = 0;
  std::size_t begin = std::string::npos;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(' && depth == 0) begin = i;
    if (name[i] == '(' || name[i] == '<') ++depth;
    if (name[i] == ')' || name[i] == '>') --depth;
  }
  return begin;
}

std::string source_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  if (name.empty()) return mangled;
  if (const std::size_t parameters = parameter_list(name); parameters != std::string::npos) name.resize(parameters);
  // A template's return type stands before its name.
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
    if (name[i] == ' ' && depth == 0) begin = i + 1;
  }
  name.erase(0, begin);
  const std::string anonymous = "(anonymous namespace)::";
  for (std::size_t at = name.find(anonymous); at != std::string::npos; at = name.find(anonymous))
    name.erase(at, anonymous.size());
  return name;
}

}  // namespace lanescope
