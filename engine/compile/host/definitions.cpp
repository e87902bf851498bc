#include "compile/host/definitions.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "compile/host/host_constants.h"
#include "compile/host/source_scan.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

std::string_view name_in(std::string_view definition) {
  return definition.substr(0, definition.find('='));
}

std::string_view leading_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_char(text[end])) ++end;
  return text.substr(0, end);
}

class Resolver {
 public:
  Resolver(std::string_view text, const std::vector<std::string>& definitions)
      : text_(text), lines_(define_lines(definitions)), constants_(lines_) {
    for (const std::string& definition : definitions) known_.emplace(name_in(definition));
  }

  std::string run() {
    for (const DirectiveRange& range : scan_directives(text_)) directive(range);
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    return text_ + lines_;
  }

 private:
  // excluded: the branch is surely not compiled; decided: an earlier or this branch surely is.
  struct Conditional {
    bool outer_excluded, excluded, decided;
  };

  void directive(const DirectiveRange& range) {
    std::string_view line = std::string_view(text_).substr(range.begin + 1, range.end - range.begin - 1);
    line = trimmed(line);
    const std::string word(leading_name(line));
    const std::string rest(trimmed(line.substr(word.size())));
    const bool excluded = !open_.empty() && open_.back().excluded;
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      const std::optional<bool> holds = condition(word, rest);
      open_.push_back({excluded, excluded || holds == false, holds == true});
      write(range, "#if", holds);
    } else if ((word == "elif" || word == "else") && !open_.empty()) {
      Conditional& now = open_.back();
      const std::optional<bool> holds = word == "else" ? true : condition("if", rest);
      now.excluded = now.outer_excluded || now.decided || holds == false;
      if (word == "elif") write(range, "#elif", now.decided ? false : holds);
      now.decided = now.decided || holds == true;
    } else if (word == "endif" && !open_.empty()) {
      open_.pop_back();
    } else if (word == "define" || word == "undef") {
      if (excluded)
        write(range, "#", std::nullopt, true);
      else  // from here on, the text may have changed the macro
        known_.erase(std::string(leading_name(rest)));
    }
  }

  // nullopt if the definitions do not decide it.
  std::optional<bool> condition(const std::string& word, const std::string& rest) const {
    if (word != "if") {
      if (!known_.contains(leading_name(rest))) return std::nullopt;
      return word == "ifdef";
    }
    const std::optional<std::string> asked = without_defined(rest);
    if (!asked) return std::nullopt;
    const HostEvaluation made = constants_.evaluate(*asked, lines_.size());
    if (!made.value || made.value->kind != HostValue::Kind::whole) return std::nullopt;
    return made.value->whole != 0;
  }

  // Replaces `defined(NAME)` by 1. nullopt if a name is not known.
  std::optional<std::string> without_defined(std::string_view condition) const {
    condition = condition.substr(0, std::min(condition.find("//"), condition.find("/*")));
    std::string made;
    for (std::size_t at = 0; at < condition.size();) {
      const std::string_view name = leading_name(condition.substr(at));
      if (name.empty()) {
        made += condition[at++];
        continue;
      }
      at += name.size();
      if (name == "defined") {
        const std::size_t begin = std::min(condition.find_first_not_of(" \t(", at), condition.size());
        const bool brackets = contains(condition.substr(at, begin - at), "(");
        const std::string_view asked = leading_name(condition.substr(begin));
        if (!known_.contains(asked)) return std::nullopt;
        at = begin + asked.size();
        if (brackets) at = std::min(condition.find(')', at), condition.size() - 1) + 1;
        made += '1';
      } else if (std::isdigit(static_cast<unsigned char>(name[0])) == 0 && !known_.contains(name)) {
        return std::nullopt;
      } else {
        made += name;
      }
    }
    return made;
  }

  // Writes `word` with 0 or 1 over the directive, if `holds` has a value or `always`.
  void write(const DirectiveRange& range, std::string word, std::optional<bool> holds, bool always = false) {
    if (!holds && !always) return;
    if (holds) word += *holds ? " 1" : " 0";
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (text_[i] != '\n' && text_[i] != '\r') text_[i] = i - range.begin < word.size() ? word[i - range.begin] : ' ';
  }

  std::string text_;
  const std::string lines_;
  const HostConstants constants_;
  std::set<std::string, std::less<>> known_;  // macros that have their given value here
  std::vector<Conditional> open_;
};

}  // namespace

std::optional<Diagnostic> wrong_definition(const std::string& definition) {
  const std::string_view name = name_in(definition);
  const char* const cure =
      "Write NAME or NAME=VALUE. The name consists of letters, digits and _, and does not begin with a digit.";
  const auto wrong = [&](Wording message) {
    return Diagnostic{Severity::error, "compile.bad_define", {}, std::move(message), cure};
  };
  if (name.empty()) return wrong(worded("the definition `{}` has no name", definition));
  if (!std::ranges::all_of(name, is_name_char) || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    return wrong(worded("`{}` is not a name that a macro can have", name));
  if (definition.find_first_of("\r\n") != std::string::npos)
    return wrong(worded("the value of `{}` contains a line break", name));
  return std::nullopt;
}

std::string define_lines(const std::vector<std::string>& definitions) {
  std::string lines;
  for (const std::string& definition : definitions) {
    const std::size_t equals = definition.find('=');
    lines += "#define " + definition.substr(0, equals) + ' ' +
             (equals == std::string::npos ? "1" : definition.substr(equals + 1)) + '\n';
  }
  return lines;
}

std::string with_all_branches(std::string_view text) {
  std::string all(text);
  std::vector<bool> open;  // whether each conditional goes
  for (const DirectiveRange& range : scan_directives(text)) {
    const std::string_view line = trimmed(text.substr(range.begin + 1, range.end - range.begin - 1));
    const std::string_view word = leading_name(line), rest = trimmed(line.substr(word.size()));
    const bool opens = word == "if" || word == "ifdef" || word == "ifndef";
    if (opens) open.push_back(word != "if" || (rest != "0" && rest != "1"));
    const bool is_conditional = opens || word == "elif" || word == "else" || word == "endif";
    if (is_conditional && !open.empty() && open.back())
      for (std::size_t i = range.begin; i < range.end; ++i)
        if (all[i] != '\n' && all[i] != '\r') all[i] = ' ';
    if (word == "endif" && !open.empty()) open.pop_back();
  }
  return all;
}

std::string with_definitions(std::string_view text, const std::vector<std::string>& definitions) {
  return definitions.empty() ? std::string(text) : Resolver(text, definitions).run();
}

}  // namespace lanescope::compile
