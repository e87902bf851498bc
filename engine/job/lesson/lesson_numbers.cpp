#include "job/lesson/lesson_numbers.h"

#include <fmt/format.h>

#include "core/worded.h"
#include "job/lesson/lesson_request.h"
#include "job/run/numbers.h"

namespace lanescope::job {

namespace {

// Dragging a slider produces many runs; a text needs a few dozen at the same time.
constexpr std::size_t most_runs_kept = 256;
// Largest part of each buffer to keep per run: sums and other small results, which a text may quote.
constexpr std::size_t most_bytes_kept = 1 << 20;

// The defaults, overridden by the values on screen, overridden by the reference's own values.
lesson::ControlValues controls_of(const lesson::Lesson& lesson, const lesson::Variant& variant,
                                  const lesson::NumberReference& reference, const lesson::ControlValues& on_screen) {
  lesson::ControlValues values = lesson.defaults(variant);
  for (auto& [name, value] : values) {
    if (const auto found = on_screen.find(name); found != on_screen.end()) value = found->second;
    if (const auto found = reference.controls.find(name); found != reference.controls.end()) value = found->second;
  }
  return values;
}

}  // namespace

std::shared_ptr<const LessonNumbers::Run> LessonNumbers::run(const lesson::Variant& variant,
                                                             const lesson::ControlValues& controls,
                                                             const std::string* source) {
  std::string key = variant.id;
  for (const auto& [name, value] : controls) key += fmt::format(",{}={}", name, value);
  if (source) key += '\n' + *source;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = runs_.find(key); found != runs_.end()) return found->second;
  }
  auto made = std::make_shared<Run>();
  Result<Request> request = from_lesson(lesson_, variant, controls);
  if (request) {
    request->record.blocks = {0};
    if (source) request->source.text = *source;
    made->outcome = job::run(*request);
    if (!made->outcome.completed) made->errors = made->outcome.diagnostics;
    for (sim::Argument& argument : made->outcome.arguments)
      if (argument.contents.size() > most_bytes_kept) argument.contents = {};
  } else {
    made->errors = request.take_errors();
  }
  const std::lock_guard lock(mutex_);
  if (runs_.size() >= most_runs_kept) runs_.clear();
  return runs_.emplace(key, std::move(made)).first->second;
}

LessonNumbers::LessonNumbers(const lesson::Lesson& lesson, MeasuredSource measured)
    : lesson_(lesson), measured_(std::move(measured)) {
  for (const lesson::Yardstick& yardstick : lesson.yardsticks) {
    lesson::Variant& made = yardsticks_.emplace_back();
    made.id = yardstick.id;
    made.title = yardstick.title;
    made.controls = yardstick.controls;
    made.bytes = yardstick.bytes;
    made.place = yardstick.place;
    made.gpu_only = true;
  }
}

const lesson::Variant* LessonNumbers::variant_of(const lesson::NumberReference& reference,
                                                 const std::string& on_screen) const {
  for (const lesson::Variant& yardstick : yardsticks_)
    if (yardstick.id == reference.variant) return &yardstick;
  return lesson_.find_variant(reference.variant == "current" || reference.variant.empty() ? on_screen
                                                                                          : reference.variant);
}

std::optional<Measured> LessonNumbers::measured(const lesson::NumberReference& reference, const std::string& on_screen,
                                                const lesson::ControlValues& controls) const {
  const lesson::Variant* variant = variant_of(reference, on_screen);
  if (!variant || !measured_ || !lesson::is_measured(reference)) return std::nullopt;
  return measured_(*variant, controls_of(lesson_, *variant, reference, controls));
}

Result<std::optional<double>> LessonNumbers::value(const lesson::NumberReference& reference,
                                                   const std::string& on_screen, const lesson::ControlValues& controls,
                                                   const std::string* edited) {
  const lesson::Variant* variant = variant_of(reference, on_screen);
  if (!variant)
    return Diagnostic{
        Severity::error, "lesson.unknown_name", {}, worded("There is no variant `{}`.", reference.variant), ""};
  const lesson::ControlValues values = controls_of(lesson_, *variant, reference, controls);
  if (lesson::is_measured(reference)) {
    const std::optional<Measured> found = measured(reference, on_screen, controls);
    if (reference.number.starts_with("time")) {
      if (!found) return std::optional<double>();
      return std::optional(reference.number == "time_low"       ? found->seconds.low
                           : reference.number == "time_high"    ? found->seconds.high
                           : reference.number == "time_samples" ? static_cast<double>(found->seconds.samples)
                                                                : found->seconds.median);
    }
    if (variant->bytes.text.empty())
      return Diagnostic{Severity::error, "lesson.unknown_name", variant->place,
                        worded("`{}` needs the number of bytes that `{}` must move.", reference.text(), variant->id),
                        "Add bytes = \"8 * n\" to the variant."};
    const Result<std::int64_t> bytes = lesson::evaluate(variant->bytes, values);
    if (!bytes) return bytes.errors();
    return found ? std::optional(static_cast<double>(*bytes) / found->seconds.median) : std::nullopt;
  }
  if (variant->gpu_only)
    return Diagnostic{Severity::error, "lesson.unknown_name", variant->place,
                      worded("`{}` runs on a GPU only: it has no number `{}`.", variant->id, reference.number),
                      "Refer to its time, or to another variant."};
  const auto own = lesson_.sources.find(variant->file);
  const bool is_edited = edited && variant->id == on_screen && own != lesson_.sources.end() && own->second != *edited;
  const std::shared_ptr<const Run> made = run(*variant, values, is_edited ? edited : nullptr);
  if (has_error(made->errors)) return made->errors;
  return number_of(made->outcome, reference);
}

lesson::NumberSource LessonNumbers::source(const std::string& variant, const lesson::ControlValues& controls) {
  return [this, variant, controls](const lesson::NumberReference& reference) -> std::optional<double> {
    const Result<std::optional<double>> found = value(reference, variant, controls);
    return found ? *found : std::nullopt;
  };
}

}  // namespace lanescope::job
