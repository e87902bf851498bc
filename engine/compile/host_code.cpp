#include "compile/host_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "compile/include_tree.h"
#include "compile/source_scan.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

constexpr std::size_t nowhere = std::string::npos;

std::size_t offset_of(const std::string& text, int line, int column) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) {
    at = text.find('\n', at);
    if (at == nowhere) return nowhere;
    ++at;
  }
  return std::min(at + static_cast<std::size_t>(std::max(column, 1)) - 1, text.size());
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end && i < text.size(); ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

bool add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) != list.end()) return false;
  list.push_back(item);
  return true;
}

const ScannedDeclaration* declaration_at(const std::vector<ScannedDeclaration>& declarations,
                                         std::size_t offset) {
  for (const ScannedDeclaration& declaration : declarations)
    if (offset >= declaration.begin && offset < declaration.end) return &declaration;
  return nullptr;
}

// A class that no kernel can have: a timer, an owner of device memory.
bool uses_host_library(const std::string& text, const ScannedDeclaration& declaration) {
  const std::string body = text.substr(declaration.begin, declaration.end - declaration.begin);
  if (contains(body, "std::") || contains(body, "thrust::")) return true;
  for (std::size_t at = body.find("cuda"); at != nowhere; at = body.find("cuda", at + 1))
    if (at + 4 < body.size() && std::isupper(static_cast<unsigned char>(body[at + 4])) != 0)
      return true;
  return false;
}

bool missing_header(Attempt& attempt, const LogEntry& entry) {
  constexpr std::string_view lead = "cannot open source file \"";
  const std::size_t at = entry.message.find(lead);
  if (at == nowhere) return false;
  const std::size_t begin = at + lead.size();
  const std::string name = entry.message.substr(begin, entry.message.find('"', begin) - begin);
  if (!is_host_only_header(name) || !add_once(attempt.empty_headers, name)) return false;
  attempt.left_out.push_back("<" + name + ">");
  return true;
}

// A CUDA header for the host, such as Thrust's algorithms: leave out the line that includes it.
bool host_include(Attempt& attempt, const LogEntry& entry, const Source& source,
                  const std::vector<std::string>& system_paths) {
  if (!lies_in(entry.place.file, system_paths)) return false;
  const int line = line_including({source.name, attempt.text, source.include_paths}, system_paths,
                                  entry.place.file);
  for (const IncludeDirective& directive : scan_includes(attempt.text)) {
    if (directive.line != line) continue;
    const std::size_t begin = offset_of(attempt.text, line, 1);
    blank(attempt.text, begin, std::min(attempt.text.find('\n', begin), attempt.text.size()));
    add_once(attempt.left_out, "<" + directive.name + ">");
    return true;
  }
  return false;
}

// Takes out the host declaration that an error lies in.
bool host_declaration(Attempt& attempt, const LogEntry& entry,
                      const std::vector<ScannedDeclaration>& declarations) {
  using Kind = ScannedDeclaration::Kind;
  const std::size_t offset = offset_of(attempt.text, entry.place.line, entry.place.column);
  const ScannedDeclaration* found =
      offset == nowhere ? nullptr : declaration_at(declarations, offset);
  if (found == nullptr || found->is_kernel || found->is_device) return false;
  const bool refused = is_host_refusal(entry);
  if (!refused && found->kind != Kind::function && !uses_host_library(attempt.text, *found))
    return false;
  // Members, constexpr functions and constants may well be meant for kernels too: try them as
  // device code first.
  if ((found->is_constexpr || found->kind == Kind::type) && !attempt.device_is_default)
    return false;
  blank(attempt.text, found->begin, found->end);
  add_once(attempt.left_out, found->name);
  return true;
}

// The name behind `lead` in the message, up to its closing quote; empty when the message begins
// otherwise.
std::string name_behind(const LogEntry& entry, std::string_view lead) {
  if (!entry.message.starts_with(lead)) return "";
  return entry.message.substr(lead.size(), entry.message.find('"', lead.size()) - lead.size());
}
std::string missing_std_member(const LogEntry& entry) {
  return name_behind(entry, "namespace \"std\" has no member \"");
}

bool needs_prelude(const LogEntry& entry) {
  const std::string member = missing_std_member(entry);
  if (!member.empty())
    for (const HostHeader& header : host_headers(HostLibrary::light))
      if (contains(header.text, "using ::" + member + ";") || contains(header.text, "& " + member + "("))
        return true;
  const std::string name = name_behind(entry, "identifier \"");
  return name.starts_with("M_") || name == "INFINITY" || name == "NAN" ||
         name.starts_with("HUGE_VAL") || name.starts_with("EXIT_");
}

// libcu++ has nearly everything that stands in a header of ours by the same name, but no containers
// and streams.
bool is_in_libcu(const std::string& std_member) {
  constexpr std::array host_only{
      "vector", "string", "map",           "set",           "list",         "deque",
      "queue",  "stack",  "unordered_map", "unordered_set", "cout",         "cerr",
      "cin",    "endl",   "unique_ptr",    "shared_ptr",    "make_unique",  "make_shared",
      "thread", "mutex",  "ofstream",      "ifstream",      "stringstream", "fprintf",
      "exit",   "sort",   "to_string"};
  return !std_member.empty() &&
         std::find(host_only.begin(), host_only.end(), std_member) == host_only.end();
}

bool needs_libcu(const LogEntry& entry) {
  return contains(entry.message, "cooperative_groups") || contains(entry.message, "\"cuda\"") ||
         contains(entry.message, "cuda::");
}

}  // namespace

bool is_host_refusal(const LogEntry& entry) {
  return contains(entry.message, "JIT mode");
}

Attempt first_attempt(const Source& source) {
  Attempt attempt;
  attempt.text = source.text;
  for (const IncludeDirective& directive : scan_includes(source.text))
    if ((directive.name.starts_with("thrust/") || directive.name == "cuda.h") &&
        add_once(attempt.empty_headers, directive.name))
      attempt.left_out.push_back("<" + directive.name + ">");
  return attempt;
}

bool improve(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
             const std::vector<std::string>& system_paths) {
  bool changed = false, refused = false;
  bool wants_std = false, wants_libcu = false, wants_prelude = false;
  std::set<std::string> refused_headers;
  const auto declarations = scan_declarations(attempt.text);
  for (const LogEntry& entry : log) {
    if (entry.severity != Severity::error) continue;
    refused = refused || is_host_refusal(entry);
    wants_std = wants_std || is_in_libcu(missing_std_member(entry));
    wants_libcu = wants_libcu || needs_libcu(entry);
    wants_prelude = wants_prelude || needs_prelude(entry);
    changed = missing_header(attempt, entry) || changed;
    if (is_host_refusal(entry) && refused_headers.insert(entry.place.file).second)
      changed = host_include(attempt, entry, source, system_paths) || changed;
    if (entry.place.file == source.name)
      changed = host_declaration(attempt, entry, declarations) || changed;
  }
  if (changed) return true;
  if (refused && !attempt.device_is_default) return attempt.device_is_default = true;
  if (wants_prelude && !attempt.nvcc_prelude) return attempt.nvcc_prelude = true;
  if (wants_libcu && attempt.light_cooperative_groups) {
    attempt.light_cooperative_groups = false;
    return true;
  }
  if (wants_std && attempt.library == HostLibrary::light) {
    attempt.library = HostLibrary::full;
    return true;
  }
  return false;
}

}  // namespace lanescope::compile
