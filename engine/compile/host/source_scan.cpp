// The syntactic half of source_scan.h: declarations at namespace scope.

#include "compile/host/source_scan.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "compile/host/macro_calls.h"
#include "compile/host/source_tokens.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

struct Annotations {
  std::set<std::string, std::less<>> kernel{"__global__"};
  std::set<std::string, std::less<>> device{"__device__", "__constant__", "__shared__", "__managed__"};
  std::set<std::string, std::less<>> all() const {
    std::set<std::string, std::less<>> both = kernel;
    both.insert(device.begin(), device.end());
    return both;
  }
};

// An object-like macro whose replacement contains an annotation is an annotation itself: `#define HD __host__
// __device__`.
Annotations find_annotations(std::string_view text) {
  Annotations found;
  for (std::size_t at = text.find("define"); at != std::string_view::npos; at = text.find("define", at + 6)) {
    const std::size_t line = text.substr(0, at).find_last_of("\n") + 1;
    const std::string_view lead = text.substr(line, at - line);
    if (lead.find('#') == std::string_view::npos || lead.find_first_not_of(" \t#") != std::string_view::npos) continue;
    std::size_t end = text.find('\n', at);
    while (end != std::string_view::npos && end > 0 &&
           (text[end - 1] == '\\' || (end > 1 && text[end - 1] == '\r' && text[end - 2] == '\\')))
      end = text.find('\n', end + 1);
    const auto tokens = tokenise(text.substr(at + 6, end == std::string_view::npos ? end : end - at - 6));
    if (tokens.empty() || tokens[0].kind != Token::Kind::name) continue;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      if (found.kernel.contains(tokens[i].text)) found.kernel.emplace(tokens[0].text);
      if (found.device.contains(tokens[i].text)) found.device.emplace(tokens[0].text);
    }
  }
  return found;
}

// Names before a parenthesis that are not the declared name.
bool is_attribute(std::string_view name) {
  static const std::set<std::string_view> attributes{"__attribute__",
                                                     "__launch_bounds__",
                                                     "__cluster_dims__",
                                                     "__maxnreg__",
                                                     "__block_size__",
                                                     "__align__",
                                                     "alignas",
                                                     "decltype",
                                                     "noexcept",
                                                     "throw",
                                                     "__declspec",
                                                     "requires",
                                                     "explicit",
                                                     "static_assert",
                                                     "sizeof",
                                                     "__grid_constant__",
                                                     "_Pragma",
                                                     "__pragma",
                                                     "asm"};
  return attributes.contains(name);
}

class Parser {
 public:
  // `text`: the source with its directives, whose macros are replaced.
  Parser(std::string_view code, std::string_view text)
      : code_(code),
        annotations_(find_annotations(text)),
        calls_(text, annotations_.all()),
        tokens_(calls_.replaced(tokenise(code))) {}

  std::vector<ScannedDeclaration> run() {
    // A stray closing brace ends a scope that was never opened: continues after it.
    while (at_ < tokens_.size()) {
      scope("", 0);
      ++at_;
    }
    mark_siblings();
    number_lines();
    return std::move(found_);
  }

 private:
  bool is(std::size_t index, std::string_view text) const {
    return index < tokens_.size() && tokens_[index].text == text;
  }

  void scope(const std::string& prefix, int depth) {
    while (at_ < tokens_.size() && !is(at_, "}")) declaration(prefix, depth);
  }

  // Index after the bracket that closes the one at `index`.
  std::size_t behind_group(std::size_t index) const {
    std::size_t depth = 0;
    for (; index < tokens_.size(); ++index) {
      const std::string_view t = tokens_[index].text;
      if (t == "(" || t == "[" || t == "{") ++depth;
      if ((t == ")" || t == "]" || t == "}") && --depth == 0) return index + 1;
    }
    return index;
  }

  std::size_t behind_angles(std::size_t index) const {
    int depth = 0;
    for (; index < tokens_.size(); ++index) {
      const std::string_view t = tokens_[index].text;
      if (t == "(" || t == "[" || t == "{") {
        index = behind_group(index) - 1;
        continue;
      }
      if (t == "<") ++depth;
      if (t == ">" && --depth == 0) return index + 1;
      if (t == ";" || t == "}") return index;
    }
    return index;
  }

  void template_head(ScannedDeclaration& now) {
    const std::size_t begin = at_ + 1, end = behind_angles(begin);
    std::string name;
    int depth = 0;
    bool any = false, default_value = false;
    auto finish = [&] {
      if (any) now.template_parameters.push_back(name);
      name.clear();
      any = default_value = false;
    };
    for (std::size_t i = begin + 1; i + 1 < end; ++i) {
      const Token& token = tokens_[i];
      if (token.text == "<" || token.text == "(") ++depth;
      if (token.text == ">" || token.text == ")") --depth;
      if (depth > 0) continue;
      if (token.text == ",") {
        finish();
        continue;
      }
      any = true;
      if (token.text == "=") default_value = true;
      static const std::set<std::string_view> words{"typename", "class", "int",    "unsigned", "bool",   "auto", "char",
                                                    "long",     "short", "size_t", "float",    "double", "const"};
      if (!default_value && token.kind == Token::Kind::name)
        name = words.contains(token.text) ? std::string() : std::string(token.text);
    }
    finish();
    now.is_template = !now.template_parameters.empty();
    at_ = std::max(end, at_ + 1);
  }

  // The tokens from `first` to `end` as they are written; a macro's are joined.
  std::string text_of(std::size_t first, std::size_t end) const {
    end = std::min(end, tokens_.size());
    if (first >= end) return "";
    const auto written = [this](const Token& token) {
      return token.offset + token.text.size() == token.end &&
             code_.substr(token.offset, token.text.size()) == token.text;
    };
    const auto from = tokens_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = tokens_.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::all_of(from, to, written))
      return std::string(code_.substr(tokens_[first].offset, tokens_[end - 1].end - tokens_[first].offset));
    std::string text;
    for (std::size_t i = first; i < end; ++i) {
      const bool names = !text.empty() && is_name_char(text.back()) && is_name_char(tokens_[i].text[0]);
      const bool behind_comma = text.ends_with(','), behind_star = text.ends_with('*') || text.ends_with('&');
      if (names || behind_comma || (behind_star && tokens_[i].kind == Token::Kind::name)) text += ' ';
      text += tokens_[i].text;
    }
    return text;
  }

  // Declarations of one macro call stand and fall together.
  void mark_siblings() {
    for (std::size_t i = 0, next = 0; i < found_.size(); i = next) {
      bool device = false;
      for (next = i; next < found_.size() && found_[next].begin == found_[i].begin && found_[next].end == found_[i].end;
           ++next)
        device |= found_[next].is_kernel || found_[next].is_device;
      for (std::size_t k = i; next - i > 1 && k < next; ++k) found_[k].is_device |= device;
    }
  }

  // The name before the parenthesis at `paren`: "f", "ns::f", or "f" for `f<int>(`. Empty if there is none.
  std::string name_before(std::size_t paren, std::size_t first, ScannedDeclaration& now) const {
    std::size_t last = paren;
    std::string arguments;
    if (last > first && is(last - 1, ">")) {
      int depth = 0;
      std::size_t open = last;
      while (open > first) {
        --open;
        if (is(open, ">")) ++depth;
        if (is(open, "<") && --depth == 0) break;
      }
      arguments = text_of(open, last);
      last = open;
    }
    if (last == first || tokens_[last - 1].kind != Token::Kind::name || is_attribute(tokens_[last - 1].text)) return "";
    std::string name(tokens_[last - 1].text);
    now.name_offset = tokens_[last - 1].offset;
    for (std::size_t i = last - 1; i >= first + 2 && is(i - 1, "::"); i -= 2) {
      // `Stack<T>::push`
      for (std::size_t open = i - 2; is(i - 2, ">") && open > first; --open)
        if (is(open, "<")) i = open + 1;
      if (tokens_[i - 2].kind != Token::Kind::name) break;
      name = std::string(tokens_[i - 2].text) + "::" + name;
    }
    now.template_arguments = arguments;
    return name;
  }

  void annotate(ScannedDeclaration& now, const Token& token) const {
    if (token.kind != Token::Kind::name) return;
    if (annotations_.kernel.contains(token.text)) now.is_kernel = true;
    if (annotations_.device.contains(token.text)) now.is_device = true;
    if (token.text == "constexpr" || token.text == "consteval" || token.text == "constinit") now.is_constexpr = true;
  }

  void declaration(const std::string& prefix, int depth) {
    ScannedDeclaration now;
    now.begin = tokens_[at_].offset;
    std::size_t first = at_;
    bool type_head = false, initialiser = false, done_with_name = false, of_constructor = false;
    while (at_ < tokens_.size()) {
      const Token& token = tokens_[at_];
      annotate(now, token);
      if (token.text == "template" && is(at_ + 1, "<")) {
        template_head(now);
        first = at_;
      } else if (token.text == "namespace" || (token.text == "extern" && at_ + 1 < tokens_.size() &&
                                               tokens_[at_ + 1].kind == Token::Kind::literal)) {
        if (enter(prefix, depth)) return;
      } else if (token.text == "using" || token.text == "typedef" || token.text == "friend") {
        alias(now);
        return;
      } else if (token.text == "class" || token.text == "struct" || token.text == "union" || token.text == "enum") {
        type_head = now.name.empty() && !initialiser;
        ++at_;
      } else if (token.text == "operator" && now.name.empty() && !initialiser) {
        operator_name(now);
        type_head = false;
      } else if (token.text == "(") {
        ScannedDeclaration named = now;
        const std::string name = done_with_name || initialiser ? "" : name_before(at_, first, named);
        if (!name.empty()) {
          now = named;
          now.name = name;
          type_head = false;
          now.parameters = text_of(at_ + 1, std::max(behind_group(at_), at_ + 2) - 1);
        }
        at_ = behind_group(at_);
      } else if (token.text == ":" && !now.name.empty()) {
        done_with_name = of_constructor = true;
        ++at_;
      } else if (token.text == "=") {
        initialiser = initialiser || now.name.empty();
        done_with_name = true;
        ++at_;
      } else if (token.text == "[") {
        at_ = behind_group(at_);
      } else if (token.text == "{" && of_constructor &&
                 (tokens_[at_ - 1].kind == Token::Kind::name || is(at_ - 1, ">"))) {
        at_ = behind_group(at_);  // `: size_{size} {`: the initialiser of a member, not the body
      } else if (token.text == "{") {
        const bool body = !now.name.empty() && !initialiser;
        const std::size_t open = at_;
        at_ = behind_group(at_);
        if (type_head) annotate_members(now, open, at_);
        if (body) {
          finish(now, prefix, ScannedDeclaration::Kind::function, first);
          return;
        }
      } else if (token.text == ";") {
        ++at_;
        finish(now, prefix,
               now.name.empty() ? (type_head ? ScannedDeclaration::Kind::type : ScannedDeclaration::Kind::variable)
                                : ScannedDeclaration::Kind::function,
               first);
        return;
      } else if (token.text == "}") {
        return;  // the end of the enclosing scope
      } else {
        ++at_;
      }
    }
  }

  // Skips from `operator` past its parameters: its sign may be `=`, `<`, `()` or `[]`, which mean something else
  // elsewhere.
  void operator_name(ScannedDeclaration& now) {
    now.name = "operator";
    now.name_offset = tokens_[at_].offset;
    if (is(++at_, "(")) at_ = behind_group(at_);
    while (at_ < tokens_.size() && !is(at_, "(") && !is(at_, ";") && !is(at_, "}")) ++at_;
    if (is(at_, "(")) at_ = behind_group(at_);
  }

  // Skips from `using`, `typedef` or `friend` past its semicolon (or the body of a friend).
  void alias(ScannedDeclaration& now) {
    const bool is_friend = is(at_, "friend");
    const bool is_using = is(at_, "using");
    const bool is_directive = is_using && is(at_ + 1, "namespace");
    std::size_t named = 0;
    bool body = false;
    while (at_ < tokens_.size() && !is(at_, ";") && !body) {
      annotate(now, tokens_[at_]);
      if (is_using && is(at_, "=") && named == 0) named = at_ - 1;
      // `typedef void (CALL *name)(int)`: the last name within the first parentheses.
      if (!is_using && !is_friend && is(at_, "(") && named == 0) {
        const std::size_t behind = behind_group(at_);
        if (is(behind, "("))
          for (std::size_t i = at_; i < behind; ++i)
            if (tokens_[i].kind == Token::Kind::name) named = i;
      }
      body = is_friend && is(at_, "{");
      at_ = is(at_, "{") ? behind_group(at_) : at_ + 1;
    }
    if (!body) ++at_;
    for (std::size_t i = std::min(at_, tokens_.size()); named == 0 && i > 1; --i)
      if (tokens_[i - 1].kind == Token::Kind::name) named = i - 1;
    now.kind = ScannedDeclaration::Kind::alias;
    const Token& last = tokens_[std::min(at_, tokens_.size()) - 1];
    now.end = last.end;
    if (!is_friend && !is_directive && named < tokens_.size() && tokens_[named].kind == Token::Kind::name) {
      now.name = std::string(tokens_[named].text);
      now.name_offset = tokens_[named].offset;
    } else {
      now.name_offset = now.begin;
    }
    found_.push_back(std::move(now));
  }

  void annotate_members(ScannedDeclaration& now, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) annotate(now, tokens_[i]);
  }

  // Reads the declarations after `namespace a::b {` or `extern "C" {`. False if no brace follows, as in `extern "C"
  // void f();` and `namespace cg = cooperative_groups;`.
  bool enter(const std::string& prefix, int depth) {
    const bool is_namespace = is(at_, "namespace");
    std::size_t open = at_ + 1;
    std::string inner = prefix;
    if (is_namespace) {
      for (; open < tokens_.size() && !is(open, "{") && !is(open, ";") && !is(open, "="); ++open)
        if (tokens_[open].kind == Token::Kind::name && !is(open, "inline"))
          inner += std::string(tokens_[open].text) + "::";
    } else {
      ++open;
    }
    if (!is(open, "{") || depth > 200) {
      at_ = is_namespace ? open : at_ + 2;
      return false;
    }
    at_ = open + 1;
    scope(inner, depth + 1);
    ++at_;
    return true;
  }

  void finish(ScannedDeclaration& now, const std::string& prefix, ScannedDeclaration::Kind kind, std::size_t first) {
    now.kind = kind;
    const Token& last = tokens_[std::min(at_, tokens_.size()) - 1];
    now.end = last.end;
    if (now.name.empty() && kind != ScannedDeclaration::Kind::function) name_variable(now, first);
    now.name = prefix + now.name;
    found_.push_back(std::move(now));
  }

  // The last name before `=`, `[`, `{` or `;`; for a type, the name after its keyword.
  void name_variable(ScannedDeclaration& now, std::size_t first) const {
    for (std::size_t i = first; i < at_; ++i) {
      const Token& token = tokens_[i];
      if (token.text == "=" || token.text == "[" || token.text == "{" || token.text == ";" || token.text == "(") break;
      if (now.kind == ScannedDeclaration::Kind::type && token.text == ":") break;
      if (token.text == "<") {
        i = behind_angles(i) - 1;
      } else if (token.kind == Token::Kind::name) {
        now.name = std::string(token.text);
        now.name_offset = token.offset;
      }
    }
  }

  void number_lines() {
    std::size_t at = 0;
    int line = 1;
    std::vector<ScannedDeclaration*> order;
    for (ScannedDeclaration& declaration : found_) order.push_back(&declaration);
    std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->name_offset < b->name_offset; });
    for (ScannedDeclaration* declaration : order) {
      line += static_cast<int>(std::count(code_.begin() + static_cast<std::ptrdiff_t>(at),
                                          code_.begin() + static_cast<std::ptrdiff_t>(declaration->name_offset), '\n'));
      at = declaration->name_offset;
      declaration->line = line;
    }
  }

  std::string_view code_;
  Annotations annotations_;
  MacroCalls calls_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<ScannedDeclaration> found_;
};

}  // namespace

std::vector<ScannedDeclaration> scan_declarations(std::string_view text) {
  const std::string code = blank_non_code(text);
  return Parser(code, text).run();
}

std::string aliased_type(std::string_view text, const ScannedDeclaration& alias) {
  if (alias.kind != ScannedDeclaration::Kind::alias || alias.name.empty() || alias.is_template) return "";
  const std::string code = blank_non_code(text.substr(alias.begin, alias.end - alias.begin));
  std::string_view type = trimmed(code);
  if (type.ends_with(';')) type = trimmed(type.substr(0, type.size() - 1));
  if (const std::size_t equals = type.find('='); type.starts_with("using ") && equals != std::string_view::npos)
    type = trimmed(type.substr(equals + 1));
  else if (type.starts_with("typedef ") && type.ends_with(alias.name))
    type = trimmed(type.substr(8, type.size() - 8 - alias.name.size()));
  else
    return "";
  const bool plain = std::ranges::all_of(type, [](char c) { return is_name_char(c) || c == ' '; });
  return plain ? std::string(type) : "";
}

std::vector<ScannedDeclaration> scan_members(std::string_view text, const ScannedDeclaration& of) {
  std::string code = blank_non_code(text);
  const std::size_t open = code.find('{', of.name_offset);
  const std::size_t close = code.rfind('}', of.end);
  if (open >= of.end || close == std::string::npos || close <= open) return {};
  auto keep_lines = [&code](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  keep_lines(0, open + 1);
  keep_lines(close, code.size());
  // `public:` does not begin a declaration.
  for (const std::string_view label : {"public", "protected", "private"})
    for (std::size_t at = code.find(label, open); at != std::string::npos; at = code.find(label, at + 1)) {
      const std::size_t colon = code.find_first_not_of(blanks, at + label.size());
      if (colon != std::string::npos && code[colon] == ':' && !is_name_char(code[at - 1])) keep_lines(at, colon + 1);
    }
  return Parser(code, text).run();
}

std::vector<std::string> scan_kernels(std::string_view text) {
  std::vector<std::string> names;
  for (const ScannedDeclaration& declaration : scan_declarations(text)) {
    if (!declaration.is_kernel || declaration.kind != ScannedDeclaration::Kind::function) continue;
    std::string name = declaration.name + declaration.template_arguments;
    if (declaration.is_template && declaration.template_arguments.empty()) {
      std::string list;
      for (const std::string& parameter : declaration.template_parameters)
        list += (list.empty() ? "" : ", ") + (parameter.empty() ? std::string("_") : parameter);
      name += "<" + list + ">";
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

bool defines_main(std::string_view code) {
  constexpr std::string_view name = "main";
  const std::string text = blank_non_code(code);
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t after = text.find_first_not_of(blanks, at + name.size());
    const bool whole = (at == 0 || (!is_name_char(text[at - 1]) && text[at - 1] != ':' && text[at - 1] != '.')) &&
                       after != std::string::npos && text[after] == '(';
    if (whole) return true;
  }
  return false;
}

}  // namespace lanescope::compile
