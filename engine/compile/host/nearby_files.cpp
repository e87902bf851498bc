#include "compile/host/nearby_files.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "compile/host/source_scan.h"
#include "core/os/read_file.h"

namespace lanescope::compile {
namespace fs = std::filesystem;
namespace {

constexpr int levels_up = 2, levels_down = 2;

class HeaderSearch {
 public:
  explicit HeaderSearch(const std::string& name) : name_(name) {}

  // The first folder that has the header: `folder`, then its subfolders by name, then theirs. Empty if none has it.
  std::string below(const fs::path& folder) {
    std::vector<fs::path> level{folder};
    for (int depth = 0; depth <= levels_down; ++depth) {
      for (const fs::path& one : level)
        if (is_file(one / name_)) return one.generic_string();
      if (depth < levels_down) level = folders_in(level);
    }
    return "";
  }
  static bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  }

 private:
  std::vector<fs::path> folders_in(const std::vector<fs::path>& all) {
    std::vector<fs::path> found;
    for (const fs::path& one : all) {
      std::vector<fs::path> here;
      std::error_code failed;
      const fs::directory_iterator entries(one, fs::directory_options::skip_permission_denied, failed);
      if (failed) continue;
      for (auto entry = begin(entries); entry != end(entries) && left_ > 0; entry.increment(failed)) {
        std::error_code ignored;
        if (failed) break;
        if (!entry->is_directory(ignored) || entry->is_symlink(ignored)) continue;
        if (entry->path().filename().generic_string().starts_with('.')) continue;
        here.push_back(entry->path());
        --left_;
      }
      std::ranges::sort(here);
      found.insert(found.end(), here.begin(), here.end());
    }
    return found;
  }

  std::string name_;
  int left_ = 400;  // folders
};

// "a::f" of "void a::f<int>(int*)"; empty for names that are written otherwise, such as those of operators.
std::string_view plain_name(std::string_view linker_name) {
  std::string_view name = linker_name.substr(0, linker_name.find('('));
  if (name.ends_with('>')) {
    std::size_t open = name.size();
    for (int depth = 0; open > 0;) {
      --open;
      depth += name[open] == '>' ? 1 : name[open] == '<' ? -1 : 0;
      if (depth == 0) break;
    }
    name = name.substr(0, open);
  }
  const std::size_t blank = name.rfind(' ');
  return blank == std::string_view::npos ? name : name.substr(blank + 1);
}

// The same, or the last parts of it: a file may define `f` of namespace a with `using`, or in a macro's namespace.
bool ends_alike(std::string_view one, std::string_view other) {
  if (one.size() > other.size()) std::swap(one, other);
  if (one.empty() || !other.ends_with(one)) return false;
  const std::string_view before = other.substr(0, other.size() - one.size());
  return before.empty() || before.ends_with("::");
}

}  // namespace

std::string folder_with_header(const std::string& source, const std::string& name) {
  if (!HeaderSearch::is_file(source) || name.empty() || fs::path(name).is_absolute()) return "";
  fs::path folder = fs::path(source).parent_path();
  if (folder.empty()) folder = ".";
  HeaderSearch search(name);
  for (int up = 0; up <= levels_up; ++up) {
    std::error_code failed;
    const fs::path whole = fs::canonical(folder, failed);
    if (failed || whole == whole.root_path()) break;
    if (const std::string found = search.below(folder); !found.empty()) {
      std::string normal = fs::path(found).lexically_normal().generic_string();
      if (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
      return normal;
    }
    if (fs::exists(folder / ".git", failed)) break;
    folder /= "..";
  }
  return "";
}

std::vector<DefinedBeside> functions_defined_beside(const std::string& source,
                                                    const std::vector<std::string_view>& extensions) {
  constexpr std::size_t most_files = 200;
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  const fs::path own(source), folder = own.has_parent_path() ? own.parent_path() : fs::path(".");
  std::error_code failed;
  std::vector<fs::path> files;
  const fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, failed);
  if (failed) return {};
  for (auto entry = begin(entries); entry != end(entries) && files.size() < most_files; entry.increment(failed)) {
    if (failed) break;
    const fs::path& path = entry->path();
    if (std::ranges::find(extensions, path.extension().generic_string()) != extensions.end() &&
        path.filename() != own.filename())
      files.push_back(path);
  }
  std::ranges::sort(files);
  std::vector<DefinedBeside> found;
  for (const fs::path& path : files) {
    std::string text;
    if (read_file(path.generic_string(), text, most_bytes) != 0) continue;
    for (const ScannedDeclaration& one : scan_declarations(text))
      if (one.kind == ScannedDeclaration::Kind::function && one.end > one.begin && text[one.end - 1] == '}')
        found.push_back({one.name, own.has_parent_path() ? path.generic_string() : path.filename().generic_string(),
                         one.is_kernel});
  }
  return found;
}

std::string file_of_linker_name(const std::vector<DefinedBeside>& functions, std::string_view linker_name) {
  const std::string_view name = plain_name(linker_name);
  for (const DefinedBeside& one : functions)
    if (ends_alike(one.name, name)) return one.file;
  return "";
}

}  // namespace lanescope::compile
