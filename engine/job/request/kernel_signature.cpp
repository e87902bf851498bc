#include "job/request/kernel_signature.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "compile/host/definitions.h"
#include "compile/host/host_facts.h"
#include "compile/host/include_tree.h"
#include "compile/host/launch_scan.h"
#include "compile/host/source_scan.h"
#include "core/comma_list.h"
#include "core/kernel_name.h"
#include "core/source_name.h"
#include "core/source_types.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::job {

namespace {

using Substitutes = std::map<std::string, std::string, std::less<>>;

// The types that typedefs, `using` and macros of the text name: "real" → "float". "" if there are several.
Substitutes named_types(const std::string& given) {
  const std::string text = compile::with_all_branches(given);
  Substitutes types;
  const auto add = [&types](const std::string& name, std::string type) {
    const auto [place, is_new] = types.try_emplace(name, type);
    if (!is_new && place->second != type) place->second.clear();
  };
  // Headers for CUDA and HIP define `cudaTextureObject_t` as HIP's in a branch that the compiler does not take.
  const auto renames_cuda = [](const std::string& name, const std::string& body) {
    return (name.starts_with("cuda") || bytes_of_type(name) > 0) && bytes_of_type(without_blanks(body)) == 0;
  };
  for (const auto& [name, macro] : compile::find_macros(text))
    if (!macro.has_parameters && !renames_cuda(name, macro.body)) add(name, macro.ambiguous ? "" : macro.body);
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(text))
    if (one.kind == compile::ScannedDeclaration::Kind::alias && !one.name.empty() && !one.is_template)
      add(one.name, compile::aliased_type(text, one));
  return types;
}

std::string with_substitutes(std::string word, const Substitutes& substitutes) {
  constexpr int longest_chain = 8;
  for (int i = 0; i < longest_chain; ++i) {
    const auto known = substitutes.find(word);
    if (known == substitutes.end() || known->second.empty()) break;
    word = known->second;
  }
  return without_blanks(word);
}

// "const float* __restrict__ in = nullptr" with `in` left out.
std::string without_name(std::string_view text, const std::string& name) {
  text = trimmed(text.substr(0, text.find('=')));
  const std::size_t at = name.empty() ? std::string_view::npos : text.rfind(name);
  if (at == std::string_view::npos) return std::string(text);
  return std::string(trimmed(text.substr(0, at))) + std::string(trimmed(text.substr(at + name.size())));
}

// "unsigned int" has no name.
bool ends_a_type(std::string_view word) {
  return word == "int" || word == "char" || word == "short" || word == "long" || word == "double";
}

KernelParameter parameter_of(std::string_view whole, const Substitutes& substitutes) {
  KernelParameter made;
  const std::string_view text = trimmed(whole.substr(0, whole.find('=')));
  std::vector<std::string> words;
  int pointers = 0, angles = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name_char(text[end])) ++end;
    if (end == at) {
      angles += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
      pointers += angles == 0 && (text[at] == '*' || text[at] == '[') ? 1 : 0;
      made.pointer = pointers > 0;
      if (angles == 0 && text[at] == '[') break;
      ++at;
      continue;
    }
    std::string word(text.substr(at, end - at));
    at = end;
    if (word == "const" && !made.pointer) made.constant = true;
    if (angles == 0 && word != "std" && trimmed(text.substr(at)).starts_with("::")) {
      made.scope += word;
      continue;
    }
    if (word == "const" || word == "volatile" || word == "__restrict__" || word == "__restrict" || word == "restrict" ||
        word == "std" || word == "__grid_constant__" || word == "struct")
      continue;
    words.push_back(std::move(word));
  }
  if (words.size() > 1 && !ends_a_type(words.back())) {
    made.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) made.type += with_substitutes(word, substitutes);
  if (pointers > 1 && text.find('(') == std::string_view::npos) made.type += '*';  // not (*rows)[32]
  made.declared = without_name(whole, made.name);
  made.constant = made.constant && made.pointer;
  return made;
}

// Those of a struct's members of which each is a number or a pointer; else none.
std::vector<KernelParameter> members_of(const KernelParameter& one, const StructMembers& structs,
                                        const Substitutes& substitutes) {
  std::vector<KernelParameter> members;
  const auto known = structs.find(one.type);
  if (one.pointer || !one.element().empty() || known == structs.end()) return members;
  for (const std::string& text : known->second) {
    if (contains(text, "[")) return {};
    members.push_back(parameter_of(text, substitutes));
    const KernelParameter& member = members.back();
    const bool plain = member.pointer || (!member.element().empty() && member.elements_each() == 1);
    if (!plain || member.name.empty()) return {};
  }
  return members;
}

constexpr std::int64_t most_in_a_struct = 1 << 20;  // elements and bytes

// The product of the extents in "float m[2][3]"; 1 for no array, 0 for one whose extents are not numbers or large.
std::int64_t elements_of_array(std::string_view member) {
  std::int64_t count = 1;
  for (std::size_t open = member.find('['); open != std::string_view::npos; open = member.find('[', open + 1)) {
    const std::string_view extent = trimmed(member.substr(open + 1, member.find(']', open) - open - 1));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), value);
    if (error != std::errc{} || end != extent.data() + extent.size() || value < 0 || value > most_in_a_struct) return 0;
    count *= value;
    if (count > most_in_a_struct) return 0;
  }
  return count;
}

// Of a number, a vector or a pointer.
StructLayout layout_of_number(const KernelParameter& member) {
  StructLayout one{bytes_of_type(member.pointer ? "*" : member.type), 1, {}};
  const int numbers = member.pointer ? 1 : member.elements_each();
  const std::int64_t each = one.bytes / numbers;
  one.alignment = std::min<std::int64_t>(16, numbers == 3 ? each : one.bytes);
  for (int i = 0; i < numbers; ++i) one.numbers.push_back({i * each, each, ""});
  return one;
}

// As CUDA lays it out: each member at a multiple of its alignment, which is its size, of a vector of three that of an
// element, and never more than 16.
StructLayout layout_of(const std::string& type, const StructMembers& structs, const Substitutes& substitutes,
                       int depth = 0) {
  const auto known = structs.find(type);
  constexpr int deepest = 8;
  constexpr std::int64_t most_numbers = 4096;
  if (known == structs.end() || depth > deepest) return {};
  StructLayout all;
  bool many = false;
  for (const std::string& text : known->second) {
    const KernelParameter member = parameter_of(std::string_view(text).substr(0, text.find('[')), substitutes);
    StructLayout one = layout_of_number(member);
    if (one.bytes == 0) one = layout_of(member.type, structs, substitutes, depth + 1);
    const std::int64_t count = elements_of_array(text);
    if (one.bytes == 0 || count == 0) return {};
    all.alignment = std::max(all.alignment, one.alignment);
    all.bytes = (all.bytes + one.alignment - 1) / one.alignment * one.alignment;
    many = many || one.numbers.empty() || static_cast<std::int64_t>(one.numbers.size()) * count > most_numbers;
    for (std::int64_t i = 0; i < count && !many; ++i)
      for (const StructLayout::Number& number : one.numbers)
        all.numbers.push_back({all.bytes + i * one.bytes + number.at, number.bytes,
                               member.name + (contains(text, "[") ? fmt::format("[{}]", i) : "") +
                                   (number.name.empty() ? "" : "." + number.name)});
    all.bytes += count * one.bytes;
    if (all.bytes > most_in_a_struct) return {};
  }
  all.bytes = (all.bytes + all.alignment - 1) / all.alignment * all.alignment;
  if (many) all.numbers.clear();
  return all;
}

KernelParameter declared_as(std::string_view text, const StructMembers& structs, const Substitutes& substitutes) {
  KernelParameter made = parameter_of(text, substitutes);
  made.members = members_of(made, structs, substitutes);
  if (made.element().empty()) made.layout = layout_of(made.type, structs, substitutes);
  return made;
}

// The text between the brackets that open at or after `from`; empty if there are none. `end`: behind them.
std::string_view in_brackets(std::string_view text, std::size_t from, char open, char close, std::size_t& end) {
  const std::size_t begin = text.find(open, from);
  if (begin == std::string_view::npos) return {};
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) {
      end = i + 1;
      return text.substr(begin + 1, i - begin - 1);
    }
  }
  return {};
}

std::vector<KernelSignature::TemplateParameter> template_parameters_of(std::string_view head) {
  std::vector<KernelSignature::TemplateParameter> made;
  std::size_t end = 0;
  if (!trimmed(head).starts_with("template")) return made;
  for (const std::string& one : comma_list(in_brackets(head, 0, '<', '>', end), ListOf::types)) {
    KernelSignature::TemplateParameter& next = made.emplace_back();
    const std::size_t equals = one.find('=');
    next.declared = std::string(trimmed(std::string_view(one).substr(0, equals)));
    if (equals != std::string::npos) next.value = std::string(trimmed(std::string_view(one).substr(equals + 1)));
    std::size_t begin = next.declared.size();
    while (begin > 0 && is_name_char(next.declared[begin - 1])) --begin;
    if (begin > 0) next.name = next.declared.substr(begin);
  }
  return made;
}

KernelSignature signature_of(const compile::ScannedDeclaration& one, std::string_view code) {
  KernelSignature made;
  made.name = one.name;
  made.parameters = one.parameters;
  made.offset = one.name_offset;
  made.line = one.line;
  const std::string_view whole = code.substr(one.begin, one.end - one.begin);
  const bool in_place = one.name_offset >= one.begin && one.name_offset < one.end;  // not from a macro
  if (!in_place) return made;
  made.template_parameters = template_parameters_of(whole.substr(0, one.name_offset - one.begin));
  if (const std::size_t at = whole.find("__launch_bounds__"); at != std::string_view::npos) {
    std::size_t end = 0;
    const std::vector<std::string> bounds = comma_list(in_brackets(whole, at, '(', ')', end));
    if (!bounds.empty()) made.bounds = bounds.front();
  }
  std::size_t behind = one.name_offset - one.begin;
  in_brackets(whole, behind, '(', ')', behind);
  if (const std::size_t open = whole.find('{', behind); open != std::string_view::npos)
    made.body = std::string(whole.substr(open));
  return made;
}

}  // namespace

std::string KernelParameter::element() const {
  return std::string(element_of_type(vector_type(type).first));
}

int KernelParameter::elements_each() const {
  return element_of_type(type).empty() ? vector_type(type).second : 1;
}

bool KernelParameter::has_unknown_layout() const {
  return layout.bytes == 0 && element().empty() && type != "void";
}

void add_types_of_headers(SourceKernels& kernels, const compile::Source& source) {
  for (const compile::IncludedFile& header : compile::user_includes(source, {}).files)
    kernels.add_types(compile::with_definitions(header.content, source.defines));
}

SourceKernels kernels_of(const compile::Source& source) {
  SourceKernels kernels(compile::with_definitions(source.text, source.defines));
  const auto is_unknown = [&](const KernelSignature& kernel) {
    return std::ranges::any_of(kernels.parameters(kernel, {}), [&](const KernelParameter& one) {
      const bool of_cuda = one.type.starts_with("cuda") || one.type.starts_with("curand");
      const bool of_template =
          std::ranges::find(kernel.template_parameters, one.type, &KernelSignature::TemplateParameter::name) !=
          kernel.template_parameters.end();
      return one.has_unknown_layout() && !of_cuda && !of_template;
    });
  };
  if (std::ranges::any_of(kernels.all(), is_unknown)) add_types_of_headers(kernels, source);
  return kernels;
}

std::vector<HeaderKernel> kernels_of_headers(const compile::Source& source) {
  std::vector<HeaderKernel> found;
  for (const compile::IncludedFile& file : compile::user_includes(source, {}).files)
    for (std::string& name : compile::scan_kernels(file.content)) found.push_back({std::move(name), file.path});
  return found;
}

Wording kernels_in_headers(const std::vector<HeaderKernel>& found) {
  constexpr std::size_t most = 6;
  std::vector<Wording> names;
  for (std::size_t i = 0; i < std::min(found.size(), most); ++i)
    names.push_back(worded("`{}` ({})", found[i].name, found[i].header));
  return found.size() <= most
             ? worded("The file itself has no kernel, but headers that it includes have: {}.", joined(names, "{}, {}"))
             : worded("The file itself has no kernel, but headers that it includes have {} kernels, among them {}.",
                      found.size(), joined(names, "{}, {}"));
}

std::vector<std::string> template_arguments(const std::string& kernel) {
  const std::string_view name = without_cast(kernel);
  const std::size_t open = name.find('<'), close = name.rfind('>');
  return open == std::string::npos || close < open ? std::vector<std::string>()
                                                   : comma_list(name.substr(open + 1, close - open - 1), ListOf::types);
}

namespace {

bool are_alike(const std::vector<KernelParameter>& some, const std::vector<KernelParameter>& others) {
  const auto alike = [](const KernelParameter& one, const KernelParameter& other) {
    return one.type == other.type && one.scope == other.scope && one.constant == other.constant &&
           std::ranges::count(one.declared, '*') == std::ranges::count(other.declared, '*');
  };
  return std::ranges::equal(some, others, alike);
}

// Whether these are two kernels rather than two declarations of one.
bool differ(const SourceKernels& kernels, const KernelSignature& a, const KernelSignature& b) {
  const bool templates = !a.template_parameters.empty() || !b.template_parameters.empty();
  if (templates || a.body.empty() || b.body.empty()) return false;
  return !are_alike(kernels.parameters(a, {}), kernels.parameters(b, {}));
}

// "(void (*)(float const*, int))"
std::string type_of(const SourceKernels& kernels, const KernelSignature& kernel) {
  std::string types;
  for (const KernelParameter& one : kernels.parameters(kernel, {}))
    types += (types.empty() ? "" : ", ") + (one.declared.empty() ? one.type : one.declared);
  return "(void (*)(" + types + "))";
}

}  // namespace

void SourceKernels::add_types(const std::string& header) {
  types_.merge(named_types(header));
  const std::string code = compile::blank_non_code(header);
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(header))
    if (one.kind != compile::ScannedDeclaration::Kind::function) add_struct(structs_, code, one);
}

SourceKernels::SourceKernels(const std::string& text) : types_(named_types(text)) {
  const std::string code = compile::blank_non_code(text);
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(text)) {
    if (!one.is_kernel) {
      if (one.kind != compile::ScannedDeclaration::Kind::function) add_struct(structs_, code, one);
      continue;
    }
    auto known = std::ranges::find(all_, one.name, &KernelSignature::name);
    if (!one.template_arguments.empty()) {
      if (known != all_.end() && known->instantiated.empty())
        known->instantiated = template_arguments(one.template_arguments);
      continue;
    }
    KernelSignature made = signature_of(one, code);
    const bool specialised =
        made.template_parameters.empty() &&
        trimmed(std::string_view(code).substr(one.begin, one.end - one.begin)).starts_with("template");
    if (specialised && known != all_.end()) continue;
    const auto same = [&](const KernelSignature& other) {
      return other.name == one.name && !differ(*this, other, made);
    };
    known = std::ranges::find_if(all_, same);
    if (known == all_.end())
      all_.push_back(std::move(made));
    else if (!made.body.empty() || known->body.empty())
      *known = std::move(made);
  }
  std::vector<std::string> names;
  for (const KernelSignature& one : all_) names.push_back(one.name);
  for (KernelSignature& one : all_)
    if (std::ranges::count(names, one.name) > 1) one.name = type_of(*this, one) + one.name;
}

const KernelSignature* SourceKernels::find(std::string_view kernel) const {
  const std::string_view bare = without_cast(kernel);
  const std::string_view name = trimmed(bare.substr(0, bare.find('<')));
  if (bare.size() < trimmed(kernel).size()) {  // "(void (*)(float*))scale" has its types
    std::size_t end = 0;
    const std::string_view type = trimmed(kernel).substr(1);
    KernelSignature typed;
    typed.parameters = in_brackets(type, type.find(')'), '(', ')', end);
    for (const KernelSignature& one : all_)
      if (may_be_same_kernel(one.name, kernel) && one.template_parameters.empty() &&
          are_alike(parameters(one, {}), parameters(typed, {})))
        return &one;
  }
  const KernelSignature* found = nullptr;
  bool exact = false;
  for (const KernelSignature& one : all_) {
    if (without_blanks(one.name) == without_blanks(kernel)) return &one;
    const bool better = !exact && without_cast(one.name) == name;
    if (better || (found == nullptr && may_be_same_kernel(one.name, kernel))) found = &one;
    exact |= better;
  }
  return found;
}

KernelParameter SourceKernels::declared(std::string_view declaration) const {
  return declared_as(declaration, structs_, types_);
}

std::vector<KernelParameter> SourceKernels::parameters(const KernelSignature& kernel,
                                                       const std::vector<std::string>& given) const {
  Substitutes substitutes = types_;
  for (std::size_t i = 0; i < std::min(given.size(), kernel.template_parameters.size()); ++i)
    if (!given[i].empty()) substitutes[kernel.template_parameters[i].name] = given[i];
  std::vector<KernelParameter> made;
  for (const std::string& text : comma_list(kernel.parameters, ListOf::types))
    made.push_back(declared_as(text, structs_, substitutes));
  if (made.size() == 1 && made[0].type == "void" && !made[0].pointer) made.clear();
  return made;
}

std::string with_blanks(std::string_view type) {
  for (const std::string_view word : {"unsigned", "signed", "long", "short"})
    if (type.size() > word.size() && type.starts_with(word))
      return std::string(word) + " " + with_blanks(type.substr(word.size()));
  return std::string(type);
}

std::vector<std::string> SourceKernels::declared_types(std::string_view kernel) const {
  const KernelSignature* const found = find(kernel);
  std::vector<std::string> types;
  if (found == nullptr) return types;
  for (const KernelParameter& one : parameters(*found, template_arguments(std::string(kernel)))) {
    const bool plain = !one.element().empty() && !contains(one.declared, "(") && !contains(one.declared, "&");
    types.push_back(!plain ? "" : with_blanks(one.type) + (one.constant ? " const" : "") + (one.pointer ? "*" : ""));
  }
  return types;
}

}  // namespace lanescope::job
