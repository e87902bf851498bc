#include "gui/programs/path_entries.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "core/os/environment.h"
#include "device/saved_run_reader.h"

namespace lanescope::gui {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_names = 5000, most_entries = 200, most_looked_into = 1000;

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// On Windows '\\' too.
bool is_separator(char c) {
  return c == '/' || c == static_cast<char>(fs::path::preferred_separator);
}

bool begins_alike(const std::string& name, const std::string& wanted) {
  return name.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), name.begin(),
                                                    [](char a, char b) { return lower_case(a) == lower_case(b); });
}

// CUDA code and Python by name; the others are looked into: programs if they may be executed, and saved runs, which may
// have any name. `looked_into`: so many files of the folder were, of which `most_looked_into` are at most.
FileKind kind_in_list(const fs::directory_entry& file, std::size_t& looked_into) {
  const std::string path = file.path().generic_string();
  if (path.ends_with(".py")) return FileKind::python;
  if (path.ends_with(".cu") || path.ends_with(".cuh")) return FileKind::cuda_code;
  std::error_code failed;
  const bool executable = (file.status(failed).permissions() & fs::perms::owner_exec) != fs::perms::none;
  if (executable || path.ends_with(".lanescope")) return kind_of_file(path);
  if (!file.is_regular_file(failed) || ++looked_into > most_looked_into) return FileKind::other;
  return device::is_saved_run(path) ? FileKind::saved_run : FileKind::other;
}

}  // namespace

std::string without_tilde(const std::string& typed) {
  if (typed != "~" && !typed.starts_with("~/")) return typed;
  const std::string home = home_folder();
  return home.empty() ? typed : home + typed.substr(1);
}

std::vector<PathEntry> path_entries(const std::string& given) {
  std::string typed = given;
  std::ranges::replace_if(typed, is_separator, '/');
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string wanted = slash == std::string::npos ? typed : typed.substr(slash + 1);
  std::vector<PathEntry> entries;
  if (typed == "~") return {{"~", "~/", true, FileKind::other}};
  std::error_code failed;
  std::size_t names = 0, looked_into = 0;
  fs::directory_iterator file(folder.empty() ? fs::path(".") : fs::path(without_tilde(folder)),
                              fs::directory_options::skip_permission_denied, failed);
  for (; !failed && file != fs::directory_iterator() && ++names <= most_names; file.increment(failed)) {
    const std::string name = file->path().filename().generic_string();
    if (!begins_alike(name, wanted) || (name.starts_with('.') && !wanted.starts_with('.'))) continue;
    std::error_code unknown;
    const bool is_folder = file->is_directory(unknown);
    const FileKind kind = is_folder ? FileKind::other : kind_in_list(*file, looked_into);
    if (is_folder || kind != FileKind::other)
      entries.push_back({name, folder + name + (is_folder ? "/" : ""), is_folder, kind});
  }
  std::ranges::sort(entries, {}, [&](const PathEntry& one) {
    return std::tuple(!one.name.starts_with(wanted), !one.folder, one.name);
  });
  if (entries.size() > most_entries) entries.resize(most_entries);
  return entries;
}

std::string completed(const std::string& typed, const std::vector<PathEntry>& entries) {
  if (entries.empty()) return typed;
  std::string shared = entries.front().path;
  for (const PathEntry& one : entries) {
    const auto [end, other] = std::ranges::mismatch(shared, one.path, {}, lower_case, lower_case);
    shared.erase(end, shared.end());
  }
  return shared.size() > typed.size() || entries.size() == 1 ? shared : typed;
}

std::string_view from_last_root(std::string_view typed) {
  for (std::size_t i = typed.size(); i-- > 1;)
    if (is_separator(typed[i - 1]) && (typed.substr(i).starts_with("~/") || fs::path(typed.substr(i)).is_absolute()))
      return typed.substr(i);
  return typed;
}

}  // namespace lanescope::gui
