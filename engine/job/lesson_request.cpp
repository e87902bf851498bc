// A lesson's variant → a request.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "job/job.h"
#include "job/parameters.h"
#include "lesson/nearest.h"

namespace lanescope::job {

namespace {

// Blocks whose events are recorded at full size.
constexpr std::uint32_t sampled_blocks = 4;

Result<lesson::ControlValues> control_values(const lesson::Lesson& lesson, const lesson::Variant& variant,
                                             const std::map<std::string, std::int64_t>& given, bool full_size) {
  lesson::ControlValues values = lesson.defaults(variant, full_size);
  Diagnostics problems;
  for (const auto& [name, value] : given) {
    const lesson::Control* control = values.contains(name) ? lesson.find_control(name) : nullptr;
    if (!control) {
      problems.push_back({Severity::error, "control.unknown", {},
                          fmt::format("Variant `{}` of `{}` has no control `{}`.", variant.id, lesson.id, name),
                          lesson::did_you_mean(name, variant.controls)});
    } else if (!control->allows(value)) {
      problems.push_back({Severity::error, "control.out_of_range", {},
                          fmt::format("The control `{}` cannot be {}.", name, value),
                          fmt::format("Legal values: {}.", control->legal_values())});
    }
    values[name] = value;
  }
  if (has_error(problems)) return problems;
  return values;
}

// Evaluates a variant's formulas; keeps the first errors.
class Evaluator {
 public:
  Evaluator(const lesson::ControlValues& values, Diagnostics& problems) : values_(values), problems_(problems) {}

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
                         fmt::format("`{}` is {}: no extent of a launch.", expression.text, value),
                         "Correct the formula, or narrow the controls."});
    return 1;
  }

  std::string argument(const lesson::ArgumentSpec& spec) {
    if (!spec.is_buffer)
      return spec.real.empty() ? fmt::format("{}={}", spec.type, integer(spec.value))
                               : fmt::format("{}={}", spec.type, spec.real);
    const std::int64_t offset = integer(spec.offset);
    const std::string place = offset ? fmt::format("+{}", offset) : "";
    const std::string fill = spec.fill == "none" ? "" : "=" + spec.fill;
    return fmt::format("{}[{}]{}{}", spec.type, integer(spec.count), place, fill);
  }

 private:
  const lesson::ControlValues& values_;
  Diagnostics& problems_;
};

}  // namespace

Result<Request> from_lesson(const lesson::Lesson& lesson, const lesson::Variant& variant,
                            const std::map<std::string, std::int64_t>& controls, bool full_size) {
  Result<lesson::ControlValues> values = control_values(lesson, variant, controls, full_size);
  if (!values) return values.take_errors();
  Request request;
  Diagnostics problems;
  Evaluator evaluator(*values, problems);
  const auto source = lesson.sources.find(variant.file);
  request.source = {variant.file, source == lesson.sources.end() ? "" : source->second, {}};
  if (Result<std::string> name = lesson::kernel_name(variant, *values); name) request.kernel = *name;
  else problems = name.take_errors();
  const lesson::Launch& launch = variant.launch;
  request.launch.grid = {evaluator.extent(launch.grid_x), evaluator.extent(launch.grid_y), evaluator.extent(launch.grid_z)};
  request.launch.block = {evaluator.extent(launch.block_x), evaluator.extent(launch.block_y), evaluator.extent(launch.block_z)};
  request.launch.dynamic_shared_bytes = evaluator.extent(launch.shared_bytes);
  request.launch.cooperative = launch.cooperative;
  for (const lesson::ArgumentSpec& spec : variant.arguments)
    request.arguments.push_back({evaluator.argument(spec), spec.name});
  if (has_error(problems)) return problems;
  request.lesson = lesson.id;
  request.variant = variant.id;
  request.controls = std::move(*values);
  request.record.events = true;
  if (full_size)
    for (std::uint32_t block = 0; block < sampled_blocks && block < request.launch.grid.count(); ++block)
      request.record.blocks.push_back(block);
  return request;
}

}  // namespace lanescope::job
