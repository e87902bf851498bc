#include "compile/host/source_needs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "compile/host/source_scan.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

bool is_foreign(std::string_view condition, const std::string& text) {
  for (std::size_t i = 0; i < condition.size(); ++i) {
    std::size_t end = i;
    while (end < condition.size() && is_name_char(condition[end])) ++end;
    if (end == i) continue;
    const std::string name(condition.substr(i, end - i));
    i = end;
    const bool is_number = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
    constexpr std::array known{"defined", "_WIN32",      "WIN32",          "_WIN64",       "WIN64",         "_MSC_VER",
                               "_LP64",   "_GNU_SOURCE", "_POSIX_VERSION", "CUDA_VERSION", "CUDART_VERSION"};
    if (!is_number && !name.starts_with("__") && std::find(known.begin(), known.end(), name) == known.end() &&
        !contains(text, "define " + name))
      return true;
  }
  return false;
}

}  // namespace

bool asks_the_preprocessor(const std::string& text, int include) {
  std::vector<bool> foreign;
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    const bool behind = ++number > include;
    line = trimmed(line);
    if (line.empty()) continue;
    std::string_view word = line.substr(line.starts_with('#') ? 1 : 0);
    word = line.starts_with('#') ? trimmed(word) : std::string_view();
    const std::string_view condition = word.substr(std::min(word.find_first_of(" \t("), word.size()));
    if (word.starts_with("if")) {
      foreign.push_back(behind && is_foreign(condition, text));
    } else if (word.starts_with("endif")) {
      if (!foreign.empty()) foreign.pop_back();
    } else if (word.starts_with("elif")) {
      if (!foreign.empty()) foreign.back() = foreign.back() || (behind && is_foreign(condition, text));
    } else if (!word.starts_with("else") && std::find(foreign.begin(), foreign.end(), true) != foreign.end()) {
      return true;
    }
  }
  return false;
}

bool needs_half(const Source& source, const std::vector<IncludedFile>& files) {
  bool has_library = false, names_it = false;
  const auto look = [&](const std::string& text) {
    for (const IncludeDirective& directive : scan_includes(text))
      for (const char* library : {"cublas", "cusparse", "cudnn", "cusolver", "nccl.h", "cutensor"})
        has_library = has_library || directive.name.starts_with(library);
    for (const char* part : {"half", "bfloat16", "_bf16"}) names_it = names_it || contains(text, part);
  };
  look(source.text);
  for (const IncludedFile& file : files) look(file.content);
  return has_library && names_it;
}

bool is_of_cpp20(const std::string& code) {
  for (const char* word :
       {"concept", "requires", "consteval", "constinit", "co_return", "co_await", "co_yield", "char8_t"})
    for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
      const std::size_t end = at + std::string_view(word).size();
      if ((at == 0 || !is_name_char(code[at - 1])) && (end == code.size() || !is_name_char(code[end]))) return true;
    }
  if (contains(code, "<=>") || contains(code, "]<") || contains(code, "using enum")) return true;
  // `{.x = 1, .y = 2}`
  for (std::size_t at = code.find('.'); at != std::string::npos; at = code.find('.', at + 1)) {
    const std::size_t before = at == 0 ? std::string::npos : code.find_last_not_of(blanks, at - 1);
    if (before != std::string::npos && (code[before] == '{' || code[before] == ',') && at + 1 < code.size() &&
        is_name_char(code[at + 1]) && std::isdigit(static_cast<unsigned char>(code[at + 1])) == 0)
      return true;
  }
  return false;
}

}  // namespace lanescope::compile
