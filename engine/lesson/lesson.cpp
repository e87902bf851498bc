#include "lesson/lesson.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/worded.h"
#include "lesson/nearest.h"

namespace lanescope::lesson {

const std::vector<std::string>& heat_names() {
  static const std::vector<std::string> names{"sectors", "wavefronts", "lanes", "executions"};
  return names;
}

bool Control::allows(std::int64_t wanted) const {
  if (!choices.empty()) return std::find(choices.begin(), choices.end(), wanted) != choices.end();
  if (wanted < min || wanted > max) return false;
  const std::uint64_t above =
      static_cast<std::uint64_t>(wanted) - static_cast<std::uint64_t>(min);  // may exceed any int64
  return above % static_cast<std::uint64_t>(step) == 0;
}

Wording Control::legal_values() const {
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, ", "));
  return step == 1 ? fmt::format("{} … {}", min, max) : worded("{} … {} in steps of {}", min, max, step);
}

Result<std::int64_t> evaluate(const Expression& expression, const ControlValues& values) {
  Result<Formula> formula = Formula::parse(expression.text, Dialect::integers, expression.place);
  if (!formula) return formula.take_errors();
  std::vector<Value> names;
  for (const std::string& name : formula->names()) {
    const auto found = values.find(name);
    if (found == values.end()) {
      std::vector<std::string> known;
      for (const auto& [control, value] : values) known.push_back(control);
      return Diagnostic{Severity::error, "lesson.unknown_name", expression.place,
                        worded("There is no control `{}` for `{}`.", name, expression.text), did_you_mean(name, known)};
    }
    names.push_back(Value::of(found->second));
  }
  Result<Value> value = formula->evaluate({names, {}, nullptr, nullptr});
  if (!value) return value.take_errors();
  return value->integer;
}

const Variant* Lesson::find_variant(const std::string& wanted) const {
  for (const Variant& variant : variants)
    if (variant.id == wanted) return &variant;
  return nullptr;
}

const Control* Lesson::find_control(const std::string& name) const {
  for (const Control& control : controls)
    if (control.name == name) return &control;
  return nullptr;
}

const Yardstick* Lesson::find_yardstick(const std::string& wanted) const {
  for (const Yardstick& yardstick : yardsticks)
    if (yardstick.id == wanted) return &yardstick;
  return nullptr;
}

const Task* Lesson::find_task(const std::string& wanted) const {
  for (const Task& task : tasks)
    if (task.id == wanted) return &task;
  return nullptr;
}

Variant Lesson::variant_of(const Task& task) const {
  Variant made = *find_variant(task.variant);
  made.file = task.start;
  made.first().shape = task.launch;
  made.broken_on_purpose = false;
  std::erase_if(made.checks, [](const Check& check) { return check.kind != Check::Kind::elements; });
  made.checks.insert(made.checks.end(), task.checks.begin(), task.checks.end());
  return made;
}

const Phrase cannot_tell_say{"They cannot be told apart", "分不出快慢"};

const Question::Option* Question::find_option(const std::string& wanted) const {
  for (const Option& option : options)
    if (option.id == wanted) return &option;
  return nullptr;
}

bool Question::asks_for_time() const {
  return std::any_of(options.begin(), options.end(), [](const Option& option) {
    const auto& references = option.value.references();
    return std::any_of(references.begin(), references.end(), [](const NumberReference& r) { return is_measured(r); });
  });
}

ControlValues Lesson::defaults(const Variant& variant, bool full_size) const {
  return defaults(variant.controls, full_size);
}

ControlValues Lesson::defaults(const std::vector<std::string>& names, bool full_size) const {
  ControlValues values;
  for (const std::string& name : names)
    if (const Control* control = find_control(name)) values[name] = full_size ? control->full_value : control->value;
  return values;
}

ControlValues Lesson::at_full_size(ControlValues values) const {
  for (auto& [name, value] : values)
    if (const Control* control = find_control(name); control && control->is_size()) value = control->full_value;
  return values;
}

const Control* Lesson::time_control(const Variant& variant) const {
  if (!variant.time_over.empty()) return find_control(variant.time_over);
  for (const std::string& name : variant.controls)
    if (const Control* control = find_control(name); control && !control->is_size() && !control->logarithmic)
      return control;
  return variant.controls.empty() ? nullptr : find_control(variant.controls.front());
}

const std::vector<std::string>& element_types() {
  static const std::vector<std::string> types{"u8",  "i8",  "u16", "i16", "f16", "bf16",
                                              "i32", "u32", "f32", "i64", "u64", "f64"};
  return types;
}

bool is_real_type(std::string_view element_type) {
  return element_type.starts_with('f') || element_type == "bf16";
}

Result<std::string> kernel_name(const Variant& variant, const ControlValues& values) {
  return kernel_name(variant.first().kernel, variant.place, values);
}

Result<std::string> kernel_name(const std::string& kernel, const SourcePlace& place, const ControlValues& values) {
  std::string out;
  std::size_t at = 0;
  while (at < kernel.size()) {
    const std::size_t open = kernel.find('{', at);
    out += kernel.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t close = kernel.find('}', open);
    if (close == std::string::npos)
      return Diagnostic{Severity::error, "lesson.bad_formula", place,
                        worded("`}}` is missing in the kernel `{}`.", kernel), "Close the braces around the formula."};
    Result<std::int64_t> value = evaluate({kernel.substr(open + 1, close - open - 1), place}, values);
    if (!value) return value.take_errors();
    out += fmt::format("{}", *value);
    at = close + 1;
  }
  return out;
}

const PhaseName* find_phase(const std::vector<PhaseName>& phases, const std::string& name) {
  const auto found = std::find_if(phases.begin(), phases.end(), [&](const PhaseName& one) { return one.name == name; });
  return found == phases.end() ? nullptr : &*found;
}

std::string phase_title(const std::vector<PhaseName>& phases, const std::string& name, std::string_view language) {
  const PhaseName* found = find_phase(phases, name);
  return found == nullptr ? name : found->title.in(language);
}

}  // namespace lanescope::lesson
