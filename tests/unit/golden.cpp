#include "golden.h"
#include "test_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/os/files.h"

namespace lanescope::test {
namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

// Marks lines only in `a` with '-' and lines only in `b` with '+', by longest common subsequence. For very different
// texts only the first lines are compared, to limit the table.
struct Edit {
  char sign;
  std::size_t line;  // line number in its own text, from 1
  std::string_view text;
};
std::vector<Edit> edits(Lines a, Lines b, std::size_t first_line) {
  constexpr std::size_t most = 2000;
  if (a.size() > most) a.resize(most);
  if (b.size() > most) b.resize(most);
  std::vector<std::vector<std::uint16_t>> common(a.size() + 1, std::vector<std::uint16_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j] ? static_cast<std::uint16_t>(common[i + 1][j + 1] + 1)
                                  : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<Edit> result;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      result.push_back({' ', first_line + i, a[i]});
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      result.push_back({'-', first_line + i, a[i]});
      ++i;
    } else {
      result.push_back({'+', first_line + j, b[j]});
      ++j;
    }
  }
  return result;
}

}  // namespace

bool rewriting() {
  const char* value = std::getenv("LANESCOPE_REWRITE");
  return value != nullptr && std::string_view(value) == "1";
}

std::filesystem::path case_path(const std::filesystem::path& name) {
  return std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests" / "cases" / name;
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  EXPECT_TRUE(file.flush()) << "cannot write " << path;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Case::text() const {
  return read_file(path);
}

std::filesystem::path Case::sibling(std::string_view other) const {
  const std::string file = path.filename().string();
  return path.parent_path() / (file.substr(0, file.size() - suffix.size()) + std::string(other));
}

std::vector<Case> cases(std::string_view stage, std::string_view suffix, std::vector<std::string_view> excluded) {
  std::vector<Case> result;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(case_path(stage), error)) {
    const std::string file = entry.path().filename().string();
    const auto ends_in = [&](std::string_view ending) { return file.ends_with(ending); };
    if (!ends_in(suffix) || std::ranges::any_of(excluded, ends_in)) continue;
    Case found{entry.path(), file.substr(0, file.size() - suffix.size()), std::string(suffix)};
    for (char& c : found.name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    result.push_back(std::move(found));
  }
  std::ranges::sort(result, {}, [](const Case& c) { return c.path; });
  if (result.empty())
    result.push_back({case_path(stage) / ("none" + std::string(suffix)), "none", std::string(suffix)});
  return result;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

std::string difference(std::string_view expected, std::string_view actual) {
  if (expected == actual) return {};
  Lines a = split_lines(expected), b = split_lines(actual);
  std::size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  const std::size_t context = 3, begin = same > context ? same - context : 0;
  a.erase(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(begin));
  b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(begin));
  while (a.size() > context && b.size() > context && a[a.size() - 1 - context] == b[b.size() - 1 - context] &&
         std::equal(a.end() - context, a.end(), b.end() - context)) {
    a.pop_back();
    b.pop_back();
  }

  const std::vector<Edit> all = edits(std::move(a), std::move(b), begin + 1);
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < all.size() && shown < 60; ++i) {
    bool beside_a_change = false;
    for (std::size_t j = i > context ? i - context : 0; j < all.size() && j <= i + context; ++j)
      beside_a_change |= all[j].sign != ' ';
    if (!beside_a_change) continue;
    text += fmt::format("{:5} {}{}\n", all[i].line, all[i].sign, all[i].text);
    ++shown;
  }
  if (shown == 60) text += "      … and more\n";
  return text.empty() ? "only the last newline differs\n" : text;
}

void expect_golden(const std::filesystem::path& name, std::string_view actual) {
  const std::filesystem::path expected = name.is_relative() ? case_path(name) : name;
  if (rewriting()) {
    write_file(expected, actual);
    return;
  }
  if (!std::filesystem::exists(expected)) {
    ADD_FAILURE() << expected << " is missing; LANESCOPE_REWRITE=1 writes it";
    return;
  }
  const std::string wanted = read_file(expected);
  if (wanted == actual) return;
  ADD_FAILURE() << expected.string() << " (-) and this run (+) differ:\n"
                << difference(wanted, actual) << "LANESCOPE_REWRITE=1 takes this run's text.";
}

TempFolder::TempFolder() {
  path_ = make_scratch_folder("lanescope_test");
  if (path_.empty()) ADD_FAILURE() << "cannot make a temporary folder";
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace lanescope::test
