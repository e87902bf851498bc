#include "job/request/template_names.h"

#include <algorithm>
#include <vector>

#include "compile/host/source_scan.h"
#include "core/text.h"

namespace lanescope::job {

namespace {

// Calls `act` for each name in the text, with its place.
template <typename Act>
void for_each_name(std::string_view text, const Act& act) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name_char(text[end])) ++end;
    if (end > at) act(text.substr(at, end - at), at);
    at = std::max(end, at + 1);
  }
}

}  // namespace

TemplateNames template_names(const std::string& text) {
  TemplateNames names{"scalar_t"};
  const std::vector<compile::ScannedDeclaration> all = compile::scan_declarations(text);
  for (const compile::ScannedDeclaration& one : all)
    names.insert(one.template_parameters.begin(), one.template_parameters.end());
  for (const compile::ScannedDeclaration& one : all) names.erase(one.name);
  return names;
}

bool mentions_one_of(std::string_view argument, const TemplateNames& names) {
  bool found = false;
  for_each_name(argument, [&](std::string_view name, std::size_t) { found |= names.contains(name); });
  return found;
}

}  // namespace lanescope::job
