#include "core/text.h"
#include "job/request/launch_guess.h"
#include "job/request/name_hints.h"

#include <algorithm>

namespace lanescope::job {

std::vector<std::string> guessed_template_arguments(const KernelSignature& kernel) {
  std::vector<std::string> made = kernel.instantiated;
  const bool flat = contains(kernel.body, "threadIdx.y");
  // Each thread has TM × TN results of a tile of BM × BN.
  const bool two_dimensional =
      std::ranges::find(kernel.template_parameters, "TN", &KernelSignature::TemplateParameter::name) !=
      kernel.template_parameters.end();
  for (std::size_t i = made.size(); i < kernel.template_parameters.size(); ++i) {
    const KernelSignature::TemplateParameter& one = kernel.template_parameters[i];
    const std::string name = lower(one.name);
    if (!one.value.empty())
      made.push_back(one.value);
    else if (one.is_type())
      made.emplace_back(has_one_of(name, {"int", "index", "idx"}) ? "int" : "float");
    else if (one.declared.starts_with("bool"))
      made.emplace_back("true");
    else if (is_one_of(one.name, {"BM", "BN"}))
      made.emplace_back(two_dimensional ? "128" : "64");
    else if (is_one_of(one.name, {"WM", "WN"}))
      made.emplace_back("32");
    else if (is_one_of(one.name, {"BK", "TM", "TN"}))
      made.emplace_back("8");
    else if (contains(kernel.body, "threadIdx.x / " + one.name) || contains(kernel.body, "threadIdx.x/" + one.name))
      made.emplace_back("16");
    else if (has_one_of(name, {"thread"}))
      made.emplace_back(names_elements_of_a_thread(name) ? "4" : "256");
    else if (has_one_of(name, {"block", "size", "dim", "tile"}) || is_one_of(name, {"bs", "n"}))
      made.emplace_back(flat ? "16" : "256");
    else
      made.emplace_back("4");
  }
  return made;
}

std::string with_template_arguments(std::string_view expression, const KernelSignature& kernel,
                                    std::span<const std::string> arguments) {
  std::string made;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && is_name_char(expression[end])) ++end;
    end = std::max(end, at + 1);
    std::string word(expression.substr(at, end - at));
    for (std::size_t i = 0; i < std::min(arguments.size(), kernel.template_parameters.size()); ++i) {
      const KernelSignature::TemplateParameter& one = kernel.template_parameters[i];
      if (one.name != word) continue;
      const bool word_alone = one.is_type() || std::ranges::all_of(arguments[i], is_name_char);
      word = word_alone ? arguments[i] : "(" + arguments[i] + ")";
      break;
    }
    made += word;
    at = end;
  }
  return made;
}

}  // namespace lanescope::job
