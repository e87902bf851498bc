#include "job/request/extent_parts.h"

#include <algorithm>

#include "compile/host/host_facts.h"
#include "compile/host/launch_scan.h"
#include "core/comma_list.h"
#include "core/text.h"
#include "job/request/launch_constants.h"

namespace lanescope::job {

namespace {

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text)
    if (blanks.find(c) == std::string_view::npos)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  return line;
}

}  // namespace

std::vector<ExtentPart> parts_of_extent(const LaunchConstants& constants, std::string_view text,
                                        std::string_view expression, std::size_t offset) {
  std::string numbers(trimmed(expression));
  if (!numbers.empty() && std::ranges::all_of(numbers, is_name_char)) {
    const compile::HostFacts facts = compile::find_host_facts(text);
    const compile::HostVariable* const variable = compile::innermost(facts.variables, numbers, offset);
    const bool set_once = variable != nullptr && variable->is_extent && variable->known && variable->set_again == 0 &&
                          std::ranges::all_of(variable->members, [](const compile::HostVariable::Member& one) {
                            return one.value.empty();
                          });
    if (!set_once) return {};
    numbers = trimmed(variable->initialiser);
    offset = variable->begin;
    if (numbers.starts_with('{') && numbers.ends_with('}')) numbers = numbers.substr(1, numbers.size() - 2);
  }
  if (numbers.starts_with("dim3")) {
    const std::size_t open = numbers.find_first_not_of(blanks, 4);
    if (open == std::string::npos || (numbers[open] != '(' && numbers[open] != '{') ||
        compile::behind_bracket(numbers, open) != numbers.size())
      return {};
    numbers = numbers.substr(open + 1, numbers.size() - open - 2);
  } else if (trimmed(expression) == numbers) {
    return {};
  }
  std::vector<ExtentPart> parts;
  for (const std::string& number : comma_list(numbers)) {
    const compile::HostEvaluation made = constants.evaluate(number, offset);
    const bool fits = made.value && made.value->kind == compile::HostValue::Kind::whole && made.value->whole > 0 &&
                      made.value->whole <= 0xffffffffll;
    parts.push_back({in_one_line(number), fits ? std::optional(made.value->whole) : std::nullopt});
  }
  return parts.size() <= 3 ? parts : std::vector<ExtentPart>();
}

}  // namespace lanescope::job
