#include "job/run/parameters.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/source_name.h"
#include "core/source_types.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/values/element_numbers.h"
#include "lesson/nearest.h"

namespace lanescope::job {

namespace {

// "int (*) [32]" is one too: `int (*rows)[32]`, or `int rows[][32]`.
bool is_array_pointer(const std::string& type) {
  return type.find("(*) [") != std::string::npos || type.find("(*)[") != std::string::npos;
}

bool is_pointer(const std::string& type) {
  return type.ends_with('*') || type.ends_with('&') || is_array_pointer(type);
}

std::string ptx_type(const ptx::Parameter& parameter) {
  std::string out = fmt::format(".{}", ptx::name_of(parameter.type));
  if (parameter.is_array) out += fmt::format("[{}]", parameter.elements);
  return out;
}

}  // namespace

std::string element_behind(const std::string& pointer) {
  const std::string tight = without_blanks(pointer);
  std::string_view name = tight;
  if (const std::size_t rows = name.find("(*)["); rows != std::string_view::npos)
    name = name.substr(0, rows);
  else if (name.ends_with('*') || name.ends_with('&'))
    name.remove_suffix(1);
  else
    return "";
  // Demanglers write "float const volatile*", so in this order.
  for (const std::string_view word : {"volatile", "const"})
    if (name.ends_with(word)) name.remove_suffix(word.size());
  return std::string(element_of_type(vector_type(name).first));
}

std::optional<sim::ElementType> pointed_at(const std::string& pointer) {
  std::string element = element_behind(pointer);
  if (element.empty() || element.ends_with("8")) return std::nullopt;
  if (element.front() == 'u') element.front() = 'i';
  return type_named(element);
}

namespace {

// A kernel parameter and what its source tells about it.
struct WantedArgument {
  const ptx::Parameter& ptx;
  std::string source_type;  // empty = unknown

  bool known_pointer() const { return is_pointer(source_type) || !ptx.pointer.empty(); }
  bool known_value() const { return !source_type.empty() && !is_pointer(source_type); }
  // The type of a number as in --arg: "f32"; empty for others.
  std::string number() const { return std::string(element_of_type(without_blanks(source_type))); }
  // PTX declares a struct as an array of bytes, and any parameter that is `__grid_constant__`.
  bool is_struct() const { return ptx.is_array && !is_pointer(source_type) && number().empty(); }

  Wording describe() const {
    return source_type.empty() ? Wording(ptx_type(ptx)) : worded("{} ({} in PTX)", source_type, ptx_type(ptx));
  }

  // An example of a matching --arg.
  Wording example() const {
    if (is_table()) return worded("a table of pointers such as {}", fmt::format("&{{4*{}}}", buffer_example()));
    if (known_pointer()) return worded("a buffer such as {}", buffer_example());
    if (ptx.is_array && ptx.bytes() == 2 && (is_struct() || number().ends_with("f16")))
      return is_bfloat() ? "bf16=…" : "f16=…";
    if (is_struct() && ptx.bytes() == 1)
      return worded("a struct of {} byte such as {{u8=1}}, or {{}} if it has no members", 1);
    if (is_struct())
      return worded("a struct of {} bytes such as {{i32=16,f32[256]=iota}}, its members in order", ptx.bytes());
    const std::string name = ptx.is_array ? number() : ptx::name_of(ptx.type);
    if (name == "f32" || name == "f64") return name + "=…";
    const Wording scalar = worded("i{0}=… or u{0}=…", 8 * ptx.bytes());
    if (without_blanks(source_type) == "unsignedlonglong")
      return worded("{}, or tex:… or surf:… for an object", scalar);
    return ptx.bytes() == 8 && !known_value() ? worded("{}, or a buffer", scalar) : scalar;
  }

  // For a struct of another size.
  Wording struct_cure(std::size_t given) const {
    const Wording pass = worded("Pass {}.", example());
    return ptx.alignment <= 8 || given >= ptx.bytes()
               ? pass
               : worded(
                     "{} A member that is aligned to {} bytes, such as float4, begins at a multiple of them, and so "
                     "does what follows the struct: write what lies between as members, such as 3*f32=0.",
                     pass, ptx.alignment);
  }

  // A pointer to pointers.
  bool is_table() const {
    const std::string tight = without_blanks(source_type);
    return tight.ends_with("**") || tight.ends_with("*const*");
  }

  std::string buffer_example() const {
    const std::string element =
        element_behind(is_table() ? source_type.substr(0, source_type.find('*') + 1) : source_type);
    return (element.empty() ? "f32" : element) + "[1024]=iota";
  }

  bool is_bfloat() const { return source_type.find("bfloat16") != std::string::npos; }
  // The two floats of 16 bits have the same size and different bits.
  bool is_other_half(sim::ElementType given) const {
    using enum sim::ElementType;
    return (given == f16 && is_bfloat()) || (given == bf16 && source_type.find("half") != std::string::npos);
  }

  // True if the kernel reads the buffer's elements as another type. Bytes may hold any type, and 16 bits a bfloat16.
  bool misreads(const sim::Argument& given) const {
    if (!given.is_buffer || sim::bytes_of(given.type) == 1) return false;
    const std::optional<sim::ElementType> type = pointed_at(source_type);
    if (!type) return false;
    if (sim::bytes_of(*type) != sim::bytes_of(given.type) || is_other_half(given.type)) return true;
    return is_floating(*type) != is_floating(given.type) && *type != sim::ElementType::bf16;
  }

  bool accepts(const sim::Argument& given) const {
    if (!given.raw_parameter.empty()) return given.raw_parameter.size() == ptx.bytes();
    const bool eight_bytes = ptx.bytes() == 8 && !is_struct();
    const std::string type = ptx.is_array ? number() : ptx::name_of(ptx.type);
    // A texture handle is an unsigned long long.
    if (given.texture != nullptr)
      return eight_bytes && (!known_value() || without_blanks(source_type) == "unsignedlonglong");
    if (given.same_as >= 0 && without_blanks(source_type) == "unsignedlonglong") return eight_bytes;
    if (given.is_buffer || given.same_as >= 0) return eight_bytes && type != "f64" && !known_value();
    const auto bytes = static_cast<std::uint64_t>(sim::bytes_of(given.type));
    if (bytes != ptx.bytes()) return false;
    if (is_struct() || (ptx.is_array && bytes == 2)) return !is_other_half(given.type);
    if (type == "f32" || type == "f64") return is_floating(given.type);
    return !is_floating(given.type) || (type == "b16" && source_type.empty());
  }
};

// Whether the compiled parameter has the size of this type.
bool has_size_of(const ptx::Parameter& parameter, const std::string& type) {
  return bytes_of_type(without_blanks(type)) == static_cast<std::int64_t>(parameter.bytes());
}

std::vector<WantedArgument> wanted_by(const ptx::Function& kernel, std::span<const std::string> declared) {
  std::vector<std::string> types = parameter_types(kernel.name);
  if (types.empty() && declared.size() == kernel.parameters.size())
    for (std::size_t i = 0; i < declared.size(); ++i)
      types.push_back(has_size_of(kernel.parameters[i], declared[i]) ? declared[i] : "");
  types.resize(kernel.parameters.size());
  std::vector<WantedArgument> wanted;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) wanted.push_back({kernel.parameters[i], types[i]});
  return wanted;
}

Wording list(const std::vector<WantedArgument>& wanted) {
  if (wanted.empty()) return "The kernel has no parameters.";
  std::vector<Wording> each;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    each.push_back(worded("{} {}: {}", i, wanted[i].describe(), wanted[i].example()));
  return worded("Parameters, from 0: {}.", joined(each, "{}; {}"));
}

}  // namespace

std::vector<std::string> parameter_types(const std::string& mangled) {
  const std::string name = demangled(mangled);
  const std::size_t begin = parameter_list(name);
  if (begin == std::string::npos) return {};
  std::vector<std::string> types;
  std::string current;
  int depth = 0;
  for (std::size_t i = begin + 1; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' || c == '<') ++depth;
    if (c == '>' || (c == ')' && depth > 0))
      --depth;
    else if (c == ')')
      break;
    if (c == ',' && depth == 0) {
      types.push_back(std::move(current));
      current.clear();
      ++i;  // skip the space after it
      continue;
    }
    current += c;
  }
  if (!current.empty() && current != "void") types.push_back(std::move(current));
  return types;
}

Result<std::string> entry_named(const ptx::Module& module, const std::string& name) {
  std::vector<std::string> known, in_namespaces;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) continue;
    const std::string full = without_blanks(source_name(function.name));
    if (function.name == name || full == without_blanks(name)) return function.name;
    if (full.ends_with("::" + without_blanks(name))) in_namespaces.push_back(function.name);
    known.push_back(source_name(function.name));
  }
  if (in_namespaces.size() == 1) return in_namespaces.front();
  return Diagnostic{Severity::error,
                    "compile.no_such_kernel",
                    {module.name},
                    worded("There is no kernel `{}`.", name),
                    lesson::did_you_mean(name, known)};
}

namespace {

// The cure if a lesson gives the arguments: the learner can change only the kernel. Empty if the user gave them,
// without names.
Wording keep_to(std::span<const RequestedArgument> texts) {
  std::vector<Wording> names;
  for (const RequestedArgument& text : texts)
    if (!text.name().empty()) names.emplace_back("`" + text.name() + "`");
  if (names.size() != texts.size() || names.empty()) return {};
  return worded("The lesson passes {}: declare these parameters, in this order.", joined(names, "{}, {}"));
}

}  // namespace

std::vector<Diagnostics> check_each_argument(const ptx::Function& kernel, std::span<const sim::Argument> arguments,
                                             std::span<const RequestedArgument> texts,
                                             std::span<const std::string> declared) {
  const std::vector<WantedArgument> wanted = wanted_by(kernel, declared);
  const Wording of_lesson = keep_to(texts);
  if (arguments.size() != wanted.size()) {
    const bool few = arguments.size() < wanted.size();
    return {{{Severity::error,
              few ? "argument.too_few" : "argument.too_many",
              {},
              worded("`{}` has {} parameter{}, but {} argument{} given.", source_name(kernel.name), wanted.size(),
                     wanted.size() == 1 ? "" : "s", arguments.size(), arguments.size() == 1 ? " was" : "s were"),
              !of_lesson.empty() ? of_lesson
              : few ? worded("Pass parameter {} ({}) too. {}", arguments.size(), wanted[arguments.size()].describe(),
                             list(wanted))
                    : worded("Remove `{}`. {}", texts[wanted.size()].text(), list(wanted))}}};
  }
  std::vector<Diagnostics> each(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Diagnostics& problems = each[i];
    const auto other = static_cast<std::size_t>(std::max(arguments[i].same_as, 0));
    if (arguments[i].same_as >= 0 && (other >= arguments.size() || !arguments[other].is_buffer)) {
      problems.push_back({Severity::error,
                          "argument.no_such",
                          {},
                          worded("`{}`: argument {} is not a buffer.", texts[i].text(), other),
                          "Name an argument that is a buffer. Arguments are numbered from 0."});
      continue;
    }
    const sim::Argument& seen = arguments[i].same_as >= 0 ? arguments[other] : arguments[i];
    if (wanted[i].misreads(seen)) {
      const Wording held = sim::name_of(seen.type);
      problems.push_back(
          {Severity::warning,
           "argument.other_elements",
           {},
           worded("Parameter {} of `{}` is {}, but `{}` holds {}: the kernel would read the bytes as different "
                  "numbers.",
                  i, source_name(kernel.name), wanted[i].describe(),
                  texts[i].name().empty() ? texts[i].text() : texts[i].name(), held),
           !of_lesson.empty() ? worded("The lesson passes {} here: declare the parameter as a pointer to that "
                                       "type.",
                                       held)
                              : worded("Pass {}, or u8 for raw bytes.", wanted[i].example())});
    }
    if (wanted[i].accepts(arguments[i])) continue;
    if (const std::size_t given = arguments[i].raw_parameter.size(); given != 0 && wanted[i].is_struct()) {
      problems.push_back({Severity::error,
                          "argument.mismatch",
                          {},
                          worded("Parameter {} of `{}` is {}, but `{}` has {} bytes.", i, source_name(kernel.name),
                                 wanted[i].describe(), texts[i].text(), given),
                          !of_lesson.empty() ? of_lesson : wanted[i].struct_cure(given)});
      continue;
    }
    problems.push_back({Severity::error,
                        "argument.mismatch",
                        {},
                        worded("Parameter {} of `{}` is {}, but was given `{}`.", i, source_name(kernel.name),
                               wanted[i].describe(), texts[i].text()),
                        !of_lesson.empty() ? of_lesson : worded("Pass {}. {}", wanted[i].example(), list(wanted))});
  }
  return each;
}

Diagnostics check_arguments(const ptx::Function& kernel, std::span<const sim::Argument> arguments,
                            std::span<const RequestedArgument> texts, std::span<const std::string> declared) {
  Diagnostics problems;
  for (Diagnostics& some : check_each_argument(kernel, arguments, texts, declared))
    for (Diagnostic& one : some) problems.push_back(std::move(one));
  return problems;
}

namespace {

// The message with `name` in place of each "arg 1"; parts that do not name an argument stay.
Wording with_names(const Wording& said, const std::vector<std::string>& names) {
  if (said.pattern() == "arg {}" && said.values().size() == 1) {
    std::size_t index = names.size();
    const std::string& number = said.values()[0];
    (void)std::from_chars(number.data(), number.data() + number.size(), index);
    return index < names.size() && !names[index].empty() ? worded("`{}`", names[index]) : said;
  }
  if (said.pattern().empty() || said.values().empty()) return said;
  std::vector<Wording> values;
  std::vector<std::string> texts;
  for (const Wording& value : said.values()) texts.push_back(values.emplace_back(with_names(value, names)));
  return {with_values(said.pattern(), texts), said.pattern(), std::move(values)};
}

}  // namespace

void name_arguments(Diagnostics& problems, const Request& request, const RequestedLaunch& launch) {
  std::vector<std::string> names;
  const std::size_t own = request.arguments.size();
  for (const RequestedLaunch::Parameter& parameter : request.parameters_of(launch)) {
    const auto index = static_cast<std::size_t>(parameter.buffer);
    names.push_back(parameter.buffer < 0                   ? ""
                    : index < own                          ? request.arguments[index].name()
                    : index - own < request.buffers.size() ? request.buffers[index - own].name()
                                                           : "");
  }
  for (Diagnostic& problem : problems) problem.message = with_names(problem.message, names);
}

}  // namespace lanescope::job
