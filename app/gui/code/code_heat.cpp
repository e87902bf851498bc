#include "gui/code/code_heat.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/worded.h"
#include "metrics/site_requests.h"

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

namespace {

// Instructions of a line that do the same, as an unrolled loop has them, are one row.
struct HintRow {
  std::string opcode, cost;
  std::uint64_t executions = 0, divergent = 0;
  bool branch = false;
};

std::string cost_text(const Ui& ui, const trace::MemoryTotals& m) {
  std::string said;
  const auto per_request = [&](std::uint64_t count, Label of) {
    if (count > 0)
      said += fmt::format("  ·  {} {}", ui.tr(of),
                          number_text(static_cast<double>(count) / static_cast<double>(m.requests), ""));
  };
  if (metrics::requests_are_alike(m)) {
    per_request(m.sectors, Label::heat_sectors);
    per_request(m.wavefronts, Label::heat_wavefronts);
  }
  per_request(m.serial_depth, Label::heat_queue);  // of atomics
  return said;
}

std::vector<HintRow> hint_rows(const Ui& ui, const LineCost& line) {
  std::vector<HintRow> rows;
  for (const LineEntry& e : line.entries) {
    if (e.kind == trace::EventKind::block_entry) continue;
    const std::string cost = cost_text(ui, e.totals.memory);
    const bool branch = e.kind == trace::EventKind::branch;
    auto row = std::ranges::find_if(
        rows, [&](const HintRow& one) { return one.opcode == e.opcode && one.cost == cost && one.branch == branch; });
    if (row == rows.end()) row = rows.insert(rows.end(), {e.opcode, cost, 0, 0, branch});
    row->executions += e.totals.executions;
    row->divergent += e.totals.divergent;
  }
  return rows;
}

}  // namespace

void heat_hint(const Ui& ui, const LineCost& line) {
  constexpr std::size_t most_rows = 14;
  std::string said;
  const std::vector<HintRow> rows = hint_rows(ui, line);
  for (const HintRow& row : std::span(rows).first(std::min(rows.size(), most_rows))) {
    if (!said.empty()) said += '\n';
    said += fmt::format("{}  {} ×{}", row.opcode, grouped(row.executions), row.cost);
    if (row.branch)
      said += "  ·  " + fill_in(ui.tr(Label::divergent_of), grouped(row.divergent), grouped(row.executions));
  }
  if (rows.size() > most_rows) said += "\n" + ui.told(worded("and {} more", rows.size() - most_rows));
  if (!said.empty()) said += std::string("\n") + ui.tr(Label::line_steps_hint);
  if (!said.empty()) show_hint(ui.look, said, fill_in(ui.tr(Label::line_number), std::to_string(line.line)));
}

}  // namespace lanescope::gui
