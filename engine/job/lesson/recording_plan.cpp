#include "job/lesson/recording_plan.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "job/lesson/lesson_request.h"

namespace lanescope::job {
namespace {

std::uint64_t element_bytes(const std::string& type) {
  return type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : type.ends_with("16") ? 2 : 1;
}

std::vector<std::int64_t> values_of(const lesson::Control& control) {
  if (!control.choices.empty()) return control.choices;
  constexpr std::int64_t most_values = 64;
  if (control.step <= 0 || (control.max - control.min) / control.step >= most_values) return {};
  std::vector<std::int64_t> values;
  for (std::int64_t value = control.min; value <= control.max; value += control.step) values.push_back(value);
  return values;
}

// Buffer sizes in bytes above which controls are not swept at full size. Up to most_swept_bytes a run takes about a
// second. Up to most_shown_bytes a run takes five; only the control of the time plot is swept up to there, at the end.
constexpr std::uint64_t most_swept_bytes = 600ull << 20, most_shown_bytes = 4ull << 30;

std::uint64_t bytes_of(const lesson::Lesson& lesson, const lesson::Variant& variant,
                       const lesson::ControlValues& controls) {
  const Result<Request> request = from_lesson(lesson, variant, controls);
  if (!request) return 0;
  std::uint64_t bytes = 0;
  for (const lesson::ArgumentSpec& spec : variant.arguments)
    if (spec.is_buffer)
      if (const Result<std::int64_t> count = lesson::evaluate(spec.count, request->controls); count)
        bytes += static_cast<std::uint64_t>(*count) * element_bytes(spec.type);
  return bytes;
}

// For a logarithmic control: from its value at full size down by factors of four, as far as its steps allow.
std::vector<std::int64_t> quarters_of(const lesson::Control& control) {
  std::vector<std::int64_t> values;
  for (std::int64_t value = control.full_value; value >= std::max<std::int64_t>(control.min, 1); value /= 4)
    if (control.allows(value)) values.push_back(value);
  return values;
}

Measurement run_of(const lesson::Variant& variant, lesson::ControlValues controls, std::string size) {
  return {.variant = &variant, .yardstick = nullptr, .controls = std::move(controls), .size = std::move(size)};
}

// What the lesson shows first is measured first, so that it is present if the time for sweeps runs out.
class RunPlan {
 public:
  RunPlan(const lesson::Lesson& lesson, const RecordOptions& options) : lesson_(lesson), options_(options) {}

  std::vector<Measurement> runs() {
    each([&](const lesson::Variant& variant) {
      add(run_of(variant, lesson_.defaults(variant), "looking"));
      if (options_.full_size) add(run_of(variant, lesson_.defaults(variant, true), "full"));
    });
    if (!options_.sweeps) return std::move(runs_);
    if (options_.full_size) {
      each([&](const lesson::Variant& variant) {
        if (const lesson::Control* control = lesson_.time_control(variant))
          at_full_size(variant, *control, true, most_swept_bytes);
      });
      each([&](const lesson::Variant& variant) {
        for (const std::string& name : variant.controls)
          if (const lesson::Control* control = lesson_.find_control(name); control->is_size() && control->logarithmic)
            at_full_size(variant, *control, true, most_swept_bytes);
      });
    }
    each([&](const lesson::Variant& variant) {
      for (const std::string& name : variant.controls) others(variant, *lesson_.find_control(name));
    });
    if (options_.full_size)
      each([&](const lesson::Variant& variant) {
        if (const lesson::Control* control = lesson_.time_control(variant))
          at_full_size(variant, *control, true, most_shown_bytes);
      });
    return std::move(runs_);
  }

 private:
  // Variants that are broken on purpose are not measured.
  void each(const std::function<void(const lesson::Variant&)>& then) const {
    for (const lesson::Variant& variant : lesson_.variants)
      if (!variant.broken_on_purpose) then(variant);
  }
  void add(Measurement run) {
    const bool known = std::any_of(runs_.begin(), runs_.end(), [&](const Measurement& other) {
      return other.variant == run.variant && other.controls == run.controls;
    });
    if (!known) runs_.push_back(std::move(run));
  }
  // The control of the time plot is swept over all its values. Other controls take only zero, powers of two and the
  // maximum, because runs at full size move hundreds of megabytes each.
  void at_full_size(const lesson::Variant& variant, const lesson::Control& control, bool opens_on, std::uint64_t most) {
    const lesson::ControlValues full = lesson_.defaults(variant, true);
    std::vector<std::int64_t> values = values_of(control);
    if (values.empty() && control.logarithmic) values = quarters_of(control);
    for (const std::int64_t value : values) {
      const bool few = (value & (value - 1)) == 0 || value == control.max;
      Measurement run = run_of(variant, full, control.name);
      run.controls[control.name] = value;
      if ((opens_on || few) && bytes_of(lesson_, variant, run.controls) <= most) add(std::move(run));
    }
  }
  void others(const lesson::Variant& variant, const lesson::Control& control) {
    for (const std::int64_t value : values_of(control)) {
      Measurement run = run_of(variant, lesson_.defaults(variant), control.name);
      run.controls[control.name] = value;
      add(std::move(run));
    }
    if (options_.full_size && !values_of(control).empty()) at_full_size(variant, control, false, most_swept_bytes / 2);
  }

  const lesson::Lesson& lesson_;
  const RecordOptions& options_;
  std::vector<Measurement> runs_;
};

}  // namespace

std::string Measurement::name() const {
  if (variant != nullptr) return variant->id + " (" + size + ")";
  return yardstick != nullptr ? yardstick->id : "empty launch";
}

std::vector<Measurement> measurements_of(const lesson::Lesson& lesson, const RecordOptions& options) {
  std::vector<Measurement> all(1);
  for (Measurement& run : RunPlan(lesson, options).runs()) all.push_back(std::move(run));
  for (const lesson::Yardstick& yardstick : lesson.yardsticks) all.emplace_back().yardstick = &yardstick;
  return all;
}

std::string identity_of(const lesson::Lesson& lesson, const Measurement& measurement) {
  std::string text = measurement.name();
  for (const auto& [name, value] : measurement.controls) text += fmt::format(" {}={}", name, value);
  if (measurement.variant != nullptr) text += " " + hash_of(lesson.sources.at(measurement.variant->file));
  return text;
}

}  // namespace lanescope::job
