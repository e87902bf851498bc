// The lexical half of source_scan.h: separates code from everything else.

#include "core/text.h"

#include <algorithm>
#include <cctype>

#include "compile/host/source_scan.h"

namespace lanescope::compile {
namespace {

constexpr std::string_view name_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// Walks over a text once. Blanks in `out` what is not code, and passes directives to the conditional stack.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), out_(text) {}

  const std::vector<DirectiveRange>& directives() const { return directives_; }

  std::string run() {
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_start = true;
        ++at_;
      } else if (skip_comment()) {
      } else if (c == '#' && line_start) {
        directive();
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else {
        line_start = false;
        code(c);
      }
    }
    return std::move(out_);
  }

 private:
  struct Conditional {
    bool outer, taking, taken;
  };
  bool taking() const { return conditionals_.empty() || conditionals_.back().taking; }

  void blank(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && i < out_.size(); ++i)
      if (out_[i] != '\n' && out_[i] != '\r') out_[i] = ' ';
  }

  bool skip_comment() {
    const std::string_view rest = text_.substr(at_);
    std::size_t end = 0;
    if (rest.starts_with("//")) {
      end = text_.find('\n', at_);
      while (end != std::string_view::npos && continued(end)) end = text_.find('\n', end + 1);
    } else if (rest.starts_with("/*")) {
      end = text_.find("*/", at_ + 2);
      if (end != std::string_view::npos) end += 2;
    } else {
      return false;
    }
    end = std::min(end, text_.size());
    blank(at_, end);
    at_ = end;
    return true;
  }

  // True if a backslash before the newline at `newline` joins the next line.
  bool continued(std::size_t newline) const {
    std::size_t last = newline;
    if (last > 0 && text_[last - 1] == '\r') --last;
    return last > 0 && text_[last - 1] == '\\';
  }

  void code(char c) {
    const std::size_t begin = at_;
    if (is_name_char(c)) {
      while (at_ < text_.size() && (is_name_char(text_[at_]) || is_separator(begin))) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (at_ < text_.size() && text_[at_] == '"' && word.ends_with('R')) raw_string();
    } else if (c == '"' || c == '\'') {
      literal(c);
    } else {
      ++at_;
    }
    if (!taking()) blank(begin, at_);
  }

  // In a number that begins at `word`: 1'000, 0xffff'ffff.
  bool is_separator(std::size_t word) const {
    return text_[at_] == '\'' && std::isdigit(static_cast<unsigned char>(text_[word])) != 0 && at_ + 1 < text_.size() &&
           std::isalnum(static_cast<unsigned char>(text_[at_ + 1])) != 0;
  }

  // If the closing quote is missing, stops at the end of the line, as the compiler does.
  void literal(char quote) {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    blank(begin + 1, at_);
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      ++at_;
      return;
    }
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    const std::size_t begin = at_ + 1;
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
    blank(begin, at_ - (end == std::string_view::npos ? 0 : 1));
  }

  void directive() {
    std::size_t end = text_.find('\n', at_);
    while (end != std::string_view::npos && continued(end)) end = text_.find('\n', end + 1);
    end = std::min(end, text_.size());
    std::string_view line = text_.substr(at_ + 1, end - at_ - 1);
    // A comment that begins on the directive's line may continue below it.
    const std::size_t comment = line.find("/*");
    if (comment != std::string_view::npos && line.find("*/", comment) == std::string_view::npos) {
      line = line.substr(0, comment);
      end = at_ + 1 + comment;
    }
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::size_t length =
        static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_name_char) - line.begin());
    conditional(line.substr(0, length), line.substr(length));
    directives_.push_back({at_, end});
    blank(at_, end);
    at_ = end;
  }

  // `USE_ROCM`, `__HIP_PLATFORM_AMD__`, `GGML_USE_MUSA`: the other half of code that is shared with another vendor's
  // GPUs.
  static bool asks_for_other_vendor(std::string_view condition) {
    for (std::size_t at = 0; at < condition.size();) {
      const std::size_t end = std::min(condition.find_first_not_of(name_characters, at), condition.size());
      for (const std::string_view word : split(condition.substr(at, end - at), '_'))
        for (const std::string_view vendor : {"HIP", "HIPCC", "HIPBLAS", "ROCM", "HCC", "MUSA", "MUSACC"})
          if (word == vendor) return true;
      at = end + 1;
    }
    return false;
  }

  // `_WIN32`, `defined(_MSC_VER)` and similar are never true for NVRTC, which reads sources as on Linux for CUDA.
  static bool asks_for_other_system(std::string_view condition) {
    if (contains(condition, "!")) return false;
    // Each alternative must test for another system.
    if (const std::size_t either = condition.find("||"); either != std::string_view::npos)
      return asks_for_other_system(condition.substr(0, either)) && asks_for_other_system(condition.substr(either + 2));
    for (const std::string_view name :
         {"_WIN32", "WIN32", "_WIN64", "WIN64", "_MSC_VER", "__APPLE__", "__MINGW32__", "__CYGWIN__"})
      if (contains(condition, name)) return true;
    return asks_for_other_vendor(condition);
  }

  void conditional(std::string_view word, std::string_view rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const std::string_view first = rest.substr(0, rest.find_first_of(" \t\r/"));
    const bool never = ((word == "if" || word == "elif") && (first == "0" || first == "false")) ||
                       (word != "ifndef" && word != "elifndef" && asks_for_other_system(rest));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      conditionals_.push_back({taking(), taking() && !never, !never});
    } else if (conditionals_.empty()) {
      return;
    } else if (word == "else" || word == "elif" || word == "elifdef" || word == "elifndef") {
      Conditional& now = conditionals_.back();
      const bool other = word != "else" && never;
      now.taking = now.outer && !now.taken && !other;
      now.taken = now.taken || !other;
    } else if (word == "endif") {
      conditionals_.pop_back();
    }
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
  std::vector<Conditional> conditionals_;
  std::vector<DirectiveRange> directives_;
};

}  // namespace

std::string blank_non_code(std::string_view text) {
  return Blanker(text).run();
}

std::vector<DirectiveRange> scan_directives(std::string_view text) {
  Blanker blanker(text);
  blanker.run();
  return blanker.directives();
}

std::vector<IncludeDirective> scan_includes(std::string_view text, bool* computed) {
  std::vector<IncludeDirective> found;
  if (computed != nullptr) *computed = false;
  int line = 0;
  bool in_comment = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view rest = text.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    if (in_comment) {
      const std::size_t close = rest.find("*/");
      if (close == std::string_view::npos) continue;
      rest.remove_prefix(close + 2);
      in_comment = false;
    }
    auto skip_blanks = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); };
    skip_blanks();
    const bool is_include = [&] {
      if (!rest.starts_with('#')) return false;
      std::string_view after = rest.substr(1);
      after.remove_prefix(std::min(after.find_first_not_of(" \t"), after.size()));
      return after.starts_with("include");
    }();
    if (is_include) {
      rest.remove_prefix(rest.find("include") + 7);
      skip_blanks();
      const char close = rest.starts_with('<') ? '>' : '"';
      const std::size_t stop = rest.size() > 1 ? rest.find(close, 1) : std::string_view::npos;
      if ((rest.starts_with('<') || rest.starts_with('"')) && stop != std::string_view::npos) {
        found.push_back({std::string(rest.substr(1, stop - 1)), close == '>', line});
        rest.remove_prefix(stop + 1);
      } else if (computed != nullptr) {
        *computed = true;
      }
    }
    const std::size_t open = rest.rfind("/*");
    const std::size_t line_comment = rest.find("//");
    in_comment =
        open != std::string_view::npos && rest.find("*/", open + 2) == std::string_view::npos && line_comment > open;
  }
  return found;
}

std::size_t bracket_depth(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  for (const char c : blank_non_code(text)) {
    if (c == '(' || c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
  }
  return deepest;
}

std::size_t offset_of(std::string_view text, int line, int column) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i, ++at)
    if (at = text.find('\n', at); at == std::string_view::npos) return at;
  return std::min(at + static_cast<std::size_t>(std::max(column, 1)) - 1, text.size());
}

bool is_a_statement(std::string_view text, const ScannedDeclaration& declaration) {
  static constexpr std::string_view words[] = {"while", "for",      "do",     "if",   "else", "switch",
                                               "break", "continue", "return", "case", "goto"};
  const std::string_view code = text.substr(std::min(declaration.begin, text.size()));
  const auto end = std::ranges::find_if_not(code, is_name_char);
  return std::ranges::find(words, code.substr(0, static_cast<std::size_t>(end - code.begin()))) != std::end(words);
}

bool is_in_a_data_member(std::string_view text, int line, int column) {
  const std::size_t at = offset_of(text, line, column);
  if (at == std::string_view::npos || column < 1) return false;
  const auto holds = [at](const ScannedDeclaration& one) { return one.begin <= at && at < one.end; };
  std::vector<ScannedDeclaration> declarations = scan_declarations(text);
  bool in_class = false;
  for (auto found = std::ranges::find_if(declarations, holds); found != declarations.end();
       found = std::ranges::find_if(declarations, holds)) {
    if (found->kind != ScannedDeclaration::Kind::type)
      return in_class && found->kind == ScannedDeclaration::Kind::variable;
    in_class = true;
    declarations = scan_members(text, *found);
  }
  return in_class;
}

}  // namespace lanescope::compile
