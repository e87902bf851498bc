// A running sum over its additions: its line, the exact line, and the point where it stops rising.

#include "diagram/builder.h"

#include <algorithm>
#include <cmath>

#include "diagram/views.h"
#include "fmt/format.h"

namespace lanescope::diagram {
namespace {

std::string number(double value) {
  if (std::abs(value) < 1e15 && value == std::floor(value))
    return (value < 0 ? "−" : "") + grouped(static_cast<std::uint64_t>(std::abs(value)));
  return fmt::format("{:.4g}", value);
}

// 1, 2 or 5 times a power of ten, so that about `ticks` steps cover `range`.
double tick_step(double range, int ticks) {
  const double raw = range / ticks, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

class Plot {
 public:
  Plot(const RunningSum& sum, const Options& options) : sum_(sum), builder_(options) {
    // Values that were not measured (a test, an infinite sum) must not affect the axes.
    for (const std::vector<double>* values : {&sum.values, &sum.exact}) {
      for (const double value : *values) {
        if (!std::isfinite(value)) continue;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
      }
    }
    if (high_ <= low_) high_ = low_ + 1;
    step_ = tick_step(high_ - low_, 4);
    stall_ = stall();
    Scene& scene = builder_.scene();
    scene.title = builder_.say(Phrase::running_title);
    scene.subtitle = builder_.say(Phrase::running_subtitle, sum.name, sum.values.size());
    scene.caption = caption();
    height_ = options.max_height > 0 ? std::max(90.0f, options.max_height)
                                     : std::clamp(builder_.width() * 0.42f, 160.0f, 320.0f);
    bottom_ = height_ - 22;
    left_ = 8;
    for (double tick = std::ceil(low_ / step_) * step_; tick <= high_; tick += step_)
      left_ = std::max(left_, text_width(number(tick), 11, Face::mono) + 10);
  }

  Scene draw() {
    for (double tick = std::ceil(low_ / step_) * step_; tick <= high_; tick += step_) {
      builder_.line(left_, y(tick), builder_.width(), y(tick), Role::line);
      builder_.label(left_ - 8, y(tick), number(tick), 11, Role::dim, Align::right, Face::mono);
    }
    curve(sum_.exact, Role::broadcast, 1.5f);
    curve(sum_.values, Role::executed, 2.5f);
    ends();
    if (stall_ < sum_.values.size()) {
      const float x_stall = x(stall_), y_stall = y(sum_.values[stall_]);
      Rect& dot = builder_.rect(x_stall - 5, y_stall - 5, 10, 10, Role::conflict);
      dot.radius = 5;
      const std::string text = builder_.say(Phrase::stops_at, number(sum_.values[stall_]));
      const float width = text_width(text, 11);
      // Beside the flat line, on the side away from the exact one; right of the dot, or left of it if there is no room.
      const bool right = x_stall + 8 + width < builder_.width();
      const bool above = sum_.exact[stall_] < sum_.values[stall_];
      const float at = above ? std::max(y_stall - 14, 8.0f) : std::min(y_stall + 14, bottom_ - 8);
      Label& label = builder_.label(right ? x_stall + 8 : x_stall - 8, at, text, 11, Role::conflict,
                                    right ? Align::left : Align::right);
      label.strong = true;
    }
    const std::size_t count = std::max(sum_.values.size(), sum_.exact.size());
    builder_.label(left_, height_ - 8, "1", 11, Role::dim, Align::left, Face::mono);
    if (count > 1)
      builder_.label(builder_.width(), height_ - 8, number(static_cast<double>(count)), 11, Role::dim, Align::right,
                     Face::mono);
    builder_.label((left_ + builder_.width()) / 2, height_ - 8, builder_.say(Phrase::additions), 11, Role::dim,
                   Align::centre);
    builder_.legend({});
    return builder_.finish(height_);
  }

 private:
  float x(std::size_t index) const {
    const std::size_t last = std::max(sum_.values.size(), sum_.exact.size()) - 1;
    const float share = last == 0 ? 0 : static_cast<float>(static_cast<double>(index) / static_cast<double>(last));
    return left_ + share * (builder_.width() - left_ - 2);
  }
  float y(double value) const {
    const double share = (std::clamp(value, low_, high_) - low_) / (high_ - low_);
    return bottom_ - static_cast<float>(share) * (bottom_ - 12);
  }

  // Draws at most one point per pixel, and none within a straight piece.
  void curve(const std::vector<double>& values, Role role, float thickness) {
    if (values.size() < 2) return;
    const auto points = std::min(values.size(), static_cast<std::size_t>(builder_.width() - left_));
    const auto index_of = [&](std::size_t point) { return point * (values.size() - 1) / (points - 1); };
    std::size_t from = 0;  // start of the current piece
    for (std::size_t i = 1; i < points; ++i) {
      const std::size_t here = index_of(i);
      if (i + 1 < points && straight(values, from, here, index_of(i + 1))) continue;
      if (std::isfinite(values[from]) && std::isfinite(values[here]))
        builder_.line(x(from), y(values[from]), x(here), y(values[here]), role, thickness);
      from = here;
    }
  }
  // True if omitting `b` moves the line from `a` to `c` by an invisible amount.
  bool straight(const std::vector<double>& values, std::size_t a, std::size_t b, std::size_t c) const {
    if (!std::isfinite(values[a]) || !std::isfinite(values[b]) || !std::isfinite(values[c])) return false;
    const double along = static_cast<double>(b - a) / static_cast<double>(c - a);
    const double on_line = static_cast<double>(y(values[a])) * (1 - along) + static_cast<double>(y(values[c])) * along;
    return std::abs(on_line - static_cast<double>(y(values[b]))) < 0.05;
  }

  // Labels the lines at their right ends if they are apart.
  void ends() {
    if (sum_.values.empty() || sum_.exact.empty()) return;
    if (std::abs(y(sum_.values.back()) - y(sum_.exact.back())) < 30) return;
    name(sum_.values, fitted(sum_.name, builder_.width() / 3, 11), Role::executed);
    name(sum_.exact, builder_.say(Phrase::exact), Role::broadcast);
  }
  // Places the label above and left of a point near the end of a line.
  void name(const std::vector<double>& values, const std::string& text, Role role) {
    const std::size_t index = values.size() - 1 - values.size() / 12;
    const float centre = std::max(8.0f, y(values[index]) - 10);
    if (!text.empty()) builder_.label(x(index), centre, text, 11, role, Align::right);
  }

  // The first addition after which the sum did not change although the exact sum did; else the number of values.
  std::size_t stall() const {
    const std::vector<double>& v = sum_.values;
    if (v.size() < 3) return v.size();
    std::size_t first = v.size() - 1;
    while (first > 0 && v[first - 1] == v.back()) --first;
    const bool exact_moved = first < sum_.exact.size() && sum_.exact.back() != sum_.exact[first];
    return v.size() - first >= 3 && exact_moved ? first : v.size();
  }

  std::string caption() const {
    const Say& say = builder_.say;
    if (stall_ < sum_.values.size())
      return say(Phrase::sum_stays, stall_ + 1, number(sum_.values[stall_]), number(sum_.exact.back()));
    const std::size_t count = sum_.values.size();
    const std::string sum = number(sum_.values.back());
    if (sum_.exact.empty()) return say(Phrase::sum_is, count, sum);
    if (sum_.exact.back() == sum_.values.back()) return say(Phrase::sum_is_exact, count, sum);
    return say(Phrase::sum_would_be, count, sum, number(sum_.exact.back()));
  }

  const RunningSum& sum_;
  Builder builder_;
  double low_ = 0, high_ = 0, step_ = 1;
  std::size_t stall_ = 0;
  float height_ = 0, bottom_ = 0, left_ = 0;
};

}  // namespace

RunningSum running_sum_of(std::vector<double> values, const std::vector<double>& terms, std::string name) {
  RunningSum sum{std::move(values), {}, std::move(name)};
  double exact = 0;
  for (const double term : terms) sum.exact.push_back(exact += term);
  return sum;
}

Scene running_sum(const RunningSum& sum, const Options& options) {
  if (sum.values.empty())
    return sentence_only(options, Say(options.language)(Phrase::running_title), Phrase::nothing_added);
  return Plot(sum, options).draw();
}

}  // namespace lanescope::diagram
