#include "compile/host/host_constants.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "compile/host/host_facts.h"
#include "compile/host/launch_scan.h"
#include "compile/host/library_names.h"
#include "core/comma_list.h"
#include "core/source_types.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {

struct HostConstants::Facts : HostFacts {};

namespace {

using KnownNames = std::map<std::string, HostValue, std::less<>>;
constexpr int deepest = 64;

HostValue whole(std::int64_t value) {
  return {HostValue::Kind::whole, value, 0, {}};
}
HostValue real(double value) {
  return {HostValue::Kind::real, 0, value, {}};
}
double number(const HostValue& value) {
  return value.kind == HostValue::Kind::real ? value.real : static_cast<double>(value.whole);
}

std::optional<HostValue> cut(const HostValue& value) {
  if (value.kind != HostValue::Kind::real) return value;
  if (!(std::abs(value.real) < 9e18)) return std::nullopt;
  return whole(static_cast<std::int64_t>(value.real));
}

// A recursive-descent parser for C++'s precedences. Evaluation ends at the first construct that it does not understand,
// which `why` then describes.
class Evaluator {
 public:
  Evaluator(const HostFacts& facts, std::string_view text, std::size_t offset, const KnownNames& names, int depth,
            Wording& why)
      : facts_(facts), text_(text), offset_(offset), names_(names), depth_(depth), why_(why) {}

  std::optional<HostValue> all() {
    if (depth_ > deepest) return unknown(worded("`{}` is nested too deep", trimmed(text_)));
    std::optional<HostValue> value = conditional();
    if (value && !at_end()) return not_understood();
    return value;
  }

 private:
  std::optional<HostValue> unknown(Wording why) {
    if (why_.empty()) why_ = std::move(why);
    return std::nullopt;
  }
  std::optional<HostValue> not_understood() { return unknown(worded("`{}` is not understood", trimmed(text_))); }

  void skip_blanks() {
    while (at_ < text_.size() && contains(blanks, text_.substr(at_, 1))) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool take(std::string_view mark) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(mark)) return false;
    at_ += mark.size();
    return true;
  }

  std::optional<HostValue> conditional() {
    std::optional<HostValue> condition = binary(0);
    if (!condition || !take("?")) return condition;
    const std::optional<HostValue> yes = conditional();
    if (!yes) return yes;
    if (!take(":")) return not_understood();
    const std::optional<HostValue> no = conditional();
    if (!no) return no;
    return number(*condition) != 0 ? yes : no;
  }

  struct Mark {
    std::string_view text;
    int level;
  };
  std::optional<Mark> next_mark() {
    static constexpr Mark marks[] = {{"<<", 7}, {">>", 7}, {"<=", 6}, {">=", 6}, {"==", 5}, {"!=", 5},
                                     {"&&", 1}, {"||", 0}, {"<", 6},  {">", 6},  {"+", 8},  {"-", 8},
                                     {"*", 9},  {"/", 9},  {"%", 9},  {"&", 4},  {"^", 3},  {"|", 2}};
    skip_blanks();
    for (const Mark& mark : marks)
      if (text_.substr(at_).starts_with(mark.text)) return mark;
    return std::nullopt;
  }

  std::optional<HostValue> binary(int least) {
    std::optional<HostValue> left = unary();
    while (left) {
      const std::optional<Mark> mark = next_mark();
      if (!mark || mark->level < least) break;
      at_ += mark->text.size();
      const std::optional<HostValue> right = binary(mark->level + 1);
      if (!right) return right;
      left = combine(mark->text, *left, *right);
    }
    return left;
  }

  std::optional<HostValue> combine(std::string_view mark, const HostValue& a, const HostValue& b) {
    if (a.kind == HostValue::Kind::extent || b.kind == HostValue::Kind::extent) return not_understood();
    const double x = number(a), y = number(b);
    if (mark == "<") return whole(x < y);
    if (mark == ">") return whole(x > y);
    if (mark == "<=") return whole(x <= y);
    if (mark == ">=") return whole(x >= y);
    if (mark == "==") return whole(x == y);
    if (mark == "!=") return whole(x != y);
    if (mark == "&&") return whole(x != 0 && y != 0);
    if (mark == "||") return whole(x != 0 || y != 0);
    if (a.kind == HostValue::Kind::real || b.kind == HostValue::Kind::real) {
      if (mark == "+") return real(x + y);
      if (mark == "-") return real(x - y);
      if (mark == "*") return real(x * y);
      if (mark == "/") return real(x / y);
      return not_understood();
    }
    return combine_whole(mark, a.whole, b.whole);
  }

  std::optional<HostValue> combine_whole(std::string_view mark, std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    const bool overflows = (mark == "+" && __builtin_add_overflow(a, b, &out)) ||
                           (mark == "-" && __builtin_sub_overflow(a, b, &out)) ||
                           (mark == "*" && __builtin_mul_overflow(a, b, &out));
    if (overflows) return unknown(worded("`{}` overflows", trimmed(text_)));
    if (mark == "+" || mark == "-" || mark == "*") return whole(out);
    if (mark == "/" || mark == "%") {
      if (b == 0) return unknown(worded("`{}` divides by zero", trimmed(text_)));
      if (b == -1) return mark == "%" ? std::optional(whole(0)) : combine_whole("-", 0, a);
      return whole(mark == "/" ? a / b : a % b);
    }
    if (mark == "<<" || mark == ">>") {
      if (b < 0 || b > 62 || a < 0 || (mark == "<<" && a > std::numeric_limits<std::int64_t>::max() >> b))
        return unknown(worded("`{}` overflows", trimmed(text_)));
      return whole(mark == "<<" ? a << b : a >> b);
    }
    return whole(mark == "&" ? a & b : mark == "|" ? a | b : a ^ b);
  }

  std::optional<HostValue> unary() {
    skip_blanks();
    if (take("+")) return unary();
    if (take("-")) {
      const std::optional<HostValue> value = unary();
      return value ? combine("-", whole(0), *value) : value;
    }
    if (take("!")) {
      const std::optional<HostValue> value = unary();
      return value ? std::optional(whole(number(*value) == 0)) : value;
    }
    if (take("~")) {
      const std::optional<HostValue> value = unary();
      return value && value->kind == HostValue::Kind::whole ? std::optional(whole(~value->whole)) : not_understood();
    }
    return postfix();
  }

  std::optional<HostValue> postfix() {
    std::optional<HostValue> value = primary();
    while (value && take(".")) {
      const std::string member = name();
      if (value->kind != HostValue::Kind::extent || member.size() != 1 || member[0] < 'x' || member[0] > 'z')
        return not_understood();
      value = whole(member == "x" ? value->extent.x : member == "y" ? value->extent.y : value->extent.z);
    }
    return value;
  }

  std::string name() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  // The text up to the bracket that closes the current group.
  std::optional<std::string_view> group() {
    int depth = 1;
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth == 0) return text_.substr(begin, at_++ - begin);
    }
    return std::nullopt;
  }

  std::optional<HostValue> within(std::string_view text) {
    return Evaluator(facts_, text, offset_, names_, depth_ + 1, why_).all();
  }

  // (int)x and int(x).
  std::optional<HostValue> cast(const std::string& type, const std::optional<HostValue>& value) {
    if (!value || value->kind == HostValue::Kind::extent) return value ? not_understood() : value;
    if (type == "float") return real(static_cast<float>(number(*value)));
    if (type == "double") return real(number(*value));
    const std::optional<HostValue> made = cut(*value);
    if (!made) return not_understood();
    const std::int64_t bytes = bytes_of_type(type);
    const bool fits = bytes >= 8 || (bytes > 0 && made->whole >= -(std::int64_t{1} << (8 * bytes - 1)) &&
                                     made->whole < (std::int64_t{1} << (8 * bytes)));
    return fits ? made : unknown(worded("`{}` overflows", trimmed(text_)));
  }

  std::optional<HostValue> primary() {
    skip_blanks();
    if (at_ >= text_.size()) return not_understood();
    if (take("(")) {
      const std::optional<std::string_view> inside = group();
      if (!inside) return not_understood();
      const std::string type = type_of(*inside);
      if (!type.empty()) return cast(type, unary());
      return within(*inside);
    }
    const char c = text_[at_];
    if ((c >= '0' && c <= '9') || c == '.') return literal();
    if (c == '\'') return character();
    if (!is_name_char(c)) return not_understood();
    return named();
  }

  // "const int" → "int"; empty for an unknown type.
  static std::string type_of(std::string_view text) {
    std::string tight;
    std::string_view rest = trimmed(text);
    while (!rest.empty()) {
      std::size_t end = 0;
      while (end < rest.size() && is_name_char(rest[end])) ++end;
      if (end == 0) {
        tight += rest[0];
        end = 1;
      } else if (rest.substr(0, end) != "const" && rest.substr(0, end) != "std") {
        tight += rest.substr(0, end);
      }
      rest = trimmed(rest.substr(end));
    }
    while (tight.starts_with("::")) tight.erase(0, 2);
    if (tight.ends_with("int") && tight.size() > 3 && bytes_of_type(tight) == 0)
      tight.resize(tight.size() - 3);  // "long int"
    return bytes_of_type(tight) != 0 ? tight : std::string();
  }

  // 'a' or '\n'.
  std::optional<HostValue> character() {
    static constexpr std::string_view letters = "nrt0\\'\"", values("\n\r\t\0\\'\"", 7);
    const std::size_t escaped = text_.substr(at_ + 1).starts_with('\\') ? 1 : 0;
    const std::string_view all = text_.substr(at_, 3 + escaped);
    if (all.size() != 3 + escaped || all.back() != '\'' || static_cast<signed char>(all[1 + escaped]) < 0)
      return not_understood();
    at_ += all.size();
    if (escaped == 0) return whole(all[1]);
    const std::size_t letter = letters.find(all[2]);
    return letter == std::string_view::npos ? not_understood() : std::optional(whole(values[letter]));
  }

  std::optional<HostValue> literal() {
    const std::size_t begin = at_;
    const bool hexadecimal = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
    bool point = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool exponent =
          !hexadecimal && (c == '+' || c == '-') && at_ > begin && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!is_name_char(c) && c != '.' && c != '\'' && !exponent) break;
      point |= c == '.' || (!hexadecimal && (c == 'e' || c == 'E'));
      ++at_;
    }
    std::string digits(text_.substr(begin, at_ - begin));
    std::erase(digits, '\'');
    if (point) {
      double value = 0;
      const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      const std::string_view rest(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
      if (status != std::errc{} || !(rest.empty() || rest == "f" || rest == "F")) return not_understood();
      return real(rest.empty() ? value : static_cast<double>(static_cast<float>(value)));
    }
    while (!digits.empty() && contains("uUlL", digits.substr(digits.size() - 1))) digits.pop_back();
    std::int64_t value = 0;
    const bool octal = digits.size() > 1 && digits[0] == '0' && !hexadecimal;
    const char* const first = digits.data() + (hexadecimal ? 2 : 0);
    const auto [end, status] = std::from_chars(first, digits.data() + digits.size(), value,
                                               hexadecimal ? 16
                                               : octal     ? 8
                                                           : 10);
    if (status != std::errc{} || end != digits.data() + digits.size()) return not_understood();
    return whole(value);
  }

  std::optional<HostValue> named() {
    std::string word = name(), owner;
    while (take("::")) owner = std::exchange(word, name());
    if (word == "true" || word == "false") return whole(word == "true");
    if (word == "static_cast") {
      if (!take("<")) return not_understood();
      const std::size_t close = text_.find('>', at_);
      if (close == std::string_view::npos) return not_understood();
      const std::string type = type_of(text_.substr(at_, close - at_));
      at_ = close + 1;
      if (type.empty() || !take("(")) return not_understood();
      const std::optional<std::string_view> inside = group();
      return inside ? cast(type, within(*inside)) : not_understood();
    }
    const auto macro = facts_.macros.find(word);
    const bool calls =
        (skip_blanks(), at_ < text_.size() && (text_[at_] == '(' || (text_[at_] == '{' && word == "dim3")));
    if (macro != facts_.macros.end() && !names_.contains(word) && (calls || !macro->second.has_parameters))
      return expanded(word, macro->second);
    if (calls) return call(word);
    if (const auto local = names_.find(word); local != names_.end()) return local->second;
    return variable(word, owner);
  }

  std::optional<HostValue> expanded(const std::string& word, const HostFunction& macro) {
    if (macro.ambiguous) return unknown(worded("`{}` is defined more than once", word));
    return macro.has_parameters ? applied(word, macro)
                                : Evaluator(facts_, macro.body, offset_, {}, depth_ + 1, why_).all();
  }

  // Applies a function or macro. Arguments of both are evaluated as if in parentheses.
  std::optional<HostValue> applied(const std::string& word, const HostFunction& function) {
    if (function.ambiguous) return unknown(worded("`{}` is defined more than once", word));
    take("(");
    const std::optional<std::string_view> inside = group();
    if (!inside) return not_understood();
    const std::vector<std::string> given = comma_list(*inside);
    if (given.size() != function.parameters.size()) return not_understood();
    KnownNames names;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::optional<HostValue> value = within(given[i]);
      if (!value) return value;
      names[function.parameters[i]] = *value;
    }
    const std::optional<HostValue> made = Evaluator(facts_, function.body, offset_, names, depth_ + 1, why_).all();
    return made && function.returns_whole ? cut(*made) : made;
  }

  std::optional<HostValue> call(const std::string& word) {
    if (const auto function = facts_.functions.find(word); function != facts_.functions.end())
      return applied(word, function->second);
    ++at_;
    const std::optional<std::string_view> inside = group();
    if (!inside) return not_understood();
    if (word == "sizeof") {
      const std::string type = type_of(facts_.type_behind(trimmed(*inside)));
      if (!type.empty()) return whole(bytes_of_type(type));
      const std::optional<HostValue> bytes = bytes_of(std::string(trimmed(*inside)));
      return bytes ? bytes : unknown(worded("`sizeof({})` is not known", trimmed(*inside)));
    }
    if (bytes_of_type(word) != 0) return cast(word, within(*inside));
    std::vector<HostValue> values;
    for (const std::string& part : comma_list(*inside)) {
      const std::optional<HostValue> value = within(part);
      if (!value) return value;
      values.push_back(*value);
    }
    return known_function(word, values);
  }

  std::optional<HostValue> known_function(const std::string& word, const std::vector<HostValue>& values) {
    const auto are = [&](std::size_t count) {
      return values.size() == count &&
             std::ranges::none_of(values, [](const HostValue& v) { return v.kind == HostValue::Kind::extent; });
    };
    if (word == "dim3" && values.size() <= 3) return extent(values);
    if (const auto value = are(1) ? value_of_cmath(word, number(values[0])) : std::nullopt) return real(*value);
    if ((word == "min" || word == "max") && are(2))
      return (number(values[0]) < number(values[1])) == (word == "min") ? values[0] : values[1];
    return unknown(worded("the result of `{}()` is not known", word));
  }

  std::optional<HostValue> extent(const std::vector<HostValue>& values) {
    if (values.size() == 1 && values[0].kind == HostValue::Kind::extent) return values[0];
    HostValue made{HostValue::Kind::extent, 0, 0, {1, 1, 1}};
    std::uint32_t* const parts[] = {&made.extent.x, &made.extent.y, &made.extent.z};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::optional<HostValue> value = values[i].kind == HostValue::Kind::extent ? std::nullopt : cut(values[i]);
      if (!value || value->whole < 0 || value->whole > std::numeric_limits<std::uint32_t>::max())
        return not_understood();
      *parts[i] = static_cast<std::uint32_t>(value->whole);
    }
    return made;
  }

  // The innermost visible variable of this name; with an owner, as in Config::tile, the only one that it declares.
  const HostVariable* find_variable(const std::string& word, const std::string& owner) const {
    if (owner.empty()) return innermost(facts_.variables, word, offset_);
    const HostVariable* owned = nullptr;
    int owned_count = 0;
    const auto [begin, end] = facts_.variables.equal_range(word);
    for (auto at = begin; at != end; ++at) {
      const HostVariable& one = at->second;
      if (std::ranges::find(one.owners, owner) == one.owners.end()) continue;
      owned = &one;
      ++owned_count;
    }
    return owned_count == 1 ? owned : nullptr;
  }

  // sizeof a variable or an array.
  std::optional<HostValue> bytes_of(const std::string& word) {
    const HostVariable* const of = find_variable(word, "");
    if (of == nullptr || (of->is_parameter && !of->lengths.empty())) return std::nullopt;
    std::optional<HostValue> bytes = whole(of->is_pointer ? 8 : bytes_of_type(type_of(of->type)));
    if (bytes->whole == 0) return std::nullopt;
    for (const std::string& length : of->lengths) {
      const std::optional<HostValue> count = Evaluator(facts_, length, of->begin, {}, depth_ + 1, why_).all();
      if (!count || count->kind != HostValue::Kind::whole) return std::nullopt;
      bytes = combine_whole("*", bytes->whole, count->whole);
      if (!bytes) return bytes;
    }
    return bytes;
  }

  // Sets the members to which statements before the expression assign.
  std::optional<HostValue> with_members(const HostVariable& variable, std::optional<HostValue> value) {
    std::uint32_t* const parts[] = {&value->extent.x, &value->extent.y, &value->extent.z};
    for (std::size_t i = 0; i < variable.members.size(); ++i) {
      const HostVariable::Member& member = variable.members[i];
      if (member.value.empty() || member.begin >= offset_) continue;
      const std::optional<HostValue> made = Evaluator(facts_, member.value, member.begin, {}, depth_ + 1, why_).all();
      if (!made) return made;
      const std::optional<HostValue> one = extent({*made});
      if (!one) return one;
      *parts[i] = one->extent.x;
    }
    return value;
  }

  std::optional<HostValue> variable(const std::string& word, const std::string& owner) {
    const HostVariable* const best = find_variable(word, owner);
    for (const auto& [member, value] : properties_of_every_device())
      if (best == nullptr && take(member)) return whole(value);
    if (best == nullptr) return unknown(worded("`{}` is not known", word));
    if (!best->known) return unknown(worded("`{}` is given at run time", word));
    if (best->set_again != 0) return unknown(worded("`{}` may change on line {}", word, best->set_again));
    std::string_view text = trimmed(best->initialiser);
    if (best->is_extent && text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
    if (best->is_extent) {
      std::vector<HostValue> values;
      for (const std::string& part : comma_list(text)) {
        const std::optional<HostValue> value = Evaluator(facts_, part, best->begin, {}, depth_ + 1, why_).all();
        if (!value) return value;
        values.push_back(*value);
      }
      const std::optional<HostValue> made = values.size() <= 3 ? extent(values) : not_understood();
      return made ? with_members(*best, made) : made;
    }
    const std::optional<HostValue> value = Evaluator(facts_, text, best->begin, {}, depth_ + 1, why_).all();
    if (value && best->is_whole) return cut(*value);
    if (value && best->is_real) return real(number(*value));
    return value;
  }

  const HostFacts& facts_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t offset_;
  const KnownNames& names_;
  int depth_;
  Wording& why_;
};

}  // namespace

HostConstants::HostConstants(std::string_view text) : facts_(std::make_unique<Facts>(Facts{find_host_facts(text)})) {}
HostConstants::~HostConstants() = default;

HostEvaluation HostConstants::evaluate(std::string_view expression, std::size_t offset) const {
  HostEvaluation made;
  made.value = Evaluator(*facts_, expression, offset, {}, 0, made.why).all();
  return made;
}

void HostConstants::know(std::string_view name, std::size_t offset, std::int64_t value) {
  if (evaluate(name, offset).value) return;
  HostVariable* const known = innermost(facts_->variables, name, offset);
  if (known == nullptr || known->set_again != 0 || known->is_pointer || known->is_extent) return;
  known->initialiser = std::to_string(value);
  known->known = true;
}

}  // namespace lanescope::compile
