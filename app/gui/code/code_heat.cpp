#include "gui/code/code_heat.h"

#include <fmt/format.h>

namespace lanescope::gui {

Label heat_label(Heat heat) {
  switch (heat) {
    case Heat::sectors_per_request:
      return Label::heat_sectors;
    case Heat::wavefronts_per_request:
      return Label::heat_wavefronts;
    case Heat::lanes:
      return Label::heat_lanes;
    case Heat::executions:
      return Label::heat_executions;
  }
  return Label::heat_sectors;
}

std::string heat_text(Heat heat, const HeatValue& value) {
  if (heat == Heat::lanes) return fmt::format("{:.0f} %", value.value * 100);
  if (heat == Heat::executions) return grouped(static_cast<std::uint64_t>(value.value));
  return number_text(value.value, "");
}

bool is_worse(Heat heat, const HeatValue& value) {
  return heat == Heat::lanes ? value.value < 0.995 : heat != Heat::executions && value.value > value.ideal + 1e-9;
}

}  // namespace lanescope::gui
