#include "lesson/toml_guard.h"

#include "core/utf8.h"
#include "core/worded.h"

namespace lanescope::lesson {
namespace {

constexpr std::size_t deepest = 64;

class Guard {
 public:
  Guard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::optional<Diagnostic> check() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = line_begin_ = 3;
    while (at_ < text_.size()) {
      const std::size_t length = utf8_character(text_.substr(at_));
      if (length == 0) return problem("This byte is not UTF-8.", "Save the file as UTF-8.");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
        return problem("TOML does not allow control characters.", "Remove it, or write it in a string as \\u0000.");
      if (closing_.empty() ? !outside(c) : !inside(c)) return problem_;
      if (c == '\n') ++line_, line_begin_ = at_ + length;
      at_ += length;
    }
    return std::nullopt;
  }

 private:
  // For characters in a string or comment, which ends at `closing_`.
  bool inside(unsigned char c) {
    if (closing_ == "\"" || closing_ == "\"\"\"") {
      if (c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) {
        ++at_;
        return true;
      }
    }
    const bool one_line = closing_.size() == 1;
    if (!(one_line && c == '\n') && !text_.substr(at_).starts_with(closing_)) return true;
    at_ += c == '\n' ? 0 : closing_.size() - 1;
    while (closing_.size() == 3 && at_ + 1 < text_.size() && text_[at_ + 1] == closing_[0]) ++at_;  // """a""""
    closing_ = {};
    if (c == '\n') parts_ = 1;
    return true;
  }

  bool outside(unsigned char c) {
    if (c >= 0x80)
      return refuse("This character is allowed only in quotation marks or in a comment.",
                    "Put the key or value in quotation marks.");
    if (c == '#') closing_ = "\n";
    if (c == '"' || c == '\'') {
      if (!may_begin_a_string())
        return refuse("A quotation mark stands in the middle of a key or value.",
                      "Put the whole key or value in quotation marks.");
      const std::string_view three = c == '"' ? "\"\"\"" : "'''";
      closing_ = text_.substr(at_).starts_with(three) ? three : three.substr(0, 1);
      at_ += closing_.size() - 1;
    }
    if (c == '[' && begins_line() && !names_a_table())
      return refuse("The name of a table is missing.", "Write it between the brackets.");
    if (c == '[' || c == '{') open_ += static_cast<char>(c);
    if ((c == ']' || c == '}') && !open_.empty()) {  // toml++ only asserts that it is of the same kind
      if (open_.back() != (c == ']' ? '[' : '{'))
        return refuse(worded("`{}` does not close `{}`.", c == ']' ? "]" : "}", open_.substr(open_.size() - 1)),
                      "Close the brackets in the reverse order in which they open.");
      open_.pop_back();
    }
    if (c == '.') ++parts_;
    if (c == '\n' || c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}') parts_ = 1;
    if (open_.size() <= deepest && parts_ <= deepest) return true;
    return refuse(worded("This is nested deeper than {} levels.", deepest),
                  "Use fewer levels: lessons need only four.");
  }

  // toml++ looks for the end of a value that is no string without regard to quotation marks.
  bool may_begin_a_string() const {
    const std::size_t before = text_.substr(0, at_).find_last_not_of(" \t");
    return before == std::string_view::npos || before < line_begin_ ||
           std::string_view("=,[{.").find(text_[before]) != std::string_view::npos;
  }
  // Whether nothing but blanks precedes this character in its line, and no array is open.
  bool begins_line() const {
    return open_.empty() &&
           text_.substr(line_begin_, at_ - line_begin_).find_first_not_of(" \t") == std::string_view::npos;
  }
  // Whether a key follows the one or two brackets here; toml++ only asserts it.
  bool names_a_table() const {
    std::size_t next = at_ + (text_.substr(at_).starts_with("[[") ? 2 : 1);
    next = text_.find_first_not_of(" \t", next);
    if (next == std::string_view::npos) return false;
    constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-\"'";
    return first.find(text_[next]) != std::string_view::npos;
  }

  bool refuse(Wording message, Wording cure) {
    problem_ = problem(std::move(message), std::move(cure));
    return false;
  }

  Diagnostic problem(Wording message, Wording cure) const {
    return {Severity::error, "lesson.syntax", SourcePlace{file_, line_, static_cast<int>(at_ - line_begin_) + 1},
            std::move(message), std::move(cure)};
  }

  std::string_view text_;
  const std::string& file_;
  std::string_view closing_;  // closes the current string or comment; empty outside
  std::optional<Diagnostic> problem_;
  std::size_t at_ = 0, line_begin_ = 0;
  std::string open_;  // the brackets that are open
  int line_ = 1;
  std::size_t parts_ = 1;
};

}  // namespace

std::optional<Diagnostic> refused_before_parsing(std::string_view text, const std::string& file) {
  return Guard(text, file).check();
}

}  // namespace lanescope::lesson
