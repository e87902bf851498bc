#include "lesson/formula_node.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "core/os/installation.h"
#include "core/text.h"
#include "core/worded.h"
#include "lesson/nearest.h"

namespace lanescope::lesson {

namespace {

constexpr int deepest_nesting = 100;

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

const FormulaFunction* find_function(std::string_view name) {
  for (const FormulaFunction& function : formula_functions)
    if (name == function.name) return &function;
  return nullptr;
}

// "launch3" → 3, "all" → 0.
std::optional<int> launch_named(std::string_view word) {
  if (word == "all") return 0;
  if (!word.starts_with("launch")) return std::nullopt;
  int number = 0;
  const auto [end, status] = std::from_chars(word.data() + 6, word.data() + word.size(), number);
  if (status != std::errc{} || end != word.data() + word.size() || number < 1) return std::nullopt;
  return number;
}

}  // namespace

bool is_reserved(std::string_view name) {
  return find_function(name) || launch_named(name) || name == "sum" || name == "after" || name == "within" ||
         name == "current";
}

// A recursive-descent parser. It keeps the first error; after it, everything returns at once.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, Dialect dialect, const SourcePlace& place, std::span<const std::string> variants)
      : text_(text), dialect_(dialect), variants_(variants) {
    result_.text_ = std::string(text);
    result_.place_ = place;
    left_of_comparison_ = dialect == Dialect::elements;
  }

  Result<Formula> parse() {
    skip_space();
    if (at_end()) fail(1, "The formula is empty", "Write a value, such as `n` or `ceil_div(n, 256)`.");
    result_.root_ = formula();
    parse_tolerance();
    skip_space();
    if (!error_ && !at_end())
      fail(column(), worded("`{}` does not continue the formula", rest_word()),
           "Remove it, or put an operator before it.");
    if (error_) return std::move(*error_);
    return std::move(result_);
  }

 private:
  int column() const { return static_cast<int>(at_) + 1; }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void skip_space() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool accept(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool expect(std::string_view token, const Wording& after) {
    if (accept(token)) return true;
    fail(column(), worded("`{}` is missing after {}", token, after), worded("Add `{}` here.", token));
    return false;
  }
  std::string_view rest_word() const {
    std::size_t end = at_;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
    return text_.substr(at_, std::max<std::size_t>(end - at_, 1));
  }
  std::string name() {
    skip_space();
    if (!starts_name(peek())) return {};
    const std::size_t begin = at_;
    while (!at_end() && is_name_char(peek())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void fail(int at_column, const Wording& message, Wording cure) {
    if (error_) return;
    SourcePlace place = result_.place_;
    if (place.column > 0) place.column += at_column - 1;
    error_ = Diagnostic{Severity::error, "lesson.bad_formula", place, worded("{} in `{}`.", message, text_),
                        std::move(cure)};
    at_ = text_.size();
  }

  int add(FormulaOp op, int a = -1, int b = -1, int c = -1) {
    Formula::Node node;
    node.op = op;
    node.a = a;
    node.b = b;
    node.c = c;
    node.column = column();
    result_.nodes_.push_back(node);
    return static_cast<int>(result_.nodes_.size()) - 1;
  }
  int add_slot(FormulaOp op, std::size_t slot) {
    const int node = add(op);
    result_.nodes_[static_cast<std::size_t>(node)].slot = slot;
    return node;
  }
  int add_constant(Value value) {
    const int node = add(FormulaOp::constant);
    result_.nodes_[static_cast<std::size_t>(node)].value = value;
    return node;
  }

  int formula() {
    if (++depth_ > deepest_nesting) {
      fail(column(), "The nesting is too deep", "Split the formula up.");
      return -1;
    }
    int node = condition();
    if (accept("?")) {
      const int yes = formula();
      expect(":", "the first choice");
      const int no = formula();
      node = add(FormulaOp::choose, node, yes, no);
    }
    --depth_;
    return node;
  }

  int condition() {
    int node = conjunction();
    while (!error_ && dialect_ != Dialect::elements && accept("||")) {
      const int right = conjunction();
      node = add(FormulaOp::either, node, right);
    }
    return node;
  }
  int conjunction() {
    int node = comparison();
    while (!error_ && dialect_ != Dialect::elements && accept("&&")) {
      const int right = comparison();
      node = add(FormulaOp::both, node, right);
    }
    return node;
  }

  int comparison() {
    const int left = sum_of_products();
    static constexpr std::pair<std::string_view, FormulaOp> operators[] = {
        {"==", FormulaOp::equal},         {"!=", FormulaOp::not_equal}, {"<=", FormulaOp::less_equal},
        {">=", FormulaOp::greater_equal}, {"<", FormulaOp::less},       {">", FormulaOp::greater}};
    for (const auto& [token, op] : operators) {
      if (!accept(token)) continue;
      left_of_comparison_ = false;
      return add(op, left, sum_of_products());
    }
    return left;
  }

  int sum_of_products() {
    int node = product();
    while (!error_) {
      if (accept("+"))
        node = add(FormulaOp::add, node, product());
      else if (accept("-"))
        node = add(FormulaOp::subtract, node, product());
      else
        break;
    }
    return node;
  }

  int product() {
    int node = factor();
    while (!error_) {
      if (accept("*"))
        node = add(FormulaOp::multiply, node, factor());
      else if (accept("/"))
        node = add(FormulaOp::divide, node, factor());
      else if (accept("%"))
        node = add(FormulaOp::remainder, node, factor());
      else
        break;
    }
    return node;
  }

  int factor() {
    if (error_) return -1;
    skip_space();
    if (accept("-")) {
      if (++depth_ > deepest_nesting) fail(column(), "The nesting is too deep", "Split the formula up.");
      const int node = add(FormulaOp::negate, factor());
      --depth_;
      return node;
    }
    if (accept("(")) {
      const int node = formula();
      expect(")", "the formula in parentheses");
      return node;
    }
    const char c = peek();
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    if (c == '@') return reference({}, column());
    if (starts_name(c)) return named();
    fail(column(), at_end() ? Wording("A value is missing at the end") : worded("`{}` is not a value", c),
         "A value is a number, a name, a function call or a formula in parentheses.");
    return -1;
  }

  int number() {
    const std::size_t begin = at_;
    if (text_.substr(at_).starts_with("0x")) {
      std::uint64_t value = 0;
      const char* first = text_.data() + at_ + 2;
      const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), value, 16);
      if (status != std::errc{} || value > static_cast<std::uint64_t>(INT64_MAX)) return bad_number(begin);
      at_ = static_cast<std::size_t>(end - text_.data());
      return add_constant(Value::of(static_cast<std::int64_t>(value)));
    }
    while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
    const bool fraction =
        peek() == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1]));
    const bool exponent = peek() == 'e' || peek() == 'E';
    const char* first = text_.data() + begin;
    const char* last = text_.data() + text_.size();
    if (fraction || exponent) {
      double value = 0;
      const auto [end, status] = std::from_chars(first, last, value);
      if (status != std::errc{} || dialect_ == Dialect::integers) return bad_number(begin);
      at_ = static_cast<std::size_t>(end - text_.data());
      if (starts_name(peek())) return bad_number(begin);
      return add_constant(Value::of(value));
    }
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(first, text_.data() + at_, value);
    if (status != std::errc{} || starts_name(peek())) return bad_number(begin);
    return add_constant(Value::of(value));
  }
  int bad_number(std::size_t begin) {
    at_ = begin;
    const bool integers = dialect_ == Dialect::integers;
    fail(column(), worded("`{}` is not a {}", rest_word(), integers ? "64-bit integer" : "number"),
         integers ? "Only integers are allowed here." : "Write it like 42, 0x2a, 1.5 or 1e-5.");
    return -1;
  }

  int named() {
    const int start = column();
    const std::string word = name();
    skip_space();
    if (word == "sum" && peek() == '(') return sum_over_range(start);
    if (word == "matches" && peek() == '(' && dialect_ == Dialect::answers) return matches();
    if (const FormulaFunction* function = find_function(word); function && peek() == '(') return call(*function, start);
    if (word == "after" && peek() == '.' && dialect_ == Dialect::elements) {
      ++at_;
      return element(name(), true, start);
    }
    if (peek() == '[') return element(word, left_of_comparison_, start);
    if (peek() == '.' || peek() == '@' || peek() == '(') return reference(word, start);
    if (is_reserved(word)) {
      fail(start, worded("`{}` is not a value by itself", word),
           worded("Use it as {} shows.", document("docs/add-a-lesson.md")));
      return -1;
    }
    for (std::size_t i = locals_.size(); i-- > 0;)
      if (locals_[i] == word) return add_slot(FormulaOp::local, i);
    return add_slot(FormulaOp::name, slot_of(result_.names_, word));
  }

  // Parses the call; the result is a name spelled like it.
  int matches() {
    accept("(");
    std::string pattern;
    if (accept("\"")) pattern = name();
    if (pattern.empty() || !accept("\"") || !accept(")")) {
      fail(column(), "`matches` needs a pattern in quotation marks", "Write it like matches(\"even_lanes\").");
      return -1;
    }
    return add_slot(FormulaOp::name, slot_of(result_.names_, "matches(" + pattern + ")"));
  }

  static std::size_t slot_of(std::vector<std::string>& names, const std::string& word) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == word) return i;
    names.push_back(word);
    return names.size() - 1;
  }

  int call(const FormulaFunction& function, int start) {
    if (dialect_ == Dialect::integers && !function.integers) {
      fail(start, worded("`{}` does not give an integer", std::string_view(function.name)),
           "Only integers are allowed here.");
      return -1;
    }
    accept("(");
    int arguments[2] = {-1, -1};
    for (int i = 0; i < function.arguments; ++i) {
      if (i > 0 && !expect(",", "the first argument")) return -1;
      arguments[i] = formula();
    }
    if (!expect(")", worded("{}'s {} argument{}", std::string_view(function.name), function.arguments,
                            function.arguments == 1 ? "" : "s")))
      return -1;
    return add(function.op, arguments[0], arguments[1]);
  }

  int sum_over_range(int start) {
    if (dialect_ != Dialect::elements) {
      fail(start, "`sum` cannot be used here", "It belongs in a rule for a buffer's elements.");
      return -1;
    }
    accept("(");
    const std::string variable = name();
    if (variable.empty() || is_reserved(variable)) {
      fail(column(), "`sum` needs a name first", "Write it like sum(j, 0, 256, in[j]).");
      return -1;
    }
    expect(",", "the name");
    const int from = formula();
    expect(",", "the first bound");
    const int to = formula();
    expect(",", "the second bound");
    locals_.push_back(variable);
    result_.locals_ = std::max(result_.locals_, locals_.size());
    const std::size_t slot = locals_.size() - 1;
    const int body = formula();
    locals_.pop_back();
    expect(")", "sum's four arguments");
    const int node = add(FormulaOp::sum, from, to, body);
    result_.nodes_[static_cast<std::size_t>(node)].slot = slot;
    return node;
  }

  int element(const std::string& buffer, bool after, int start) {
    if (dialect_ != Dialect::elements || buffer.empty()) {
      fail(start, "Elements of a buffer cannot be used here", "They belong in a rule for a buffer's elements.");
      return -1;
    }
    if (!expect("[", "the buffer's name")) return -1;
    const int index = formula();
    expect("]", "the index");
    auto& uses = result_.buffers_;
    std::size_t use = 0;
    while (use < uses.size() && !(uses[use].name == buffer && uses[use].after == after)) ++use;
    if (use == uses.size()) uses.push_back({buffer, after});
    const int node = add(FormulaOp::element, index);
    result_.nodes_[static_cast<std::size_t>(node)].slot = use;
    result_.nodes_[static_cast<std::size_t>(node)].column = start;
    return node;
  }

  // `word` has been read; '(', '@' or '.' follows.
  int reference(const std::string& word, int start) {
    if (dialect_ == Dialect::integers || dialect_ == Dialect::elements) {
      fail(start,
           peek() == '(' ? worded("There is no function `{}`", word)
                         : worded("The number `{}` of a run cannot be used here", word),
           peek() == '(' ? did_you_mean(word, function_names()) : Wording("Use controls and literals."));
      return -1;
    }
    NumberReference made;
    made.column = start;
    if (dialect_ == Dialect::text || names_variant(word))
      made.variant = word;
    else if (const std::optional<int> launch = launch_named(word))
      made.launch = *launch;
    else
      made.number = word;
    if (peek() == '(' && (made.variant.empty() || !overrides(made))) {
      fail(start, worded("There is no function `{}`", word), did_you_mean(word, function_names()));
      return -1;
    }
    skip_space();
    if (!made.variant.empty() && peek() == '.') launch(made);
    if (peek() == '@' && !made.number.empty()) {
      fail(start, worded("`{}` does not name a launch", word), "Write it like @load.sectors, or launch2@load.sectors.");
      return -1;
    }
    if (peek() == '@' && !mark(made)) return -1;
    if (!dotted(made, start)) return -1;
    return add_slot(FormulaOp::reference, slot_of_reference(made));
  }

  bool names_variant(const std::string& word) const {
    return dialect_ == Dialect::answers && std::find(variants_.begin(), variants_.end(), word) != variants_.end();
  }

  static std::vector<std::string> function_names() {
    std::vector<std::string> names{"sum"};
    for (const FormulaFunction& function : formula_functions) names.emplace_back(function.name);
    return names;
  }

  bool overrides(NumberReference& made) {
    accept("(");
    do {
      const std::string control = name();
      if (control.empty() || !accept("=")) return false;
      const bool negative = accept("-");
      skip_space();
      std::int64_t value = 0;
      const char* first = text_.data() + at_;
      const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), value);
      if (status != std::errc{}) return false;
      at_ = static_cast<std::size_t>(end - text_.data());
      made.controls[control] = negative ? -value : value;
    } while (accept(","));
    return accept(")");
  }

  // Parses ".launch2" after a variant, if present.
  void launch(NumberReference& made) {
    const std::size_t before = at_;
    accept(".");
    if (const std::optional<int> number = launch_named(name()))
      made.launch = *number;
    else
      at_ = before;
    skip_space();
  }

  bool mark(NumberReference& made) {
    accept("@");
    made.mark = name();
    if (made.mark.empty()) {
      fail(column(), "A mark's name is missing after `@`", "Write the name of a `// @name` comment in the kernel.");
      return false;
    }
    if (!accept("[")) return true;
    const std::optional<int> step = small_integer();
    std::optional<int> warp = -1;
    if (accept(",")) warp = small_integer();
    if (!step || *step < 1 || !warp || !accept("]")) {
      fail(column(), "The step after the mark is wrong",
           "Write it like @add[3] or @add[3, 0]: step from 1, warp from 0.");
      return false;
    }
    made.step = *step;
    made.warp = *warp;
    return true;
  }
  std::optional<int> small_integer() {
    skip_space();
    int value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status != std::errc{} || value < 0) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  bool dotted(NumberReference& made, int start) {
    if (!accept(".")) {
      fail(start, "The name of a number is missing", "Write it like stride.global_load.requests.");
      return false;
    }
    if (!made.number.empty()) made.number += '.';
    do {
      const std::string part = name();
      if (part.empty()) {
        fail(column(), "The name of a number is missing after `.`", "Write it like stride.global_load.requests.");
        return false;
      }
      made.number += (made.number.empty() || made.number.back() == '.' ? "" : ".") + part;
    } while (accept("."));
    return !made.number.starts_with("after.") || element_after(made);
  }

  // "after.out" has been read; the index follows.
  bool element_after(NumberReference& made) {
    made.buffer = made.number.substr(std::string_view("after.").size());
    std::int64_t index = -1;
    if (accept("[")) {
      skip_space();
      const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), index);
      if (status == std::errc{})
        at_ = static_cast<std::size_t>(end - text_.data());
      else
        index = -1;
    }
    if (index < 0 || !accept("]") || !made.mark.empty()) {
      fail(column(), "The element is not understood",
           "Write it like stride.after.out[0]: a buffer's name, then an integer.");
      return false;
    }
    made.element = index;
    made.number += fmt::format("[{}]", index);
    return true;
  }

  std::size_t slot_of_reference(const NumberReference& made) {
    auto& references = result_.references_;
    for (std::size_t i = 0; i < references.size(); ++i)
      if (references[i].text() == made.text()) return i;
    references.push_back(made);
    return references.size() - 1;
  }

  void parse_tolerance() {
    if (error_) return;
    skip_space();
    const int start = column();
    if (rest_word() != "within") return;
    at_ += 6;
    skip_space();
    double value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const bool equality =
        result_.root_ >= 0 && result_.nodes_[static_cast<std::size_t>(result_.root_)].op == FormulaOp::equal;
    if (status != std::errc{} || !(value >= 0) || !equality) {
      fail(start, "`within` needs an `==` before it and a number after it",
           "Write it like `out[i] == in[i] / 3 within 1e-6`, or `within 1%`.");
      return;
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    if (accept("%")) value /= 100;
    result_.tolerance_ = value;
  }

  std::string_view text_;
  Dialect dialect_;
  std::span<const std::string> variants_;
  Formula result_;
  std::optional<Diagnostic> error_;
  std::vector<std::string> locals_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool left_of_comparison_ = false;
};

Result<Formula> Formula::parse(std::string_view text, Dialect dialect, const SourcePlace& place,
                               std::span<const std::string> variants) {
  return FormulaParser(text, dialect, place, variants).parse();
}

}  // namespace lanescope::lesson
