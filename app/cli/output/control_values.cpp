#include "cli/output/control_values.h"

#include <fmt/format.h>

#include "cli/output/table.h"

namespace lanescope::cli {

std::string controls_text(const lesson::Lesson& lesson, const lesson::Variant& variant,
                          const lesson::ControlValues& values) {
  std::string text;
  for (const std::string& name : variant.controls) {
    const lesson::Control* control = lesson.find_control(name);
    const auto value = values.find(name);
    if (control != nullptr && value != values.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : " · ", control->label.en,
                          number(static_cast<double>(value->second)));
  }
  return text;
}

std::string sizes_text(const lesson::Lesson& lesson, const lesson::ControlValues& values) {
  std::string text;
  for (const auto& [name, value] : values)
    if (const lesson::Control* control = lesson.find_control(name); control != nullptr && control->is_size())
      text += fmt::format("{}{} = {}", text.empty() ? " at " : ", ", name,
                          with_separators(static_cast<std::uint64_t>(value)));
  return text;
}

}  // namespace lanescope::cli
