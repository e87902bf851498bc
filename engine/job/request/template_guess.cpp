#include "compile/host/include_tree.h"
#include "compile/host/launch_scan.h"
#include "compile/host/source_scan.h"
#include "core/comma_list.h"
#include "core/text.h"
#include "job/request/launch_guess.h"
#include "job/request/name_hints.h"

#include <algorithm>

namespace lanescope::job {

namespace {

bool is_word_at(std::string_view text, std::size_t at, std::size_t size) {
  return (at == 0 || !is_name_char(text[at - 1])) && (at + size >= text.size() || !is_name_char(text[at + size]));
}

// How many arguments or parameters there are in the brackets that open at `open`.
std::size_t arguments_in_brackets(std::string_view text, std::size_t open) {
  const std::size_t behind = compile::behind_bracket(text, open);
  if (behind == std::string_view::npos) return 0;
  const std::string_view inside = text.substr(open + 1, behind - open - 2);
  return trimmed(inside).empty() ? 0 : comma_list(inside).size();
}

// With how many arguments the kernel calls a `type`: Op()(a, b), or op(a, b) where op is an Op. 0: it does not.
std::size_t arguments_of_calls(const KernelSignature& kernel, const std::string& type) {
  const std::string text = kernel.parameters + ";" + kernel.body;
  std::vector<std::string> callees{type + "()", type + "{}"};
  for (std::size_t at = text.find(type); at != std::string::npos; at = text.find(type, at + 1)) {
    if (!is_word_at(text, at, type.size())) continue;
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n&", at + type.size()), text.size());
    std::size_t end = begin;
    while (end < text.size() && is_name_char(text[end])) ++end;
    if (end > begin) callees.push_back(text.substr(begin, end - begin));
  }
  const std::string code = without_blanks(kernel.body);
  for (const std::string& callee : callees)
    for (std::size_t at = code.find(callee + "("); at != std::string::npos; at = code.find(callee + "(", at + 1))
      if (at == 0 || !is_name_char(code[at - 1]))
        if (const std::size_t count = arguments_in_brackets(code, at + callee.size()); count > 0) return count;
  return 0;
}

// The first struct that can be called with so many arguments; empty if there is none.
std::string functor_in(const std::string& text, std::size_t arguments) {
  const std::string code = compile::blank_non_code(text);
  constexpr std::string_view call = "operator()";
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(text)) {
    if (one.kind != compile::ScannedDeclaration::Kind::type || one.name.empty() || one.template_parameters.size() > 1)
      continue;
    const std::string body = without_blanks(std::string_view(code).substr(one.begin, one.end - one.begin));
    for (std::size_t at = body.find(call); at != std::string::npos; at = body.find(call, at + 1))
      if (arguments_in_brackets(body, at + call.size()) == arguments)
        return one.name + (one.is_template ? "<float>" : "");
  }
  return "";
}

std::string called_functor(const compile::Source& source, const KernelSignature& kernel, const std::string& type) {
  const std::size_t arguments = arguments_of_calls(kernel, type);
  if (arguments == 0) return "";
  std::string found = functor_in(source.text, arguments);
  if (!found.empty()) return found;
  for (const compile::IncludedFile& header : compile::user_includes(source, {}).files)
    if (found = functor_in(header.content, arguments); !found.empty()) break;
  return found;
}

}  // namespace

std::vector<std::string> guessed_template_arguments(const compile::Source& source, const KernelSignature& kernel) {
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
    else if (const std::string functor = one.is_type() ? called_functor(source, kernel, one.name) : "";
             !functor.empty())
      made.push_back(functor);
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
