#include "core/source_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>

#include "core/kernel_name.h"
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

// With -rdc=true nvcc puts before the name of what is static, or in an unnamed namespace, that of its file, and the
// length of that: "__nv_static_23__95110f04_4_s_cu__Z2kvv__Z2ksPi" is _Z2ksPi.
std::string without_file(const std::string& mangled) {
  constexpr std::string_view begin = "__nv_static_";
  std::size_t length = 0, at = begin.size();
  if (!mangled.starts_with(begin)) return mangled;
  for (; at < mangled.size() && length < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9'; ++at)
    length = 10 * length + static_cast<std::size_t>(mangled[at] - '0');
  const std::size_t name = at + 1 + length + 1;  // an underscore on either side
  return name < mangled.size() ? mangled.substr(name) : mangled;
}

}  // namespace

std::string demangled(const std::string& mangled) {
  const std::string name = without_file(mangled);
  // The library also reads the codes of types: "f", as an extern "C" kernel may be called, is "float" to it.
  if (!name.starts_with("_Z")) return {};
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
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
  if (name.empty()) return without_file(mangled);
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

namespace {

// The beginning of a mangled name that is too complicated to be demangled as a whole: "_ZN3lib4copyIf…" →
// "lib::copy<…>". Empty if it does not begin with names.
std::string begin_of_name(std::string_view mangled) {
  const bool nested = mangled.starts_with("_ZN");
  if (!mangled.starts_with("_Z")) return {};
  mangled.remove_prefix(nested ? 3 : 2);
  std::string name;
  while (!mangled.empty() && std::isdigit(static_cast<unsigned char>(mangled[0])) != 0) {
    std::size_t digits = 0, length = 0;
    while (digits < mangled.size() && std::isdigit(static_cast<unsigned char>(mangled[digits])) != 0 && digits < 4)
      length = length * 10 + static_cast<std::size_t>(mangled[digits++] - '0');
    if (digits + length > mangled.size()) return {};
    const std::string_view part = mangled.substr(digits, length);
    if (!part.starts_with("_GLOBAL__N_")) name += (name.empty() ? "" : "::") + std::string(part);
    mangled.remove_prefix(digits + length);
  }
  return !name.empty() && mangled.starts_with("I") ? name + "<…>" : std::string();
}

// Arguments that are nested deeper than `depth` become "…".
std::string without_arguments(const std::string& name, const std::string& plain, int depth) {
  std::string shortened;
  int at = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (plain[i] == '>') --at;
    if (at <= depth) shortened += name[i];
    if (plain[i] == '<' && ++at == depth + 1) shortened += "…";
  }
  return shortened;
}

}  // namespace

std::string short_name(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  if (const std::string begin = begin_of_name(name); !begin.empty()) return begin;
  const std::string plain = without_operators(name);
  int deepest = 0, at = 0;
  for (const char c : plain) {
    at += c == '<' ? 1 : c == '>' ? -1 : 0;
    deepest = std::max(deepest, at);
  }
  for (int depth = deepest - 1; depth >= 0; --depth) {
    std::string shortened = without_arguments(name, plain, depth);
    if (shortened.size() <= most || depth == 0) return shortened;
  }
  return name;
}

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t most) {
  std::map<std::string, std::vector<std::string>> by_short_name;
  for (const std::string& name : names) {
    std::vector<std::string>& same = by_short_name[short_name(name, most)];
    if (std::find(same.begin(), same.end(), name) == same.end()) same.push_back(name);
  }
  std::vector<std::string> shortened;
  for (const std::string& name : names) {
    const std::string brief = short_name(name, most);
    const std::vector<std::string>& same = by_short_name[brief];
    const auto number = std::find(same.begin(), same.end(), name) - same.begin() + 1;
    shortened.push_back(same.size() > 1 ? brief + " #" + std::to_string(number) : brief);
  }
  return shortened;
}

std::string kernel_base_name(std::string_view kernel) {
  kernel = without_cast(kernel);
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t colon = kernel.rfind(':'); colon != std::string_view::npos) kernel.remove_prefix(colon + 1);
  return std::string(trimmed(kernel));
}

}  // namespace lanescope
