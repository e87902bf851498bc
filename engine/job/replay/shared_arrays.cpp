#include "job/replay/shared_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "compile/host/host_constants.h"
#include "compile/host/source_scan.h"
#include "core/comma_list.h"
#include "core/source_name.h"
#include "core/source_types.h"
#include "core/text.h"

namespace lanescope::job {
namespace {

using ptx::Type;

// "void ns::tiled<32>(float const*)" → "tiled".
std::string base_of_function(const std::string& demangled) {
  const std::string name = kernel_base_name(demangled.substr(0, parameter_list(demangled)));
  return name.substr(name.rfind(' ') + 1);
}

// The text with each whole word that `words` has replaced.
std::string with_known_words(std::string_view text, const std::map<std::string, std::string>& words) {
  std::string made;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_name_char(text[end])) ++end;
    if (end == i) {
      made += text[i++];
      continue;
    }
    const std::string word(text.substr(i, end - i));
    const auto known = words.find(word);
    made += known == words.end() ? word : known->second;
    i = end;
  }
  return made;
}

// `float tile[32][33]` of `__shared__ float tile[32][33], …;`
struct SharedDeclaration {
  std::string type, name;
  std::vector<std::string> dimensions;  // as written; "" for []
  std::size_t offset = 0;               // of the declaration in the text
};

// "tile[32][33] = {}" → name and dimensions; no name if this is something else.
SharedDeclaration shared_declarator(std::string_view text) {
  SharedDeclaration made;
  std::size_t end = text.size(), open = text.find('[');
  if (const std::size_t other = text.find_first_of("={("); other < open) end = other, open = std::string_view::npos;
  const std::string head{trimmed(text.substr(0, std::min(open, end)))};
  std::size_t name = head.size();
  while (name > 0 && is_name_char(head[name - 1])) --name;
  made.name = head.substr(name);
  made.type = trimmed(std::string_view(head).substr(0, name));
  while (open < end && text[open] == '[') {
    const std::size_t close = text.find(']', open);
    if (close == std::string_view::npos || text.substr(open + 1, close - open - 1).find('[') != std::string_view::npos)
      return {};
    made.dimensions.emplace_back(trimmed(text.substr(open + 1, close - open - 1)));
    open = text.find_first_not_of(" \t\r\n", close + 1);
  }
  return made;
}

// Without `__align__(16)` and `alignas(16)`, which say nothing about elements.
std::string without_alignment(std::string type) {
  for (const char* word : {"__align__", "alignas"})
    if (const std::size_t at = type.find(word); at != std::string::npos)
      if (const std::size_t close = type.find(')', at); close != std::string::npos) type.erase(at, close + 1 - at);
  return std::string(trimmed(type));
}

std::vector<SharedDeclaration> shared_declarations(std::string_view code) {
  constexpr std::string_view word = "__shared__";
  std::vector<SharedDeclaration> all;
  for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + word.size())) {
    const std::size_t from = at + word.size(), end = code.find(';', from);
    if (end == std::string_view::npos || (at > 0 && is_name_char(code[at - 1])) || is_name_char(code[from])) continue;
    std::string type;
    for (const std::string& part :
         comma_list(without_alignment(std::string(code.substr(from, end - from))), ListOf::types)) {
      SharedDeclaration one = shared_declarator(part);
      if (one.name.empty()) break;
      type = one.type.empty() ? type : one.type;
      one.type = type;
      one.offset = at;
      all.push_back(std::move(one));
    }
  }
  return all;
}

// The type of one member, and how many members there are.
struct DeclaredElement {
  Type type = Type::none;
  std::uint64_t members = 1;
  std::uint64_t bytes() const { return members * static_cast<std::uint64_t>(ptx::bytes_of(type)); }
};

DeclaredElement declared_element(std::string_view type) {
  std::string words;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const std::size_t begin = i;
    while (i < type.size() && is_name_char(type[i])) ++i;
    const std::string_view word = type.substr(begin, i - begin);
    if (word != "volatile" && word != "const" && word != "static" && word != "extern" && word != "std") words += word;
  }
  const auto [member, members] = vector_type(words);
  std::string name(element_of_type(member));
  if (name.starts_with('i')) name[0] = 's';  // i32 is s32 in PTX
  return name.empty() ? DeclaredElement{} : DeclaredElement{ptx::type_named(name), static_cast<std::uint64_t>(members)};
}

class SharedArrayReader {
 public:
  SharedArrayReader(std::string_view source, const std::string& kernel)
      : code_(compile::blank_non_code(source)),
        constants_(source),
        functions_(compile::scan_declarations(source)),
        declared_(shared_declarations(code_)),
        kernel_(kernel) {}

  // `function`: around the variable; empty if the PTX does not say it.
  void read(SharedArray& array, const std::string& function, bool dynamic) const {
    std::vector<const SharedDeclaration*> found =
        declared_in(array.name, function.empty() ? kernel_base_name(kernel_) : function);
    if (found.empty() && function.empty()) found = declared_in(array.name, "");
    const auto alike = [&](const SharedDeclaration* one) {
      return one->type == found[0]->type && one->dimensions == found[0]->dimensions;
    };
    if (!found.empty() && std::ranges::all_of(found, alike)) measure(array, *found[0], dynamic);
  }

 private:
  // Those in a function; with none, in any.
  std::vector<const SharedDeclaration*> declared_in(const std::string& name, const std::string& function) const {
    std::vector<const SharedDeclaration*> found;
    for (const SharedDeclaration& one : declared_) {
      if (one.name != name) continue;
      const compile::ScannedDeclaration* around = function_around(one.offset);
      if (function.empty() || (around != nullptr && kernel_base_name(around->name) == function)) found.push_back(&one);
    }
    return found;
  }

  const compile::ScannedDeclaration* function_around(std::size_t offset) const {
    const auto at =
        std::ranges::find_if(functions_, [&](const auto& one) { return one.begin <= offset && offset < one.end; });
    return at == functions_.end() ? nullptr : &*at;
  }

  // The template parameters of the kernel with their arguments: TILE → (32).
  std::map<std::string, std::string> template_words(std::size_t offset) const {
    const compile::ScannedDeclaration* around = function_around(offset);
    const std::size_t open = kernel_.find('<'), close = kernel_.rfind('>');
    if (around == nullptr || open == std::string::npos || close == std::string::npos ||
        kernel_base_name(around->name) != kernel_base_name(kernel_))
      return {};
    const std::vector<std::string> given =
        comma_list(std::string_view(kernel_).substr(open + 1, close - open - 1), ListOf::types);
    std::map<std::string, std::string> words;
    for (std::size_t i = 0; i < std::min(given.size(), around->template_parameters.size()); ++i)
      words[around->template_parameters[i]] = given[i];
    return words;
  }

  void measure(SharedArray& array, const SharedDeclaration& declared, bool dynamic) const {
    const auto words = template_words(declared.offset);
    const DeclaredElement element = declared_element(with_known_words(declared.type, words));
    std::vector<std::uint64_t> dimensions;
    std::uint64_t product = 1, unknown = 0;
    for (const std::string& text : declared.dimensions) {
      const auto value =
          text.empty() ? std::nullopt : constants_.evaluate(with_known_words(text, words), declared.offset).value;
      const bool is_number = value && value->kind == compile::HostValue::Kind::whole && value->whole > 0;
      dimensions.push_back(is_number ? static_cast<std::uint64_t>(value->whole) : 0);
      if (is_number)
        product *= dimensions.back();
      else
        ++unknown;
    }
    // The first length follows from the others; it is not needed for an index.
    if (unknown > 1 || (unknown == 1 && (dimensions[0] != 0 || element.bytes() == 0))) return;
    if (product > array.bytes) return;
    const std::uint64_t bytes = unknown == 1 || dynamic ? element.bytes() : array.bytes / product;
    if (!dynamic && unknown == 0 && bytes * product != array.bytes) return;
    if (element.bytes() != 0 && bytes != element.bytes()) return;  // the declaration is of something else
    if (bytes == 0 || (dimensions.empty() && element.bytes() == 0 && bytes > 8)) return;
    array.element = bytes;
    array.dimensions = std::move(dimensions);
    if (element.bytes() == bytes) array.type = element.type;
  }

  std::string code_;
  compile::HostConstants constants_;
  std::vector<compile::ScannedDeclaration> functions_;
  std::vector<SharedDeclaration> declared_;
  const std::string kernel_;
};

}  // namespace

std::string SharedArray::text(std::uint64_t at, std::string_view owner) const {
  std::uint64_t from = at - address;
  if (element == 0) return fmt::format("{}{} + {} B", name, owner, from);
  std::uint64_t index = from / element;
  from %= element;
  std::string made;
  for (std::size_t i = dimensions.size(); i-- > 0; index = i == 0 ? index : index / dimensions[i])
    made.insert(0, fmt::format("[{}]", i == 0 ? index : index % dimensions[i]));
  made.insert(0, fmt::format("{}{}", name, owner));
  const std::uint64_t member = type == Type::none ? element : static_cast<std::uint64_t>(ptx::bytes_of(type));
  if (member < element && from % member == 0)
    made += fmt::format(".{}", "xyzw"[from / member]);
  else if (from != 0)
    made += fmt::format(" + {} B", from);
  return made;
}

std::optional<std::uint64_t> SharedArray::find(std::string_view text) const {
  if (element == 0) return std::nullopt;
  std::uint64_t index = 0;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::size_t close = text.find(']');
    if (!text.starts_with('[') || close == std::string_view::npos) return std::nullopt;
    std::uint64_t one = 0;
    const auto parsed = std::from_chars(text.data() + 1, text.data() + close, one);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + close) return std::nullopt;
    if ((i > 0 && one >= dimensions[i]) || one >= bytes / element) return std::nullopt;
    index = i == 0 ? one : index * dimensions[i] + one;
    text.remove_prefix(close + 1);
  }
  std::uint64_t at = index * element;
  if (text.size() == 2 && text[0] == '.' && type != Type::none) {
    const std::size_t member = std::string_view("xyzw").find(text[1]);
    const auto width = static_cast<std::uint64_t>(ptx::bytes_of(type));
    if (member == std::string_view::npos || (member + 1) * width > element) return std::nullopt;
    at += member * width;
    text = {};
  }
  return text.empty() && at < bytes ? std::optional(address + at) : std::nullopt;
}

const SharedArray* array_at(const std::vector<SharedArray>& arrays, std::uint64_t address) {
  const SharedArray* found = nullptr;
  for (const SharedArray& one : arrays)
    if (one.has(address) && (found == nullptr || (found->element == 0 && one.element != 0))) found = &one;
  return found;
}

std::vector<SharedArray> shared_of(const Outcome& outcome, int launch, const sim::Program& program) {
  const trace::Trace& trace = *outcome.trace_of(launch);
  const std::string& source = outcome.request.source.name.ends_with(".ptx") ? "" : outcome.request.source.text;
  return shared_arrays(sim::shared_places(program), source, trace.kernel, trace.launch.dynamic_shared_bytes);
}

std::vector<SharedArray> shared_arrays(const std::vector<sim::SharedPlace>& places, std::string_view source,
                                       const std::string& kernel, std::uint64_t dynamic_bytes) {
  std::vector<SharedArray> all;
  if (places.empty()) return all;
  const SharedArrayReader reader(source, kernel);
  for (const sim::SharedPlace& place : places) {
    const bool dynamic = place.variable->bytes() == 0;
    std::string whole = demangled(place.variable->name);  // "k(float*)::tile"
    if (whole.empty()) whole = place.variable->name;
    const std::size_t colon = whole.rfind("::");
    SharedArray array{.name = colon == std::string::npos ? whole : whole.substr(colon + 2),
                      .address = place.address,
                      .bytes = dynamic ? dynamic_bytes : place.variable->bytes()};
    reader.read(array, colon == std::string::npos ? "" : base_of_function(whole.substr(0, colon)), dynamic);
    all.push_back(std::move(array));
  }
  return all;
}

}  // namespace lanescope::job
