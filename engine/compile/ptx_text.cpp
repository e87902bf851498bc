#include "compile/ptx_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "compile/host/asm_places.h"
#include "core/file_name_in_ptx.h"
#include "core/text.h"

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
  const fs::path compiled = names.compiled_as;
  const std::string source = (compiled.is_absolute() ? "" : here + "/") + compiled.generic_string();
  if (path == source) return names.shown_as;
  const std::string header = without_prefix(path, names.include_paths);
  if (header != path) return header;
  std::string below = without_prefix(path, {here});
  while (below.starts_with("./")) below.erase(0, 2);
  return below;
}

// The number of the file in `.loc` lines; 0: none.
int number_of_file(std::string_view ptx, const std::string& name) {
  constexpr std::string_view directive = ".file\t";
  for (std::size_t at = ptx.find(directive); at != std::string_view::npos; at = ptx.find(directive, at + 1)) {
    const std::string_view line = ptx.substr(at, ptx.find('\n', at) - at);
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open == close || unescaped_name(line.substr(open + 1, close - open - 1)) != name) continue;
    int number = 0;
    std::from_chars(line.data() + directive.size(), line.data() + line.size(), number);
    return number;
  }
  return 0;
}

// Takes `1 12 3`, the file's number, line and column, from the front of `text`.
std::optional<std::array<int, 3>> take_place(std::string_view& text) {
  std::array<int, 3> place{};
  for (int& number : place) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return place;
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

std::string with_asm_places(const std::string& ptx, const std::string& name, std::string_view source) {
  const auto moved = asm_places(source);
  const int file = moved.empty() ? 0 : number_of_file(ptx, name);
  if (file == 0) return ptx;
  std::string out;
  out.reserve(ptx.size());
  std::size_t copied = 0;
  const auto move = [&](std::size_t begin, std::size_t end) {
    std::string_view text = std::string_view(ptx).substr(begin, end - begin);
    const auto place = take_place(text);
    if (!place || (*place)[0] != file) return;
    const auto at = moved.find({(*place)[1], (*place)[2]});
    if (at == moved.end()) return;
    out.append(ptx, copied, begin - copied);
    out += fmt::format("{} {} {}", file, at->second.first, at->second.second);
    copied = static_cast<std::size_t>(text.data() - ptx.data());
  };
  constexpr std::string_view directive = ".loc\t", inlined = "inlined_at ";
  for (std::size_t at = ptx.find(directive); at != std::string::npos; at = ptx.find(directive, at + 1)) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
    move(at + directive.size(), end);
    if (const std::size_t site = ptx.find(inlined, at); site < end) move(site + inlined.size(), end);
  }
  return out.append(ptx, copied);
}

}  // namespace lanescope::compile
