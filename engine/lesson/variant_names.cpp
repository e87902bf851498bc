// Checks that the names in a variant's formulas are its own.

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/worded.h"

#include "lesson/lesson_parts.h"
#include "lesson/nearest.h"

namespace lanescope::lesson {

namespace {

void require_control(const Variant& variant, const std::string& name, const std::string& text, const SourcePlace& place,
                     Diagnostics& problems) {
  if (std::find(variant.controls.begin(), variant.controls.end(), name) != variant.controls.end()) return;
  problems.push_back({Severity::error, "lesson.unknown_name", place,
                      worded("`{}` in `{}` is not a control of variant `{}`.", name, text, variant.id),
                      did_you_mean(name, variant.controls)});
}

void check_formula(const Variant& variant, const Expression& expression, bool repeats, Diagnostics& problems) {
  if (expression.text.empty()) return;
  Result<Formula> formula = Formula::parse(expression.text, Dialect::integers, expression.place);
  if (!formula) {
    for (Diagnostic& error : formula.take_errors()) problems.push_back(std::move(error));
    return;
  }
  for (const std::string& name : formula->names())
    if (!repeats || name != "k") require_control(variant, name, expression.text, expression.place, problems);
}

void check_argument(const Variant& variant, const ArgumentSpec& argument, bool repeats, Diagnostics& problems) {
  for (const Expression* formula : {&argument.count, &argument.offset, &argument.value})
    check_formula(variant, *formula, repeats, problems);
}

}  // namespace

std::vector<std::string> buffers_of(const Variant& variant) {
  std::vector<std::string> names;
  for (const auto* list : {&variant.arguments, &variant.buffers})
    for (const ArgumentSpec& argument : *list)
      if (argument.is_buffer) names.push_back(argument.name);
  return names;
}

void check_names(const Variant& variant, const Launch& launch, bool repeats, Diagnostics& problems) {
  for (const Expression* formula : {&launch.grid_x, &launch.grid_y, &launch.grid_z, &launch.block_x, &launch.block_y,
                                    &launch.block_z, &launch.shared_bytes})
    check_formula(variant, *formula, repeats, problems);
}

void check_names(const Variant& variant, const Check& check, Diagnostics& problems) {
  const auto unknown = [&](Wording message, Wording cure) {
    problems.push_back({Severity::error, "lesson.unknown_name", check.place, std::move(message), std::move(cure)});
  };
  const std::vector<std::string> buffers = buffers_of(variant);
  for (const NumberReference& reference : check.formula.references())
    if (reference.launch > static_cast<int>(variant.launches.size()))
      unknown(worded("Variant `{}` has no launch {}.", variant.id, reference.launch),
              worded("It has {}.", variant.launches.size()));
  for (const Formula::BufferUse& use : check.formula.buffers())
    if (std::find(buffers.begin(), buffers.end(), use.name) == buffers.end())
      unknown(worded("`{}` in `{}` is not a buffer of variant `{}`.", use.name, check.formula.text(), variant.id),
              did_you_mean(use.name, buffers));
  if (check.kind == Check::Kind::number) return;  // other names are numbers of a run, which are only known after it
  check_formula(variant, check.count, false, problems);
  for (const std::string& name : check.formula.names())
    if (name != "i") require_control(variant, name, check.formula.text(), check.place, problems);
}

void check_names(const Variant& variant, const Lesson& lesson, Diagnostics& problems) {
  std::vector<std::string> controls;
  for (const Control& control : lesson.controls) controls.push_back(control.name);
  for (const std::string& name : variant.controls)
    if (!lesson.find_control(name))
      problems.push_back({Severity::error, "lesson.unknown_name", variant.place,
                          worded("Variant `{}` uses the control `{}`, which does not exist.", variant.id, name),
                          did_you_mean(name, controls)});
  check_names(variant, variant.first().shape, false, problems);
  for (const auto* list : {&variant.arguments, &variant.buffers})
    for (const ArgumentSpec& argument : *list) check_argument(variant, argument, false, problems);
  for (const VariantLaunch& launch : std::span(variant.launches).subspan(1)) {
    check_names(variant, launch.shape, true, problems);
    check_formula(variant, launch.repeat, false, problems);
    for (const VariantLaunch::Parameter& parameter : launch.parameters)
      if (parameter.buffer.empty()) check_argument(variant, parameter.scalar, true, problems);
  }
  check_formula(variant, variant.bytes, false, problems);
  for (const Check& check : variant.checks) check_names(variant, check, problems);
}

}  // namespace lanescope::lesson
