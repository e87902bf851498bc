#include "compile/host/host_slice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "compile/host/include_tree.h"
#include "compile/host/source_scan.h"
#include "core/source_name.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

using Kind = ScannedDeclaration::Kind;
using Names = std::set<std::string, std::less<>>;

// Calls `found(name, offset)` for each name in `code`.
template <typename Found>
void each_name(std::string_view code, Found found) {
  for (std::size_t at = 0; at < code.size();) {
    if (!is_name_char(code[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < code.size() && is_name_char(code[at])) ++at;
    if (std::isdigit(static_cast<unsigned char>(code[begin])) == 0) found(code.substr(begin, at - begin), begin);
  }
}

bool braces_pair(std::string_view code) {
  int depth = 0;
  for (const char c : code) {
    if (c == '{') ++depth;
    if (c == '}' && --depth < 0) return false;
  }
  return depth == 0;
}

// `typedef void (*call)(int)` does not declare `void`, which every kernel names.
bool is_word_of_the_language(std::string_view name) {
  constexpr std::array words{"void",     "bool",     "char",   "short",    "int",    "long",    "float", "double",
                             "signed",   "unsigned", "const",  "volatile", "struct", "class",   "union", "enum",
                             "typename", "auto",     "static", "inline",   "extern", "typedef", "using"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

// The names that a variable, type or alias declares, and possibly some more: those outside brackets that are followed
// by something that ends a declarator. For an enumeration, all names in it.
Names declared_names(std::string_view code, const ScannedDeclaration& declaration) {
  Names names;
  if (declaration.kind == Kind::function) {
    const std::size_t colon = declaration.name.rfind(':');
    names.insert(declaration.name.substr(colon == std::string::npos ? 0 : colon + 1));
    return names;
  }
  const std::string_view own = code.substr(declaration.begin, declaration.end - declaration.begin);
  bool is_enum = false;
  std::vector<int> depth(own.size() + 1);
  for (std::size_t i = 0, now = 0; i < own.size(); ++i) {
    const char c = own[i];
    if ((c == ')' || c == ']' || c == '}') && now > 0) --now;
    depth[i] = static_cast<int>(now);
    if (c == '(' || c == '[' || c == '{') ++now;
  }
  each_name(own, [&](std::string_view name, std::size_t at) {
    is_enum = is_enum || name == "enum";
    const std::size_t next = own.find_first_not_of(blanks, at + name.size());
    const bool ends = next == std::string_view::npos || contains("=,;[{:(", own.substr(next, 1));
    if (!is_word_of_the_language(name) && (is_enum || (depth[at] == 0 && ends))) names.emplace(name);
  });
  const std::size_t colon = declaration.name.rfind(':');
  names.insert(declaration.name.substr(colon == std::string::npos ? 0 : colon + 1));
  return names;
}

bool begins_directive(std::string_view text) {
  if (!text.starts_with('#')) return false;
  text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  constexpr std::array words{"if", "else", "elif", "endif", "define", "undef"};
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text.starts_with(word); });
}

Names base_names(const std::vector<std::string>& kernels) {
  Names names;
  for (const std::string& kernel : kernels) names.insert(kernel_base_name(kernel));
  return names;
}

bool shares_a_name(const Names& some, const Names& others) {
  return std::ranges::any_of(some, [&others](const std::string& name) { return others.contains(name); });
}

class Slicer {
 public:
  // Keeps what these kernels need; without them, what any kernel or device code needs.
  explicit Slicer(const std::vector<std::string*>& texts, std::optional<Names> kernels = std::nullopt)
      : kernels_(std::move(kernels)) {
    for (std::string* text : texts) add(*text);
    reach();
  }

  bool knows_the_kernels() const {
    Names known;
    for (const Part& part : parts_)
      if (part.declaration.is_kernel) known.insert(part.declares.begin(), part.declares.end());
    return std::ranges::includes(known, *kernels_);
  }

  enum class At { needed, unneeded, elsewhere };
  // What is there; an unneeded declaration is noted for leave_out_broken().
  At find(const std::string* text, std::size_t offset) {
    for (Part& part : parts_) {
      if (part.text != text || offset < part.declaration.begin || offset >= part.declaration.end) continue;
      part.broken = !part.kept;
      return part.kept ? At::needed : At::unneeded;
    }
    return At::elsewhere;
  }

  void leave_out_broken(std::vector<std::string>& names) {
    Names gone;
    for (bool more = true; more;) {
      more = false;
      for (Part& part : parts_) {
        if (part.kept || part.blanked) continue;
        const auto is_gone = [&gone](const std::string& name) { return gone.contains(name); };
        if (!part.broken && std::ranges::none_of(part.mentions, is_gone)) continue;
        part.blanked = more = true;
        blank_out(*part.text, part.declaration.begin, part.declaration.end);
        gone.insert(part.declares.begin(), part.declares.end());
        const std::string& name = part.declaration.name;
        if (part.broken && !name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
  }

  bool leave_out(std::vector<std::string>& left_out) {
    bool any = false;
    for (Part& part : parts_) {
      if (part.kept) continue;
      blank_out(*part.text, part.declaration.begin, part.declaration.end);
      any = true;
      const std::string& name = part.declaration.name;
      if (part.declaration.kind != Kind::alias && !name.empty() &&
          std::find(left_out.begin(), left_out.end(), name) == left_out.end())
        left_out.push_back(name);
    }
    return any;
  }

 private:
  struct Part {
    std::string* text = nullptr;
    ScannedDeclaration declaration;
    Names declares, mentions;
    bool kept = false;
    bool broken = false;
    bool blanked = false;
  };

  void add(std::string& text) {
    const std::string code = blank_non_code(text);
    add_macros(text);
    if (!braces_pair(code)) {
      each_name(code, [&](std::string_view name, std::size_t) { mention({std::string(name)}); });
      return;
    }
    for (ScannedDeclaration& declaration : scan_declarations(text)) {
      Part part;
      part.text = &text;
      part.declares = declared_names(code, declaration);
      each_name(std::string_view(code).substr(declaration.begin, declaration.end - declaration.begin),
                [&](std::string_view name, std::size_t) { part.mentions.emplace(name); });
      const bool is_called_unnamed =
          (declaration.is_constexpr || declaration.is_device) && part.declares.contains("operator");
      part.kept = declaration.name.empty() || is_called_unnamed || is_a_statement(text, declaration) ||
                  (kernels_ ? declaration.is_kernel && shares_a_name(part.declares, *kernels_)
                            : declaration.is_kernel || declaration.is_device);
      part.declaration = std::move(declaration);
      parts_.push_back(std::move(part));
    }
  }

  void add_macros(std::string_view text) {
    for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
      const std::size_t word = text.find_first_not_of(" \t", at + 1);
      if (word == std::string_view::npos || !text.substr(word).starts_with("define")) continue;
      std::size_t end = text.find('\n', word);
      while (end != std::string_view::npos && end > 0 &&
             (text[end - 1] == '\\' || (text[end - 1] == '\r' && text[end - 2] == '\\')))
        end = text.find('\n', end + 1);
      Names* body = nullptr;
      each_name(text.substr(word + 6, end == std::string_view::npos ? end : end - word - 6),
                [&](std::string_view name, std::size_t) {
                  if (body == nullptr)
                    body = &macros_[std::string(name)];
                  else
                    body->emplace(name);
                });
    }
  }

  void mention(const Names& names) {
    for (const std::string& name : names)
      if (mentioned_.insert(name).second) fresh_.push_back(name);
  }

  void keep(Part& part) {
    part.kept = true;
    mention(part.mentions);
    mention(part.declares);
  }

  void reach() {
    std::multimap<std::string_view, Part*> by_name;
    for (Part& part : parts_)
      for (const std::string& name : part.declares) by_name.emplace(name, &part);
    for (Part& part : parts_)
      if (part.kept) keep(part);
    while (!fresh_.empty()) {
      const std::string name = std::move(fresh_.back());
      fresh_.pop_back();
      if (const auto macro = macros_.find(name); macro != macros_.end()) mention(macro->second);
      const auto [begin, end] = by_name.equal_range(name);
      for (auto at = begin; at != end; ++at)
        if (!at->second->kept && name != "operator") keep(*at->second);
    }
  }

  std::optional<Names> kernels_;
  std::vector<Part> parts_;
  std::map<std::string, Names, std::less<>> macros_;  // names in the macro's replacement
  Names mentioned_;
  std::vector<std::string> fresh_;  // mentioned names that have not been followed yet
};

}  // namespace

void blank_out(std::string& text, std::size_t begin, std::size_t end) {
  end = std::min(end, text.size());
  bool line_start = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (line_start && begins_directive(std::string_view(text).substr(i))) {
      while (i < end && (text[i] != '\n' || text[i - 1] == '\\')) ++i;
      continue;
    }
    if (text[i] == '\n')
      line_start = true;
    else if (!contains(blanks, text.substr(i, 1)))
      line_start = false;
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

bool leave_out_unreached(const std::vector<std::string*>& texts, std::vector<std::string>& left_out) {
  return Slicer(texts).leave_out(left_out);
}

bool may_concern_others(const Diagnostics& errors, const Source& source, const std::vector<std::string>& kernels) {
  const Names wanted = base_names(kernels);
  std::vector<ScannedDeclaration> found = scan_declarations(source.text);
  std::erase_if(found, [](const ScannedDeclaration& one) { return !one.is_kernel; });
  if (std::erase_if(found, [&](const auto& one) { return !wanted.contains(kernel_base_name(one.name)); }) == 0)
    return false;
  return std::ranges::any_of(errors, [&](const Diagnostic& error) {
    if (error.severity != Severity::error) return false;
    if (error.place.file != source.name) return true;
    const std::size_t at = offset_of(source.text, error.place.line, error.place.column);
    return std::ranges::none_of(found, [at](const auto& one) { return one.begin <= at && at < one.end; });
  });
}

bool leave_out_other_kernels(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                             const std::vector<std::string>& system_paths, const std::vector<std::string>& kernels) {
  Attempt next = attempt;
  for (const IncludedFile& file : user_includes(source, system_paths).files)
    header_of(next, file.path, source, system_paths);
  std::vector<std::string*> texts{&next.text};
  for (TrimmedHeader& header : next.headers) texts.push_back(&header.text);
  Slicer slicer(texts, base_names(kernels));
  if (!slicer.knows_the_kernels()) return false;
  bool any = false;
  for (const LogEntry& entry : log) {
    if (entry.severity != Severity::error) continue;
    const std::string* text = entry.place.file == source.name ? &next.text : nullptr;
    for (const TrimmedHeader& header : next.headers)
      if (same_file(header.path, entry.place.file)) text = &header.text;
    if (text == nullptr) continue;
    const Slicer::At at = slicer.find(text, offset_of(*text, entry.place.line, entry.place.column));
    if (at == Slicer::At::needed) return false;
    any = any || at == Slicer::At::unneeded;
  }
  if (!any) return false;
  slicer.leave_out_broken(next.other_kernels);
  attempt = std::move(next);
  return true;
}

}  // namespace lanescope::compile
