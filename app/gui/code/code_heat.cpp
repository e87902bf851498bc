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

void heat_hint(const Ui& ui, const LineCost& line) {
  std::string said;
  for (const LineEntry& e : line.entries) {
    const trace::MemoryTotals& m = e.totals.memory;
    if (e.kind == trace::EventKind::block_entry) continue;
    if (!said.empty()) said += '\n';
    said += fmt::format("{}  {} ×", e.opcode, grouped(e.totals.executions));
    const auto requests = static_cast<double>(m.requests);
    if (m.sectors > 0)
      said += fmt::format("  ·  {} {}", ui.tr(Label::heat_sectors),
                          number_text(static_cast<double>(m.sectors) / requests, ""));
    if (m.wavefronts > 0)
      said += fmt::format("  ·  {} {}", ui.tr(Label::heat_wavefronts),
                          number_text(static_cast<double>(m.wavefronts) / requests, ""));
    if (e.kind == trace::EventKind::branch)
      said += "  ·  " + fill_in(ui.tr(Label::divergent_of), grouped(e.totals.divergent), grouped(e.totals.executions));
  }
  if (!said.empty()) said += std::string("\n") + ui.tr(Label::line_steps_hint);
  if (!said.empty()) show_hint(ui.look, said, fill_in(ui.tr(Label::line_number), std::to_string(line.line)));
}

}  // namespace lanescope::gui
