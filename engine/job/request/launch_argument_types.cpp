#include "job/request/launch_argument_types.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/source_types.h"
#include "core/text.h"
#include "job/request/launch_guess.h"
#include "job/request/template_names.h"

namespace lanescope::job {

namespace {

struct HostType {
  std::string name;  // "float", without const
  bool pointer = false;
};

// A number's type, which nothing else can name.
bool is_plain_type(std::string_view type) {
  return !element_of_type(vector_type(type).first).empty();
}

bool is_same_type(std::string_view a, std::string_view b) {
  const auto [one, count] = vector_type(a);
  const auto [other, other_count] = vector_type(b);
  return count == other_count && element_of_type(one) == element_of_type(other);
}

// The words and stars of "const float *", or nothing if there is more.
std::optional<HostType> type_in(std::string_view words) {
  HostType type;
  while (!(words = trimmed(words)).empty()) {
    std::size_t end = 0;
    while (end < words.size() && is_name_char(words[end])) ++end;
    const std::string_view word = words.substr(0, end);
    if (end == 0 && words[0] != '*') return std::nullopt;
    if (end == 0 && type.pointer) return std::nullopt;  // a pointer to a pointer
    if (end == 0) type.pointer = true;
    if (end > 0 && word != "const" && word != "static" && word != "constexpr") type.name += word;
    words.remove_prefix(std::max<std::size_t>(end, 1));
  }
  return type;
}

// The type with which the statement before `at` declares the name there: "float *a, *" declares the next name as
// float*.
std::optional<HostType> declared_before(std::string_view text, std::size_t at) {
  const std::size_t begin = text.find_last_of(";{}()", at == 0 ? 0 : at - 1);
  const std::string_view statement = text.substr(begin == std::string_view::npos ? 0 : begin + 1, at - begin - 1);
  const std::vector<std::string_view> parts = split(statement, ',');
  std::optional<HostType> type = type_in(parts.back());
  if (!type || parts.size() == 1 || !type->name.empty()) return type && !type->name.empty() ? type : std::nullopt;
  std::string_view first = trimmed(parts.front());  // "float *a": without the name
  while (!first.empty() && is_name_char(first.back())) first.remove_suffix(1);
  const std::optional<HostType> base = type_in(first);
  if (!base || base->name.empty()) return std::nullopt;
  return HostType{base->name, type->pointer};
}

// The type of the last declaration of the name before `end`.
std::optional<HostType> type_of_name(std::string_view text, std::string_view name, std::size_t end) {
  for (std::size_t at = text.rfind(name, end); at != std::string_view::npos && at > 0; at = text.rfind(name, at - 1)) {
    const std::size_t after = at + name.size();
    if (is_name_char(text[at - 1]) || (after < text.size() && is_name_char(text[after]))) continue;
    const std::optional<HostType> type = declared_before(text, at);
    if (!type || type->name == "return" || type->name == "delete" || type->name == "else") continue;
    return type;
  }
  return std::nullopt;
}

std::optional<HostType> type_of_argument(std::string_view argument, std::string_view text, std::size_t end) {
  if (argument.empty()) return std::nullopt;
  if (argument.find_first_not_of("0123456789") == std::string_view::npos) return HostType{"int", false};
  if (std::ranges::all_of(argument, is_name_char) && (argument[0] < '0' || argument[0] > '9'))
    return type_of_name(text, argument, end);
  const bool is_real = argument.find_first_not_of("0123456789.f") == std::string_view::npos && contains(argument, ".");
  if (is_real) return HostType{argument.ends_with('f') ? "float" : "double", false};
  return std::nullopt;
}

// "struct name {", not "template <class name>".
bool defines_struct(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + name.size())) {
    const std::string_view before = trimmed(text.substr(0, at)), behind = trimmed(text.substr(at + name.size()));
    const bool of_base = behind.starts_with(':') && !behind.starts_with("::");
    if (before.size() < at && (before.ends_with("struct") || before.ends_with("class")) &&
        (behind.starts_with('{') || of_base))
      return true;
  }
  return false;
}

// "Add<float>{}" and "ns::Scale(2)" make an object of a struct of the text.
std::optional<std::string> made_struct(std::string_view argument, std::string_view text) {
  const std::size_t open = argument.find_first_of("{(");
  if (open == std::string_view::npos || open == 0 || compile::behind_bracket(argument, open) != argument.size())
    return std::nullopt;
  const std::string_view type = trimmed(argument.substr(0, open));
  std::string_view name = trimmed(type.substr(0, type.find('<')));
  if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos) name.remove_prefix(scope + 2);
  const bool is_name = !name.empty() && std::ranges::all_of(name, is_name_char);
  if (!is_name || !defines_struct(text, name)) return std::nullopt;
  if (contains(type, "<") && mentions_one_of(type, template_names(std::string(text)))) return std::nullopt;
  return std::string(type);
}

// The type that all arguments give for the parameters that are declared as `name` or as a pointer to it.
std::optional<std::string> deduced(const std::string& name, const compile::ScannedLaunch& launch,
                                   const std::string& text, const SourceKernels& kernels,
                                   const std::vector<KernelParameter>& parameters) {
  std::optional<std::string> found;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].type != name) continue;
    const std::string_view argument = trimmed(launch.arguments[i]);
    std::optional<std::string> type = parameters[i].pointer ? std::nullopt : made_struct(argument, text);
    if (const std::optional<HostType> given = type_of_argument(argument, text, launch.offset); !type && given) {
      if (parameters[i].pointer && !given->pointer) continue;
      const KernelParameter resolved = kernels.declared(given->name + " x");
      if (!resolved.pointer && is_plain_type(resolved.type))
        type = with_blanks(resolved.type);
      else if (defines_struct(text, given->name))
        type = given->name;
      if (type && given->pointer && !parameters[i].pointer) *type += "*";
    }
    if (!type || (found && *found != *type)) return std::nullopt;
    found = type;
  }
  return found;
}

enum class Match { no, converted, exact };

// Pointers to different numbers do not convert; numbers do, but a kernel that takes them as they are is preferred.
Match match(const std::vector<std::optional<HostType>>& given, const std::vector<KernelParameter>& parameters) {
  if (given.size() != parameters.size()) return Match::no;
  Match all = Match::exact;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const KernelParameter& wanted = parameters[i];
    if (!given[i]) continue;
    if (given[i]->pointer != wanted.pointer) {
      const bool is_zero = !given[i]->pointer && given[i]->name == "int" && wanted.pointer;  // 0: a null pointer
      if (!is_zero && is_plain_type(wanted.type)) return Match::no;
      all = Match::converted;
    } else if (!is_plain_type(wanted.type)) {
      all = Match::converted;  // void*, or a type that only the compiler knows
    } else if (!is_same_type(given[i]->name, wanted.type)) {
      if (wanted.pointer) return Match::no;
      all = Match::converted;
    }
  }
  return all;
}

}  // namespace

OverloadFit fit_of_overload(const compile::ScannedLaunch& launch, const std::string& text,
                            const std::vector<KernelParameter>& parameters,
                            const std::vector<std::vector<KernelParameter>>& others) {
  std::vector<std::optional<HostType>> given;
  given.reserve(launch.arguments.size());
  for (const std::string& argument : launch.arguments) {
    std::optional<HostType> type = type_of_argument(trimmed(argument), text, launch.offset);
    if (type && !is_plain_type(type->name)) type.reset();
    given.push_back(std::move(type));
  }
  const bool all_known = std::ranges::all_of(given, [](const auto& one) { return one.has_value(); });
  const Match own = match(given, parameters);
  if (own == Match::no) return OverloadFit::other;
  bool excluded = true;
  for (const std::vector<KernelParameter>& one : others) {
    const Match other = match(given, one);
    if (other == Match::exact && own == Match::converted && all_known) return OverloadFit::other;
    excluded &= other == Match::no || (all_known && own == Match::exact && other == Match::converted);
  }
  return excluded ? OverloadFit::this_one : OverloadFit::unknown;
}

std::vector<std::string> with_deduced(std::vector<std::string> given, const compile::ScannedLaunch& launch,
                                      const std::string& text, const SourceKernels& kernels,
                                      const KernelSignature& kernel) {
  const std::vector<KernelParameter> parameters = kernels.parameters(kernel, given);
  if (parameters.size() != launch.arguments.size()) return given;
  std::size_t needed = given.size();  // defaults at the end are not
  for (std::size_t i = given.size(); i < kernel.template_parameters.size(); ++i) {
    const KernelSignature::TemplateParameter& one = kernel.template_parameters[i];
    std::optional<std::string> next;
    if (one.is_type()) next = deduced(one.name, launch, text, kernels, parameters);
    if (next) needed = i + 1;
    if (!next && !one.value.empty()) next = with_template_arguments(one.value, kernel, given);
    if (!next) break;
    given.push_back(std::move(*next));
  }
  given.resize(needed);
  return given;
}

}  // namespace lanescope::job
