#include "core/source_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "core/text.h"

namespace lanescope {

namespace {

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The name with the same length, but with '_' for the signs and spaces in names of operators, such as "operator<<
// <int>(A)", "operator->()" and "operator unsigned int()". Then they cannot be mistaken for brackets or separators.
std::string without_operators(std::string name) {
  const std::string word = "operator";
  for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
    std::size_t i = at + word.size();
    if ((at > 0 && in_word(name[at - 1])) || (i < name.size() && in_word(name[i]))) continue;
    while (i < name.size() && std::string_view("<>-=").find(name[i]) != std::string_view::npos) name[i++] = '_';
    while (i < name.size() && (in_word(name[i]) || std::string_view(" :*&").find(name[i]) != std::string_view::npos))
      name[i++] = '_';
  }
  return name;
}

}  // namespace

std::string demangled(const std::string& mangled) {
  // The library also reads the codes of types: "f", as an extern "C" kernel may be called, is "float" to it.
  if (!mangled.starts_with("_Z")) return {};
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : std::string();
}

std::size_t parameter_list(const std::string& demangled) {
  const std::string name = without_operators(demangled);
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
  // A template function's name is preceded by its return type.
  const std::string plain = without_operators(name);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (plain[i] == '<' || plain[i] == '(') ++depth;
    if (plain[i] == '>' || plain[i] == ')') --depth;
    if (plain[i] == ' ' && depth == 0) begin = i + 1;
  }
  name.erase(0, begin);
  // Removes ABI tags. Numba gives each specialisation two of them, of 40 letters.
  for (std::size_t tag; (tag = name.find("[abi:")) != std::string::npos;)
    name.erase(tag, std::min(name.find(']', tag), name.size() - 1) + 1 - tag);
  const std::string anonymous = "(anonymous namespace)::";
  for (std::size_t at = name.find(anonymous); at != std::string::npos; at = name.find(anonymous))
    name.erase(at, anonymous.size());
  return name;
}

std::string kernel_base_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t colon = kernel.rfind(':'); colon != std::string_view::npos) kernel.remove_prefix(colon + 1);
  return std::string(trimmed(kernel));
}

}  // namespace lanescope
