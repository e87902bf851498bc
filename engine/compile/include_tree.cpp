#include "compile/include_tree.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include "compile/source_scan.h"

namespace lanescope::compile {
namespace fs = std::filesystem;
namespace {

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path result = fs::weakly_canonical(path, failed);
  return failed ? path.string() : result.string();
}

struct Pending {
  fs::path folder;  // of the file that holds the directive
  IncludeDirective directive;
  int top_line = 0;
};

// Visits every file that is reached, breadth first; `visit` returns whether to read it and go on
// into what it includes.
bool walk(const Source& source, const std::vector<std::string>& system_paths,
          const std::function<bool(const fs::path&, int line)>& visit,
          const std::function<void(const fs::path&, const std::string& content, int line)>& read) {
  constexpr std::size_t most_files = 4000;
  bool complete = true, computed = false;
  const fs::path home = fs::path(source.name).parent_path();
  std::deque<Pending> pending;
  std::set<std::string> seen;
  auto add = [&](const fs::path& folder, const std::string& text, int line) {
    for (IncludeDirective& directive : scan_includes(text, &computed)) {
      const int top = line != 0 ? line : directive.line;
      pending.push_back({folder, std::move(directive), top});
    }
    complete = complete && !computed;
  };
  add(home, source.text, 0);
  while (!pending.empty() && seen.size() < most_files) {
    const Pending next = std::move(pending.front());
    pending.pop_front();
    std::vector<fs::path> folders;
    if (!next.directive.angled) folders = {next.folder};
    folders.push_back(home);
    folders.insert(folders.end(), source.include_paths.begin(), source.include_paths.end());
    folders.insert(folders.end(), system_paths.begin(), system_paths.end());
    for (const fs::path& folder : folders) {
      const fs::path path = folder / next.directive.name;
      std::error_code ignored;
      if (!fs::is_regular_file(path, ignored)) continue;
      if (!seen.insert(resolved(path)).second) break;
      if (!visit(path, next.top_line)) break;
      const std::string content = read_file(path);
      read(path, content, next.top_line);
      add(path.parent_path(), content, next.top_line);
      break;
    }
  }
  return complete && pending.empty();
}

}  // namespace

bool lies_in(const std::string& path, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/')
      return true;
  return false;
}

IncludeTree user_includes(const Source& source, const std::vector<std::string>& system_paths) {
  IncludeTree tree;
  tree.complete = walk(
      source, system_paths,
      [&](const fs::path& path, int) { return !lies_in(path.string(), system_paths); },
      [&](const fs::path& path, const std::string& content, int line) {
        tree.files.push_back({path.string(), content, line});
      });
  return tree;
}

int line_including(const Source& source, const std::vector<std::string>& system_paths,
                   const std::string& header) {
  const std::string wanted = resolved(header);
  int found = 0;
  walk(
      source, system_paths,
      [&](const fs::path& path, int line) {
        if (found == 0 && resolved(path) == wanted) found = line;
        return found == 0;
      },
      [](const fs::path&, const std::string&, int) {});
  return found;
}

}  // namespace lanescope::compile
