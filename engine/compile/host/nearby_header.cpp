#include "compile/host/nearby_header.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

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

}  // namespace lanescope::compile
