#include "compile/host/include_tree.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "compile/host/definitions.h"
#include "compile/host/source_scan.h"
#include "core/os/read_file.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace fs = std::filesystem;
namespace {

std::string resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path result = fs::weakly_canonical(path, failed);
  return failed ? path.generic_string() : result.generic_string();
}

struct Pending {
  fs::path folder;  // of the file with the directive
  IncludeDirective directive;
  int top_line = 0;
  std::string entry;  // the user's directive that led to the CUDA headers
};

// Visits every reached file breadth first, once per #include. `visit` returns whether to read the file (the first time
// only) and follow its includes.
bool walk(
    const Source& source, const std::vector<std::string>& system_paths,
    const std::function<bool(const fs::path&, const Pending&)>& visit,
    const std::function<void(const fs::path&, const std::string& content, int line)>& read,
    const std::function<void(const fs::path&, int line)>& no_file = [](const fs::path&, int) {}) {
  constexpr std::size_t most_files = 4000;
  bool complete = true, computed = false;
  const fs::path home = fs::path(source.name).parent_path();
  std::deque<Pending> pending;
  std::set<std::string> seen;
  auto add = [&](const fs::path& folder, const std::string& text, int line, const std::string& entry) {
    for (IncludeDirective& directive : scan_includes(text, &computed)) {
      const int top = line != 0 ? line : directive.line;
      pending.push_back({folder, std::move(directive), top, entry});
    }
    complete = complete && !computed;
  };
  add(home, source.text, 0, "");
  while (!pending.empty() && seen.size() < most_files) {
    Pending next = std::move(pending.front());
    pending.pop_front();
    std::vector<fs::path> folders;
    if (!next.directive.angled) folders = {next.folder};
    folders.push_back(home);
    folders.insert(folders.end(), source.include_paths.begin(), source.include_paths.end());
    folders.insert(folders.end(), system_paths.begin(), system_paths.end());
    for (const fs::path& folder : folders) {
      const fs::path path = folder / next.directive.name;
      std::error_code ignored;
      const fs::file_type type = fs::status(path, ignored).type();
      if (type == fs::file_type::fifo || type == fs::file_type::character || type == fs::file_type::block) {
        no_file(path, next.top_line);
        break;
      }
      if (type != fs::file_type::regular) continue;
      if (next.entry.empty() && lies_in(path.generic_string(), system_paths)) next.entry = next.directive.name;
      if (!visit(path, next)) break;
      if (!seen.insert(resolved(path)).second) break;
      std::string content;  // empty if it cannot be read or is too large; NVRTC may read it all the same
      complete = read_file(path.generic_string(), content, most_source_bytes) == 0 && complete;
      read(path, content, next.top_line);
      add(path.parent_path(), content, next.top_line, next.entry);
      break;
    }
  }
  return complete && pending.empty();
}

std::optional<Pending> first_reaching(const Source& source, const std::vector<std::string>& system_paths,
                                      const std::string& header, const std::vector<std::string>& left_out) {
  const std::string wanted = resolved(header);
  std::optional<Pending> found;
  walk(
      source, system_paths,
      [&](const fs::path& path, const Pending& by) {
        if (std::find(left_out.begin(), left_out.end(), by.entry) != left_out.end()) return false;
        if (!found && resolved(path) == wanted) found = by;
        return !found;
      },
      [](const fs::path&, const std::string&, int) {});
  return found;
}

}  // namespace

bool same_file(const std::string& one, const std::string& other) {
  return one == other || resolved(one) == resolved(other);
}

bool lies_in(const std::string& path, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/') return true;
  return false;
}

IncludeTree user_includes(const Source& source, const std::vector<std::string>& system_paths) {
  IncludeTree tree;
  std::map<std::string, std::set<std::string>> names;
  tree.complete = walk(
      source, system_paths,
      [&](const fs::path& path, const Pending& by) {
        if (!by.entry.empty()) return false;
        names[resolved(path)].insert(by.directive.name);
        return true;
      },
      [&](const fs::path& path, const std::string& content, int line) {
        tree.files.push_back({path.generic_string(), content, line, {}});
      },
      [&](const fs::path& path, int line) {
        tree.endless = path.generic_string();
        tree.endless_line = line;
      });
  for (IncludedFile& file : tree.files) {
    const std::set<std::string>& written = names[resolved(file.path)];
    file.names.assign(written.begin(), written.end());
  }
  return tree;
}

std::optional<Diagnostic> refuse_includes(const Source& source, const IncludeTree& included) {
  if (included.endless.empty()) return std::nullopt;
  return Diagnostic{Severity::error,
                    "compile.not_a_file",
                    {source.name, included.endless_line, 0},
                    worded("the included `{}` is a pipe or a device, not a file", included.endless),
                    "Put a file in its place, or remove the line."};
}

int line_including(const Source& source, const std::vector<std::string>& system_paths, const std::string& header) {
  const auto found = first_reaching(source, system_paths, header, {});
  return found ? found->top_line : 0;
}

std::string system_include(const Source& source, const std::vector<std::string>& system_paths,
                           const std::vector<std::string>& left_out, const std::string& header) {
  const auto found = first_reaching(source, system_paths, header, left_out);
  return found ? found->entry : "";
}

namespace {

std::optional<DeviceVariable> variable_in(const std::string& text, const std::string& name) {
  for (const ScannedDeclaration& one : scan_declarations(text))
    if (one.is_device && one.kind == ScannedDeclaration::Kind::variable && one.name == name)
      return DeviceVariable{text.substr(one.begin, one.name_offset - one.begin),
                            text.substr(one.name_offset, one.end - one.name_offset)};
  return std::nullopt;
}

}  // namespace

std::optional<DeviceVariable> find_device_variable(const Source& source, const std::string& name) {
  if (source.name.ends_with(".ptx")) return std::nullopt;
  if (std::optional<DeviceVariable> own = variable_in(with_definitions(source.text, source.defines), name)) return own;
  const std::string_view plain = std::string_view(name).substr(name.rfind(':') + 1);  // npos + 1 is 0
  for (const IncludedFile& header : user_includes(source, {}).files)
    if (contains(header.content, plain))
      if (std::optional<DeviceVariable> there = variable_in(with_definitions(header.content, source.defines), name))
        return there;
  return std::nullopt;
}

}  // namespace lanescope::compile
