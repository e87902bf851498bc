#include "gui/session/sweep.h"

#include <algorithm>

#include "core/architecture.h"
#include "job/lesson/lesson_request.h"

namespace lanescope::gui {

std::vector<std::int64_t> values_to_sweep(const lesson::Lesson& lesson, const lesson::Variant& variant,
                                          const lesson::ControlValues& others, const std::string& control) {
  const auto found = std::ranges::find(lesson.controls, control, &lesson::Control::name);
  if (found == lesson.controls.end()) return {};
  std::vector<std::int64_t> values = found->choices;
  if (values.empty() && found->logarithmic && found->min > 0)
    for (std::int64_t v = found->min; v <= found->max; v *= 2)
      if (found->allows(v)) values.push_back(v);
  // Leaves out values that would take long or much memory.
  const auto too_large = [&](std::int64_t value) {
    lesson::ControlValues with = others;
    with[control] = value;
    const auto request = job::from_lesson(lesson, variant, with);
    return !request ||
           request->first().shape.grid.count() * request->first().shape.block.count() > imitated_gpu::resident_threads;
  };
  if (values.empty()) {
    constexpr std::int64_t most = 33;
    const std::int64_t step = std::max<std::int64_t>(found->step, 1);
    std::int64_t last = found->max;
    while (last > found->min + most * step && too_large(last))
      last = found->min + (last - found->min) / 2 / step * step;
    const std::int64_t count = (last - found->min) / step + 1;
    const std::int64_t stride = step * std::max<std::int64_t>(1, (count + most - 1) / most);
    for (std::int64_t v = found->min; v <= last; v += stride) values.push_back(v);
  }
  std::erase_if(values, too_large);
  return values;
}

}  // namespace lanescope::gui
