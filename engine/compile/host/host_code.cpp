#include "compile/host/host_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "compile/host/definitions.h"
#include "compile/host/gxx_macros.h"
#include "compile/host/host_slice.h"
#include "compile/host/image_headers.h"
#include "compile/host/include_tree.h"
#include "compile/host/library_names.h"
#include "compile/host/nvcc_spelling.h"
#include "compile/host/source_needs.h"
#include "compile/host/source_scan.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

constexpr std::size_t nowhere = std::string::npos;

bool add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) != list.end()) return false;
  list.push_back(item);
  return true;
}

const ScannedDeclaration* declaration_at(const std::vector<ScannedDeclaration>& declarations, std::size_t offset) {
  for (const ScannedDeclaration& declaration : declarations)
    if (offset >= declaration.begin && offset < declaration.end) return &declaration;
  return nullptr;
}

// True for a class that kernels cannot use: a timer, an owner of device memory.
bool uses_host_library(const std::string& text, const ScannedDeclaration& declaration) {
  const std::string body = text.substr(declaration.begin, declaration.end - declaration.begin);
  if (contains(body, "std::") || contains(body, "thrust::")) return true;
  for (std::size_t at = body.find("cuda"); at != nowhere; at = body.find("cuda", at + 1))
    if (at + 4 < body.size() && std::isupper(static_cast<unsigned char>(body[at + 4])) != 0) return true;
  return false;
}

std::string missing_header_of(const LogEntry& entry) {
  constexpr std::string_view lead = "cannot open source file \"";
  const std::size_t at = entry.message.find(lead);
  if (at == nowhere) return "";
  const std::size_t begin = at + lead.size();
  return entry.message.substr(begin, entry.message.find('"', begin) - begin);
}

bool leave_out_header(Attempt& attempt, const std::string& name) {
  if (name.empty() || !add_once(attempt.empty_headers, name)) return false;
  attempt.left_out.push_back("<" + name + ">");
  return true;
}

bool missing_header(Attempt& attempt, const LogEntry& entry) {
  const std::string name = missing_header_of(entry);
  return stand_in_for_opencv(attempt, name) || (is_host_only_header(name) && leave_out_header(attempt, name));
}

// Replaces a CUDA header for host code, such as cuBLAS's, by an empty one where the user's files include it.
bool host_include(Attempt& attempt, const LogEntry& entry, const Source& source,
                  const std::vector<std::string>& system_paths) {
  return lies_in(entry.place.file, system_paths) &&
         leave_out_header(attempt, system_include(source, system_paths, attempt.empty_headers, entry.place.file));
}

// The name after `lead` in the message, up to its closing quote. Empty if the message does not begin with `lead`.
std::string name_behind(const LogEntry& entry, std::string_view lead) {
  if (!entry.message.starts_with(lead)) return "";
  return entry.message.substr(lead.size(), entry.message.find('"', lead.size()) - lead.size());
}
std::string missing_std_member(const LogEntry& entry) {
  const std::size_t end = entry.message.find(" is not a template");  // behind `using namespace std;`
  if (end != nowhere) return entry.message.substr(0, end);
  return name_behind(entry, "namespace \"std\" has no member \"");
}

// True if the error comes from one of Thrust's function objects. Without any Thrust header, its namespace is missing
// too.
bool wants_thrust_functor(const LogEntry& entry, const Attempt& attempt) {
  if (is_thrust_functor(name_behind(entry, "namespace \"thrust\" has no member \""))) return true;
  if (!entry.message.starts_with("name followed by \"::\"")) return false;
  const std::vector<std::string_view> lines = split(attempt.text, '\n');
  if (entry.place.line < 1 || static_cast<std::size_t>(entry.place.line) > lines.size()) return false;
  const std::string_view line = lines[static_cast<std::size_t>(entry.place.line) - 1];
  constexpr std::string_view scope = "thrust::";
  for (std::size_t at = line.find(scope); at != nowhere; at = line.find(scope, at + 1)) {
    std::size_t end = at + scope.size();
    while (end < line.size() && is_name_char(line[end])) ++end;
    if (is_thrust_functor(line.substr(at + scope.size(), end - at - scope.size()))) return true;
  }
  return false;
}

// A host-only member function (or friend) of a class that kernels also use. Virtual functions stay: without them
// objects could have another layout.
const ScannedDeclaration* host_member_at(const std::string& text, const std::vector<ScannedDeclaration>& members,
                                         std::size_t offset) {
  using Kind = ScannedDeclaration::Kind;
  const ScannedDeclaration* found = declaration_at(members, offset);
  if (found == nullptr || (found->kind != Kind::function && found->kind != Kind::alias)) return nullptr;
  const bool is_virtual = contains(text.substr(found->begin, found->end - found->begin), "virtual");
  return found->is_device || found->is_constexpr || is_virtual ? nullptr : found;
}

// `using namespace cv;` without the header that was left out. If all headers are there, the name is the user's mistake.
bool names_lost_namespace(const Attempt& attempt, const LogEntry& entry) {
  return !attempt.empty_headers.empty() && entry.message.starts_with("name must be a namespace name");
}

// Removes the host declaration with the error from `text`, the source or a header: a function or a declaration that the
// compiler refuses; with `at_last`, any declaration.
bool host_declaration(Attempt& attempt, std::string& text, const LogEntry& entry,
                      const std::vector<ScannedDeclaration>& declarations, bool at_last) {
  using Kind = ScannedDeclaration::Kind;
  const std::size_t offset = offset_of(text, entry.place.line, entry.place.column);
  const ScannedDeclaration* found = offset == nowhere ? nullptr : declaration_at(declarations, offset);
  if (found == nullptr || found->is_kernel || is_a_statement(text, *found)) return false;
  if (offset < text.size() && text[offset] == ' ') return false;  // already removed for another error of the same log
  std::vector<ScannedDeclaration> members;
  if (found->is_device) {
    if (!attempt.sliced || found->kind != Kind::type) return false;
    members = scan_members(text, *found);
    found = host_member_at(text, members, offset);
    if (found == nullptr) return false;
  } else if (at_last && found->kind == Kind::type) {
    // A kernel may need the class or one derived from it, so its function is removed first.
    members = scan_members(text, *found);
    if (const ScannedDeclaration* member = host_member_at(text, members, offset)) found = member;
  }
  const std::string member = missing_std_member(entry);
  const bool names_host_library =
      found->kind == Kind::alias && ((!member.empty() && !is_in_libcu(member)) || names_lost_namespace(attempt, entry));
  if (!is_host_refusal(entry) && found->kind != Kind::function && !names_host_library) {
    if (!at_last) return false;
    if (!attempt.sliced && !uses_host_library(text, *found)) return false;
  }
  // Members, constexpr functions and constants may also be meant for kernels: tries them as device code first.
  if ((found->is_constexpr || found->kind == Kind::type) && !attempt.device_is_default) return false;
  blank_out(text, found->begin, found->end);
  if (!found->name.empty()) add_once(attempt.left_out, found->name);
  return true;
}

// nvcc includes the C library's headers in every file.
bool needs_prelude(const LogEntry& entry) {
  const std::string member = missing_std_member(entry);
  const std::string name = name_behind(entry, "identifier \"");
  const auto is_in = [](const HostHeader& header, const std::string& text) { return contains(header.text, text); };
  for (const HostHeader& header : host_headers(HostLibrary::light)) {
    if (!member.empty() && (is_in(header, "using ::" + member + ";") || is_in(header, "& " + member + "(")))
      return true;
    if (!name.empty() && (is_in(header, "#define " + name + " ") || is_in(header, "using " + name + " ="))) return true;
  }
  return false;
}

bool needs_libcu(const LogEntry& entry) {
  return contains(entry.message, "cooperative_groups") || contains(entry.message, "\"cuda\"") ||
         contains(entry.message, "cuda::");
}

// Blanks the host declarations that contain errors.
bool leave_out_refused(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                       const std::vector<std::string>& system_paths, bool at_last) {
  bool changed = false;
  std::map<std::string, std::vector<ScannedDeclaration>> declarations;  // indexed by file
  for (const LogEntry& entry : log) {
    if (entry.severity != Severity::error) continue;
    const std::string& file = entry.place.file;
    TrimmedHeader* header = file == source.name ? nullptr : header_of(attempt, file, source, system_paths);
    if (header == nullptr && file != source.name) continue;
    std::string& text = header != nullptr ? header->text : attempt.text;
    if (!declarations.contains(file)) declarations[file] = scan_declarations(text);
    changed = host_declaration(attempt, text, entry, declarations[file], at_last) || changed;
  }
  return changed;
}

// Adds the next thing that an error asks for.
bool provide(Attempt& attempt, const std::vector<LogEntry>& log) {
  const auto any = [&log](auto wants) {
    return std::any_of(log.begin(), log.end(),
                       [&](const LogEntry& entry) { return entry.severity == Severity::error && wants(entry); });
  };
  const bool wants_std = any([](const LogEntry& e) { return is_in_libcu(missing_std_member(e)); });
  if (!attempt.device_is_default && any(is_host_refusal)) return attempt.device_is_default = true;
  if (!attempt.nvcc_prelude && any(needs_prelude)) return attempt.nvcc_prelude = true;
  if (attempt.light_cooperative_groups && any(needs_libcu)) {
    attempt.light_cooperative_groups = false;
    return true;
  }
  if (wants_std && attempt.library == HostLibrary::light) {
    attempt.library = HostLibrary::full;
    return true;
  }
  if (wants_std && !attempt.std_prelude) return attempt.std_prelude = true;
  const auto wants_thrust = [&](const LogEntry& e) { return wants_thrust_functor(e, attempt); };
  if (!attempt.thrust_functors && any(wants_thrust)) return attempt.thrust_functors = true;
  const auto is_old = [](const LogEntry& e) { return contains(e.message, "\"register\""); };
  if (!attempt.old_standard && any(is_old)) return attempt.old_standard = true;
  const auto is_wide = [](const LogEntry& e) { return contains(e.message, "--device-int128"); };
  if (!attempt.wide_integers && any(is_wide)) return attempt.wide_integers = true;
  if (attempt.without_cub && contains(attempt.text, "cub::")) {
    std::erase_if(attempt.empty_headers, [](const std::string& name) { return name.starts_with("cub/"); });
    attempt.without_cub = false;
    return true;
  }
  return false;
}

// True if the missing header could decide an #if: in the source or in the header that includes it.
bool could_decide(Attempt& attempt, const LogEntry& entry, const Source& source,
                  const std::vector<std::string>& system_paths) {
  const std::string& file = entry.place.file;
  const auto asks = [&](const std::string& text, int line) {
    return asks_the_preprocessor(with_definitions(text, source.defines), line);
  };
  if (file == source.name) return asks(attempt.text, entry.place.line);
  const TrimmedHeader* header = header_of(attempt, file, source, system_paths);
  return (header != nullptr && asks(header->text, entry.place.line)) ||
         asks(attempt.text, line_including(source, system_paths, file));
}

// Leaves out missing headers that no kernel can need.
bool leave_out_missing(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                       const std::vector<std::string>& system_paths) {
  bool changed = false;
  for (const LogEntry& entry : log) {
    const std::string name = missing_header_of(entry);
    if (name.empty() || could_decide(attempt, entry, source, system_paths)) continue;
    if (!leave_out_header(attempt, name)) continue;
    add_once(attempt.missing_headers, name);
    changed = true;
  }
  return changed;
}

// Leaves out #error lines about missing build settings, in files where no kernel needs what the settings decide.
bool leave_out_complaints(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                          const std::vector<std::string>& system_paths) {
  constexpr std::string_view lead = "#error directive: ";
  bool changed = false;
  for (const LogEntry& entry : log) {
    if (!entry.message.starts_with(lead)) continue;
    TrimmedHeader* header =
        entry.place.file == source.name ? nullptr : header_of(attempt, entry.place.file, source, system_paths);
    if (header == nullptr && entry.place.file != source.name) continue;
    std::string& text = header != nullptr ? header->text : attempt.text;
    const std::size_t begin = offset_of(text, entry.place.line, 1);
    const bool is_bare = blank_non_code(text).find_first_not_of(blanks) == nowhere;
    if (begin == nowhere || (!is_bare && asks_the_preprocessor(with_definitions(text, source.defines)))) continue;
    for (std::size_t at = begin; at < text.size() && text[at] != '\n'; ++at) text[at] = ' ';
    add_once(attempt.left_out, "#error " + entry.message.substr(lead.size()));
    changed = true;
  }
  return changed;
}

// Makes the files see __GNUC__ and __NVCC__. Not done for files that know NVRTC: they would assume the host pass.
void show_hidden_macros(Attempt& attempt, const Source& source, const std::vector<IncludedFile>& files,
                        const std::vector<std::string>& system_paths) {
  constexpr std::string_view nvrtc = "__CUDACC_RTC__";
  const auto knows_nvrtc = [&](const IncludedFile& file) { return contains(file.content, nvrtc); };
  if (contains(source.text, nvrtc) || std::ranges::any_of(files, knows_nvrtc)) return;
  replace_hidden_macros(attempt.text);
  for (const IncludedFile& file : files)
    if (names_hidden_macro(file.content))
      if (TrimmedHeader* header = header_of(attempt, file.path, source, system_paths))
        replace_hidden_macros(header->text);
}

// Done immediately, not only after an error, because the compiler may accept the split lines with another meaning.
void join_lines(Attempt& attempt, const Source& source, const std::vector<IncludedFile>& files,
                const std::vector<std::string>& system_paths) {
  join_lines_for_nvrtc(attempt.text);
  for (const IncludedFile& file : files) {
    std::string joined = file.content;
    if (!join_lines_for_nvrtc(joined)) continue;
    if (TrimmedHeader* header = header_of(attempt, file.path, source, system_paths)) join_lines_for_nvrtc(header->text);
  }
}

// Done only after an error: what the compiler accepts stays unchanged.
bool spell_as_refused(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                      const std::vector<std::string>& system_paths) {
  bool changed = false;
  for (const LogEntry& entry : log) {
    if (!contains(entry.message, "expected an expression") && !contains(entry.message, "expected an identifier"))
      continue;
    if (entry.place.file == source.name) {
      changed = spell_for_nvrtc(attempt.text) || changed;
    } else if (TrimmedHeader* header = header_of(attempt, entry.place.file, source, system_paths)) {
      changed = spell_for_nvrtc(header->text) || changed;
    }
  }
  return changed;
}

// Both CUDA and libcu++ have `exp(float)`, and `using namespace std;` makes both of them visible.
bool name_cudas_own(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                    const std::vector<std::string>& system_paths) {
  bool changed = false;
  // From the end of each file, so that the places of the log stay valid.
  std::vector<const LogEntry*> calls;
  for (const LogEntry& entry : log)
    if (contains(entry.message, "function \"cuda::std::")) calls.push_back(&entry);
  std::ranges::sort(calls, [](const LogEntry* a, const LogEntry* b) {
    return std::pair(a->place.line, a->place.column) > std::pair(b->place.line, b->place.column);
  });
  for (const LogEntry* entry : calls) {
    const std::string name = name_behind(*entry, "more than one instance of overloaded function \"");
    const SourcePlace& place = entry->place;
    TrimmedHeader* header = place.file == source.name ? nullptr : header_of(attempt, place.file, source, system_paths);
    if (name.empty() || (header == nullptr && place.file != source.name)) continue;
    if (!call_cudas_own(header != nullptr ? header->text : attempt.text, name, place.line, place.column)) continue;
    for (SourcePlace& other : attempt.scoped_calls)
      if (other.file == place.file && other.line == place.line && other.column > place.column) other.column += 2;
    attempt.scoped_calls.push_back(place);
    changed = true;
  }
  return changed;
}

bool wants_cpp20(const Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                 const std::vector<std::string>& system_paths) {
  const auto is_auto = [](const LogEntry& entry) { return contains(entry.message, "\"auto\" is not allowed here"); };
  if (std::any_of(log.begin(), log.end(), is_auto) || is_of_cpp20(blank_non_code(attempt.text))) return true;
  const std::vector<IncludedFile> files = user_includes(source, system_paths).files;
  return std::ranges::any_of(files, [](const IncludedFile& one) { return is_of_cpp20(blank_non_code(one.content)); });
}

}  // namespace

std::vector<LogEntry> with_columns_of_source(std::vector<LogEntry> log, const Attempt& attempt) {
  const auto correct = [&](SourcePlace& place) {
    int longer = 0;
    for (const SourcePlace& call : attempt.scoped_calls)
      if (call.file == place.file && call.line == place.line && call.column < place.column) longer += 2;
    place.column -= longer;
  };
  for (LogEntry& entry : log) {
    correct(entry.place);
    for (SourcePlace& place : entry.instantiated_at) correct(place);
  }
  return log;
}

TrimmedHeader* header_of(Attempt& attempt, const std::string& file, const Source& source,
                         const std::vector<std::string>& system_paths) {
  for (TrimmedHeader& header : attempt.headers)
    if (same_file(header.path, file)) return &header;
  const IncludeTree tree = user_includes(source, system_paths);
  const IncludedFile* found = nullptr;
  for (const IncludedFile& one : tree.files)
    if (same_file(one.path, file)) found = &one;
  if (found == nullptr) return nullptr;
  for (const IncludedFile& one : tree.files)
    for (const std::string& name : one.names)
      if (&one != found && std::ranges::find(found->names, name) != found->names.end()) return nullptr;
  attempt.headers.push_back({file, found->names, found->content});
  return &attempt.headers.back();
}

bool lacks_a_header(const std::vector<LogEntry>& log) {
  return std::any_of(log.begin(), log.end(), [](const LogEntry& entry) { return !missing_header_of(entry).empty(); });
}

bool is_host_refusal(const LogEntry& entry) {
  return contains(entry.message, "JIT mode");
}

std::vector<std::pair<std::string, std::string>> header_texts(const Attempt& attempt) {
  std::set<std::string> taken(attempt.empty_headers.begin(), attempt.empty_headers.end());
  for (const HostHeader& header : host_headers(attempt.library)) taken.insert(header.name);
  std::vector<std::pair<std::string, std::string>> texts;
  for (const TrimmedHeader& header : attempt.headers) {
    std::string first;
    for (const std::string& name : header.names) {
      if (!taken.insert(name).second) continue;
      texts.emplace_back(
          name, first.empty() ? "#line 1 \"" + header.path + "\"\n" + header.text : "#include \"" + first + "\"\n");
      if (first.empty()) first = name;
    }
  }
  return texts;
}

Attempt first_attempt(const Source& source, const std::vector<std::string>& system_paths) {
  Attempt attempt;
  attempt.text = source.text;
  const std::vector<IncludedFile> files = user_includes(source, system_paths).files;
  shorten_image_headers(attempt, files);
  show_hidden_macros(attempt, source, files, system_paths);
  join_lines(attempt, source, files, system_paths);
  attempt.half_prelude = needs_half(source, files);
  for (const IncludeDirective& directive : scan_includes(source.text)) {
    if (directive.name.starts_with("thrust/")) leave_out_header(attempt, directive.name);
    if (directive.name.starts_with("cub/"))
      attempt.without_cub = add_once(attempt.empty_headers, directive.name) || attempt.without_cub;
  }
  return attempt;
}

bool improve(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
             const std::vector<std::string>& system_paths) {
  if (spell_as_refused(attempt, log, source, system_paths)) return true;
  if (name_cudas_own(attempt, log, source, system_paths)) return true;
  bool changed = false;
  const auto leave_out_includes = [&](bool refused_alone) {
    std::set<std::string> headers;
    for (const LogEntry& entry : log)
      if (entry.severity == Severity::error && (is_host_refusal(entry) || !refused_alone) &&
          headers.insert(entry.place.file).second)
        changed = host_include(attempt, entry, source, system_paths) || changed;
  };
  for (const LogEntry& entry : log) changed = missing_header(attempt, entry) || changed;
  leave_out_includes(true);
  changed = leave_out_refused(attempt, log, source, system_paths, false) || changed;
  if (changed || provide(attempt, log)) return true;
  if (!attempt.new_standard && !attempt.old_standard && wants_cpp20(attempt, log, source, system_paths))
    return attempt.new_standard = true;
  if (leave_out_refused(attempt, log, source, system_paths, true)) return true;
  if (attempt.sliced) leave_out_includes(false);
  if (changed || !attempt.sliced) return changed;
  changed = leave_out_complaints(attempt, log, source, system_paths);
  return leave_out_missing(attempt, log, source, system_paths) || changed;
}

bool leave_out_host(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                    const std::vector<std::string>& system_paths) {
  if (attempt.sliced || concerns_device_code_alone(attempt, log, source)) return false;
  attempt.sliced = true;
  for (const IncludedFile& file : user_includes(source, system_paths).files)
    header_of(attempt, file.path, source, system_paths);
  std::vector<std::string*> texts{&attempt.text};
  for (TrimmedHeader& header : attempt.headers) texts.push_back(&header.text);
  const bool unreached = leave_out_unreached(texts, attempt.left_out);
  return leave_out_missing(attempt, log, source, system_paths) || unreached ||
         (concerns_device_code_alone(attempt, log, source, true) &&
          leave_out_refused(attempt, log, source, system_paths, true));
}

bool concerns_device_code_alone(const Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                                bool whole_classes) {
  std::map<std::string, std::vector<ScannedDeclaration>> declarations;
  return std::all_of(log.begin(), log.end(), [&](const LogEntry& entry) {
    if (entry.severity != Severity::error || entry.place.file == name_map) return true;
    const std::string& file = entry.place.file;
    const std::string* text = file == source.name ? &source.text : nullptr;
    for (const TrimmedHeader& header : attempt.headers)
      if (same_file(header.path, file)) text = &header.text;
    if (text == nullptr) return false;
    if (!declarations.contains(file)) declarations[file] = scan_declarations(*text);
    const std::size_t offset = offset_of(*text, entry.place.line, entry.place.column);
    const ScannedDeclaration* found = declaration_at(declarations[file], offset);
    if (found == nullptr || (!found->is_kernel && !found->is_device)) return false;
    return whole_classes || found->kind != ScannedDeclaration::Kind::type ||
           host_member_at(*text, scan_members(*text, *found), offset) == nullptr;
  });
}

}  // namespace lanescope::compile
