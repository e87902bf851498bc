#include "compile/ptx_text.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/file_name_in_ptx.h"

namespace lanescope::compile {
namespace fs = std::filesystem;
namespace {

std::string without_prefix(const std::string& path, const std::vector<std::string>& folders) {
  std::size_t longest = 0;
  for (const std::string& folder : folders)
    if (path.starts_with(folder + "/")) longest = std::max(longest, folder.size() + 1);
  return path.substr(longest);
}

std::string shown_name(const std::string& path, const FileNames& names, const std::string& here) {
  const std::string source =
      fs::path(names.compiled_as).is_absolute() ? names.compiled_as : here + "/" + names.compiled_as;
  if (path == source) return names.shown_as;
  const std::string header = without_prefix(path, names.include_paths);
  if (header != path) return header;
  std::string below = without_prefix(path, {here});
  while (below.starts_with("./")) below.erase(0, 2);
  return below;
}

}  // namespace

std::vector<std::string> kernels_in_ptx(const std::string& ptx) {
  constexpr std::string_view directive = ".entry ";
  std::vector<std::string> names;
  for (std::size_t at = ptx.find(directive); at != std::string::npos; at = ptx.find(directive, at + 1)) {
    const std::size_t begin = at + directive.size();
    const std::size_t end = ptx.find_first_of("( \t\r\n;", begin);
    const std::size_t line = ptx.rfind('\n', at) + 1;
    if (end == std::string::npos || ptx.compare(line, 2, "//") == 0) continue;
    std::string name = ptx.substr(begin, end - begin);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string with_file_names(const std::string& ptx, const FileNames& names) {
  std::error_code ignored;
  const std::string here = fs::current_path(ignored).generic_string();
  std::string out;
  out.reserve(ptx.size());
  std::size_t copied = 0;
  for (std::size_t at = ptx.find(".file"); at != std::string::npos; at = ptx.find(".file", at + 1)) {
    const std::size_t line = ptx.rfind('\n', at) + 1;
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
    if (ptx.find_first_not_of(" \t", line) != at) continue;
    const std::size_t open = ptx.find('"', at), close = ptx.rfind('"', end - 1);
    if (open == std::string::npos || close == std::string::npos || open >= close || close > end) continue;
    out.append(ptx, copied, open + 1 - copied);
    // NVRTC writes the separators of its system.
    const fs::path named = unescaped_name(std::string_view(ptx).substr(open + 1, close - open - 1));
    out += escaped_name(shown_name(named.generic_string(), names, here));
    copied = close;
  }
  return out.append(ptx, copied);
}

}  // namespace lanescope::compile
