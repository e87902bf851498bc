// Turns a lesson's variant into a request.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/lesson/lesson_request.h"
#include "job/run/parameters.h"
#include "lesson/folder_bounds.h"
#include "lesson/nearest.h"

namespace lanescope::job {

namespace {

// Blocks whose events are recorded at full size.
constexpr std::uint32_t sampled_blocks = 4;
// The step budget. It is far above the largest run of a lesson (some 100 million), and a learner's endless loop still
// ends within seconds.
constexpr std::uint64_t most_steps = 1'000'000'000;

Result<lesson::ControlValues> control_values(const lesson::Lesson& lesson, const lesson::Variant& variant,
                                             const std::map<std::string, std::int64_t>& given, bool full_size) {
  lesson::ControlValues values = lesson.defaults(variant, full_size);
  Diagnostics problems;
  for (const auto& [name, value] : given) {
    const lesson::Control* control = values.contains(name) ? lesson.find_control(name) : nullptr;
    if (!control) {
      problems.push_back({Severity::error,
                          "control.unknown",
                          {},
                          worded("Variant `{}` of `{}` has no control `{}`.", variant.id, lesson.id, name),
                          lesson::did_you_mean(name, variant.controls)});
    } else if (!control->allows(value)) {
      problems.push_back({Severity::error,
                          "control.out_of_range",
                          {},
                          worded("The control `{}` cannot be {}.", name, value),
                          worded("Legal values: {}.", control->legal_values())});
    }
    values[name] = value;
  }
  if (has_error(problems)) return problems;
  return values;
}

// Evaluates a variant's formulas and keeps the first errors.
class Evaluator {
 public:
  // `folder` is the lesson's folder; buffers may be filled from files in it.
  Evaluator(const std::string& folder, const lesson::ControlValues& values, Diagnostics& problems)
      : folder_(folder), values_(values), problems_(problems) {}

  std::int64_t integer(const lesson::Expression& expression) {
    Result<std::int64_t> value = lesson::evaluate(expression, values_);
    if (value) return *value;
    for (Diagnostic& error : value.take_errors()) problems_.push_back(std::move(error));
    return 1;
  }

  std::uint32_t extent(const lesson::Expression& expression) {
    const std::int64_t value = integer(expression);
    if (value >= 0 && value <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(value);
    problems_.push_back({Severity::error, "launch.bad_extent", expression.place,
                         worded("`{}` is {}, which is not a valid launch dimension.", expression.text, value),
                         "Correct the formula, or narrow the controls."});
    return 1;
  }

  trace::Launch launch(const lesson::Launch& spec) {
    trace::Launch made;
    made.grid = {extent(spec.grid_x), extent(spec.grid_y), extent(spec.grid_z)};
    made.block = {extent(spec.block_x), extent(spec.block_y), extent(spec.block_z)};
    made.dynamic_shared_bytes = extent(spec.shared_bytes);
    made.cooperative = spec.cooperative;
    return made;
  }

  RequestedArgument argument(const lesson::ArgumentSpec& spec) {
    if (!spec.is_buffer)
      return spec.real.empty() ? RequestedArgument::scalar(spec.type, integer(spec.value), spec.name)
                               : RequestedArgument(fmt::format("{}={}", spec.type, spec.real), spec.name);
    const std::string fill = spec.fill == "none"          ? ""
                             : spec.fill.starts_with('@') ? "@" + file(spec.fill.substr(1))
                                                          : spec.fill;
    return RequestedArgument::buffer(spec.type, integer(spec.count), integer(spec.offset), fill, spec.name);
  }

 private:
  std::string file(const std::string& name) {
    if (std::optional<Diagnostic> refused = lesson::not_within(folder_, name)) problems_.push_back(*std::move(refused));
    return folder_ + "/" + name;
  }

  const std::string& folder_;
  const lesson::ControlValues& values_;
  Diagnostics& problems_;
};

// A larger number of launches is a mistake in `repeat`.
constexpr std::int64_t most_repeats = 4096;

// The launches after the first, with each repeat separately.
class NextLaunches {
 public:
  NextLaunches(const std::string& folder, const lesson::Variant& variant, const lesson::ControlValues& values,
               Request& request, Diagnostics& problems)
      : folder_(folder), variant_(variant), values_(values), request_(request), problems_(problems) {}

  void add_all() {
    for (std::size_t i = 1; i < variant_.launches.size(); ++i) {
      const lesson::VariantLaunch& launch = variant_.launches[i];
      const std::int64_t repeats = Evaluator(folder_, values_, problems_).integer(launch.repeat);
      if (repeats < 0 || repeats > most_repeats) {
        problems_.push_back({Severity::error, "launch.bad_extent", launch.repeat.place,
                             worded("Launch {} asks for {} repeats.", i + 1, repeats),
                             worded("Set `repeat` to a value from 0 to {}.", most_repeats)});
        return;
      }
      for (std::int64_t k = 0; k < repeats; ++k) add(launch, static_cast<int>(i) + 1, k);
    }
  }

 private:
  void add(const lesson::VariantLaunch& launch, int number, std::int64_t k) {
    lesson::ControlValues values = values_;
    values["k"] = k;
    Evaluator evaluator(folder_, values, problems_);
    RequestedLaunch made;
    made.number = number;
    made.shape = evaluator.launch(launch.shape);
    if (Result<std::string> name = lesson::kernel_name(launch.kernel, launch.place, values_); name)
      made.kernel = *name;
    else
      for (Diagnostic& error : name.take_errors()) problems_.push_back(std::move(error));
    for (const lesson::VariantLaunch::Parameter& parameter : launch.parameters) {
      if (parameter.buffer.empty())
        made.parameters.push_back({-1, evaluator.argument(parameter.scalar)});
      else
        made.parameters.push_back({index_of(swapped(launch, parameter.buffer, k)), {}});
    }
    request_.launches.push_back(std::move(made));
  }

  static const std::string& swapped(const lesson::VariantLaunch& launch, const std::string& buffer, std::int64_t k) {
    if (launch.swap.size() != 2 || k % 2 == 0) return buffer;
    if (buffer == launch.swap[0]) return launch.swap[1];
    return buffer == launch.swap[1] ? launch.swap[0] : buffer;
  }

  int index_of(const std::string& buffer) const {
    int index = 0;
    for (const auto* list : {&variant_.arguments, &variant_.buffers})
      for (const lesson::ArgumentSpec& argument : *list) {
        if (argument.name == buffer) return index;
        ++index;
      }
    return -1;
  }

  const std::string& folder_;
  const lesson::Variant& variant_;
  const lesson::ControlValues& values_;
  Request& request_;
  Diagnostics& problems_;
};

}  // namespace

Result<Request> from_lesson(const lesson::Lesson& lesson, const lesson::Variant& variant,
                            const std::map<std::string, std::int64_t>& controls, bool full_size) {
  Result<lesson::ControlValues> values = control_values(lesson, variant, controls, full_size);
  if (!values) return values.take_errors();
  Request request;
  Diagnostics problems;
  Evaluator evaluator(lesson.folder, *values, problems);
  const auto source = lesson.sources.find(variant.file);
  request.source = {variant.file, source == lesson.sources.end() ? "" : source->second, {}};
  if (Result<std::string> name = lesson::kernel_name(variant, *values); name)
    request.first().kernel = *name;
  else
    problems = name.take_errors();
  request.max_steps = most_steps;
  request.first().shape = evaluator.launch(variant.first().shape);
  for (const lesson::ArgumentSpec& spec : variant.arguments) request.arguments.push_back(evaluator.argument(spec));
  for (const lesson::ArgumentSpec& spec : variant.buffers) request.buffers.push_back(evaluator.argument(spec));
  NextLaunches(lesson.folder, variant, *values, request, problems).add_all();
  if (has_error(problems)) return problems;
  request.phases = lesson.phases;
  request.lesson = lesson.id;
  request.variant = variant.id;
  request.controls = std::move(*values);
  request.record.events = true;
  if (full_size)
    for (std::uint32_t block = 0; block < sampled_blocks && block < request.first().shape.grid.count(); ++block)
      request.record.blocks.push_back(block);
  return request;
}

}  // namespace lanescope::job
