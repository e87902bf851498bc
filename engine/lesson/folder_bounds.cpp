#include "lesson/folder_bounds.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <vector>

#include "core/os/read_file.h"
#include "core/worded.h"

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;

Diagnostic refusal(const char* code, SourcePlace place, Wording message, Wording cure) {
  return {Severity::error, code, std::move(place), std::move(message), std::move(cure)};
}

bool leaves_its_folder(const fs::path& name) {
  return name.is_absolute() || std::find(name.begin(), name.end(), "..") != name.end();
}

Diagnostic outside(const fs::path& path) {
  return refusal("lesson.outside", {path.generic_string()}, "The file lies outside the lesson's folder.",
                 "Copy it into the folder: a lesson reads nothing else.");
}

// An #include directive; `name` is empty if a macro makes it.
struct Include {
  std::string name;
  int line = 0;
};

// Reads lines as the preprocessor does. It finds every #include, and some false ones in comments and strings: it must
// not miss one that is hidden from an ordinary reader, such as `%:include` or a directive split over lines.
class IncludeReader {
 public:
  explicit IncludeReader(std::string_view source) {
    int line = 1;
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] == '\\') {  // a continued line
        std::size_t end = i + 1;
        while (end < source.size() && (source[end] == ' ' || source[end] == '\t' || source[end] == '\r')) ++end;
        if (end < source.size() && source[end] == '\n') {
          ++line;
          i = end;
          continue;
        }
      }
      text_ += source[i];
      lines_.push_back(line);
      if (source[i] == '\n') ++line;
    }
  }

  std::vector<Include> all() const {
    std::vector<Include> found;
    for (std::size_t at = 0; (at = text_.find_first_of("#%?", at)) != std::string::npos; ++at) {
      const std::string_view here = std::string_view(text_).substr(at);
      const std::size_t sign = here[0] == '#' ? 1 : here.starts_with("%:") ? 2 : here.starts_with("?\?=") ? 3 : 0;
      if (sign == 0) continue;
      std::string_view rest = after_blanks(here.substr(sign));
      const auto word = std::find_if(directives.begin(), directives.end(),
                                     [&](std::string_view one) { return rest.starts_with(one); });
      if (word == directives.end()) continue;
      rest = after_blanks(rest.substr(word->size()));
      const std::size_t close = rest.empty() || (rest[0] != '<' && rest[0] != '"')
                                    ? std::string_view::npos
                                    : rest.find(rest[0] == '<' ? '>' : '"', 1);
      found.push_back({close == std::string_view::npos ? "" : std::string(rest.substr(1, close - 1)), lines_[at]});
    }
    return found;
  }

 private:
  static constexpr std::array<std::string_view, 4> directives{"include_next", "include", "import", "embed"};

  // Removes leading spaces and comments.
  static std::string_view after_blanks(std::string_view text) {
    for (;;) {
      text.remove_prefix(std::min(text.find_first_not_of(" \t\f\v\r"), text.size()));
      if (!text.starts_with("/*")) return text;
      const std::size_t end = text.find("*/", 2);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    }
  }

  std::string text_;        // with continued lines joined
  std::vector<int> lines_;  // line number of each of its characters
};

}  // namespace

std::optional<Diagnostic> not_within(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name;
  if (leaves_its_folder(name)) return outside(path);
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed)
    return refusal("lesson.io", {path.generic_string()}, "The file cannot be read.",
                   "Check that it is there and readable.");
  const fs::path root = fs::canonical(folder, failed);
  if (failed || std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first != root.end())
    return outside(path);
  if (!fs::is_regular_file(real, failed))
    return refusal("lesson.io", {path.generic_string()}, "This is not a regular file.",
                   "Put a regular file here: lessons do not read "
                   "folders, pipes or devices.");
  return std::nullopt;
}

Result<std::string> read_within(const std::string& folder, const std::string& name, std::size_t most) {
  if (std::optional<Diagnostic> refused = not_within(folder, name)) return *std::move(refused);
  const std::string path = (fs::path(folder) / name).generic_string();
  std::string text;
  const int reason = read_file(path, text, most);
  if (reason == EFBIG)
    return refusal("lesson.too_large", {path}, worded("The file is larger than {} KiB.", most >> 10),
                   "Make the file smaller: "
                   "lessons do not need "
                   "files this large.");
  if (reason != 0)
    return refusal("lesson.io", {path}, "The file cannot be read.", "Check that it is there and readable.");
  return text;
}

Diagnostics foreign_includes(std::string_view source, const std::string& file) {
  Diagnostics problems;
  for (const Include& include : IncludeReader(source).all()) {
    std::error_code failed;
    const SourcePlace place{file, include.line};
    const Wording cure = "Include only CUDA's own headers, by name.";
    if (include.name.empty())
      problems.push_back(refusal("lesson.outside", place,
                                 "A lesson's kernel must spell out the name of each file it includes.", cure));
    else if (leaves_its_folder(include.name) || fs::exists(include.name, failed))
      problems.push_back(
          refusal("lesson.outside", place, worded("`{}` is not one of CUDA's headers.", include.name), cure));
  }
  return problems;
}

}  // namespace lanescope::lesson
