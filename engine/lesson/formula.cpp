#include "lesson/formula.h"

#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/half.h"
#include "core/worded.h"
#include "lesson/formula_node.h"

namespace lanescope::lesson {

std::string to_string(const Value& value) {
  return value.is_real ? fmt::format("{}", value.real) : fmt::format("{}", value.integer);
}

std::string NumberReference::text() const {
  std::string out = variant;
  if (!controls.empty()) {
    std::string inner;
    for (const auto& [control, value] : controls)
      inner += fmt::format("{}{}={}", inner.empty() ? "" : ",", control, value);
    out += "(" + inner + ")";
  }
  if (launch != 1) out += (out.empty() ? "" : ".") + (launch == 0 ? "all" : fmt::format("launch{}", launch));
  if (!mark.empty()) out += "@" + mark;
  if (step > 0) out += warp >= 0 ? fmt::format("[{},{}]", step, warp) : fmt::format("[{}]", step);
  return out + (out.empty() ? "" : ".") + number;
}

bool is_measured(const NumberReference& reference) {
  if (!reference.mark.empty()) return false;
  for (const char* number : {"time", "time_low", "time_high", "time_samples", "bandwidth"})
    if (reference.number == number) return true;
  return false;
}

Formula::Formula() = default;
Formula::Formula(const Formula&) = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(const Formula&) = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

bool Formula::is_comparison() const {
  return root_ >= 0 && is_comparison_op(nodes_[static_cast<std::size_t>(root_)].op);
}

namespace {

// One evaluation. After the first error all results are meaningless, and no loop continues.
class Evaluation {
 public:
  Evaluation(std::span<const Formula::Node> nodes, const Formula::Inputs& inputs, std::size_t locals)
      : nodes_(nodes), inputs_(inputs), locals_(locals) {
    steps_left_ = inputs.sum_steps_left ? inputs.sum_steps_left : &own_steps_;
  }

  Value at(int index) {
    const Formula::Node& node = nodes_[static_cast<std::size_t>(index)];
    switch (node.op) {
      case FormulaOp::constant:
        return node.value;
      case FormulaOp::name:
        return inputs_.names[node.slot];
      case FormulaOp::local:
        return Value::of(locals_[node.slot]);
      case FormulaOp::reference:
        return inputs_.references[node.slot];
      case FormulaOp::element:
        return element(node);
      case FormulaOp::both:
        return Value::of(std::int64_t{truth(at(node.a)) && truth(at(node.b))});
      case FormulaOp::either:
        return Value::of(std::int64_t{truth(at(node.a)) || truth(at(node.b))});
      case FormulaOp::choose:
        return at(truth(at(node.a)) ? node.b : node.c);
      case FormulaOp::sum:
        return sum(node);
      default:
        break;
    }
    const Value a = at(node.a);
    if (node.b < 0) return unary(node, a);
    return binary(node, a, at(node.b));
  }

  const std::optional<std::pair<Wording, int>>& error() const { return error_; }

  static bool compare(FormulaOp op, const Value& a, const Value& b) {
    if (!a.is_real && !b.is_real) return ordered(op, a.integer, b.integer);
    return ordered(op, a.as_real(), b.as_real());
  }

 private:
  static bool truth(const Value& value) { return value.is_real ? value.real != 0 : value.integer != 0; }

  Value fail(const Formula::Node& node, Wording message) {
    if (!error_) error_ = {std::move(message), node.column};
    return {};
  }

  Value element(const Formula::Node& node) {
    const Value index = at(node.a);
    if (index.is_real) return fail(node, "An index is not an integer");
    Value value;
    if (error_ || inputs_.elements->element(node.slot, index.integer, value)) return value;
    return fail(node, worded("Element {} lies outside its buffer", index.integer));
  }

  // Integers are added exactly, reals with compensation, so that the order of a long sum has no visible effect.
  Value sum(const Formula::Node& node) {
    const Value from = at(node.a), to = at(node.b);
    if (from.is_real || to.is_real) return fail(node, "A bound of sum() is not an integer");
    std::int64_t integers = 0;
    double reals = 0, lost = 0;
    bool is_real = false;
    for (std::int64_t i = from.integer; i < to.integer && !error_; ++i) {
      if (*steps_left_ == 0) return fail(node, "sum() takes too many steps");
      --*steps_left_;
      locals_[node.slot] = i;
      const Value term = at(node.c);
      if (!term.is_real) {
        if (__builtin_add_overflow(integers, term.integer, &integers)) return fail(node, "Overflow");
        continue;
      }
      is_real = true;
      const double total = reals + term.real;
      lost += std::fabs(reals) >= std::fabs(term.real) ? (reals - total) + term.real : (term.real - total) + reals;
      reals = total;
    }
    if (!is_real) return Value::of(integers);
    return Value::of(reals + (std::isfinite(lost) ? lost : 0.0) + static_cast<double>(integers));
  }

  Value unary(const Formula::Node& node, const Value& a) {
    switch (node.op) {
      case FormulaOp::negate:
        if (a.is_real) return Value::of(-a.real);
        return a.integer == INT64_MIN ? fail(node, "Overflow") : Value::of(-a.integer);
      case FormulaOp::absolute:
        if (a.is_real) return Value::of(std::fabs(a.real));
        if (a.integer == INT64_MIN) return fail(node, "Overflow");
        return Value::of(a.integer < 0 ? -a.integer : a.integer);
      case FormulaOp::square_root:
        return Value::of(std::sqrt(a.as_real()));
      case FormulaOp::exponential:
        return Value::of(std::exp(a.as_real()));
      case FormulaOp::logarithm:
        return Value::of(std::log(a.as_real()));
      case FormulaOp::log2_ceil:
      case FormulaOp::power_of_two:
        return power_of_two(node, a);
      case FormulaOp::round:
        return Value::of(std::round(a.as_real()));
      case FormulaOp::to_f32:
        return Value::of(static_cast<double>(static_cast<float>(a.as_real())));
      case FormulaOp::to_f16:
        return Value::of(half_value(half_bits(a.as_real())));
      case FormulaOp::to_bf16:
        return Value::of(bfloat_value(bfloat_bits(a.as_real())));
      default:
        return fail(node, "Unknown operation");
    }
  }

  Value power_of_two(const Formula::Node& node, const Value& a) {
    if (a.is_real) return fail(node, "Not an integer");
    if (node.op == FormulaOp::log2_ceil) {
      if (a.integer < 1) return fail(node, "log2_ceil() of less than 1");
      return Value::of(static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(a.integer - 1))));
    }
    if (a.integer < 0 || a.integer > 62) return fail(node, "pow2() outside 0 … 62");
    return Value::of(std::int64_t{1} << a.integer);
  }

  Value binary(const Formula::Node& node, const Value& a, const Value& b) {
    if (is_comparison_op(node.op)) return Value::of(std::int64_t{compare(node.op, a, b)});
    if (a.is_real || b.is_real) return of_reals(node, a.as_real(), b.as_real());
    return of_integers(node, a.integer, b.integer);
  }

  Value of_reals(const Formula::Node& node, double a, double b) {
    switch (node.op) {
      case FormulaOp::add:
        return Value::of(a + b);
      case FormulaOp::subtract:
        return Value::of(a - b);
      case FormulaOp::multiply:
        return Value::of(a * b);
      case FormulaOp::divide:
        return Value::of(a / b);
      case FormulaOp::remainder:
        return Value::of(std::fmod(a, b));
      case FormulaOp::minimum:
        return Value::of(std::fmin(a, b));
      case FormulaOp::maximum:
        return Value::of(std::fmax(a, b));
      case FormulaOp::ceil_div:
        return Value::of(std::ceil(a / b));
      default:
        return fail(node, "Unknown operation");
    }
  }

  Value of_integers(const Formula::Node& node, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (node.op) {
      case FormulaOp::add:
        return __builtin_add_overflow(a, b, &result) ? fail(node, "Overflow") : Value::of(result);
      case FormulaOp::subtract:
        return __builtin_sub_overflow(a, b, &result) ? fail(node, "Overflow") : Value::of(result);
      case FormulaOp::multiply:
        return __builtin_mul_overflow(a, b, &result) ? fail(node, "Overflow") : Value::of(result);
      case FormulaOp::minimum:
        return Value::of(std::min(a, b));
      case FormulaOp::maximum:
        return Value::of(std::max(a, b));
      case FormulaOp::divide:
      case FormulaOp::remainder:
      case FormulaOp::ceil_div:
        return division(node, a, b);
      default:
        return fail(node, "Unknown operation");
    }
  }

  Value division(const Formula::Node& node, std::int64_t a, std::int64_t b) {
    if (b == 0) return fail(node, "Division by zero");
    if (a == INT64_MIN && b == -1) return fail(node, "Overflow");
    if (node.op == FormulaOp::remainder) return Value::of(a % b);
    const std::int64_t quotient = a / b;
    const bool up = node.op == FormulaOp::ceil_div && a % b != 0 && (a < 0) == (b < 0);
    return Value::of(quotient + (up ? 1 : 0));
  }

  template <typename T>
  static bool ordered(FormulaOp op, T a, T b) {
    switch (op) {
      case FormulaOp::equal:
        return a == b;
      case FormulaOp::not_equal:
        return a != b;
      case FormulaOp::less:
        return a < b;
      case FormulaOp::less_equal:
        return a <= b;
      case FormulaOp::greater:
        return a > b;
      default:
        return a >= b;
    }
  }

  std::span<const Formula::Node> nodes_;
  const Formula::Inputs& inputs_;
  std::vector<std::int64_t> locals_;
  std::uint64_t own_steps_ = Formula::default_sum_steps;
  std::uint64_t* steps_left_;
  std::optional<std::pair<Wording, int>> error_;
};

Diagnostic arithmetic_error(const std::pair<Wording, int>& error, const std::string& text, SourcePlace place) {
  if (place.column > 0) place.column += error.second - 1;
  return {Severity::error, "lesson.arithmetic", place, worded("{} in `{}`.", error.first, text),
          "Correct the formula, or the values it is given."};
}

}  // namespace

Result<Value> Formula::evaluate(const Inputs& inputs) const {
  Evaluation evaluation(nodes_, inputs, locals_);
  const Value value = evaluation.at(root_);
  if (evaluation.error()) return arithmetic_error(*evaluation.error(), text_, place_);
  return value;
}

bool Formula::compares_element() const {
  const Node& root = nodes_[static_cast<std::size_t>(root_)];
  if (root.op != FormulaOp::equal) return false;
  const Node& left = nodes_[static_cast<std::size_t>(root.a)];
  return left.op == FormulaOp::element && left.slot == 0;
}

Result<Formula::Comparison> Formula::compare(const Inputs& inputs) const {
  Evaluation evaluation(nodes_, inputs, locals_);
  const Node& root = nodes_[static_cast<std::size_t>(root_)];
  Comparison made;
  made.left = evaluation.at(root.a);
  made.right = evaluation.at(root.b);
  if (evaluation.error()) return arithmetic_error(*evaluation.error(), text_, place_);
  made.holds = Evaluation::compare(root.op, made.left, made.right);
  if (root.op == FormulaOp::equal && !made.holds) {
    const double left = made.left.as_real(), right = made.right.as_real();
    made.holds = (std::isnan(left) && std::isnan(right)) ||
                 (tolerance_ > 0 && std::fabs(left - right) <= tolerance_ * std::fabs(right));
  }
  return made;
}

std::vector<Value> Formula::compared_with(std::string_view name, const Inputs& inputs) const {
  std::vector<Value> values;
  const auto is_name = [&](int index) {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    return node.op == FormulaOp::name && names_[node.slot] == name;
  };
  for (const Node& node : nodes_) {
    if (!is_comparison_op(node.op) || is_name(node.a) == is_name(node.b)) continue;
    Evaluation evaluation(nodes_, inputs, locals_);
    const Value value = evaluation.at(is_name(node.a) ? node.b : node.a);
    if (!evaluation.error()) values.push_back(value);
  }
  return values;
}

}  // namespace lanescope::lesson
