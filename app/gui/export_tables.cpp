#include "gui/export_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagram/words.h"
#include "gui/numbers/numbers.h"
#include "gui/time/plot_series.h"
#include "gui/time/time_sizes.h"
#include "metrics/request_cost.h"

namespace lanescope::gui {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.,-+e") == std::string_view::npos;
}

// Width in columns; Chinese characters count twice, as in terminals and editors.
std::size_t columns_of(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) count += byte >= 0xe3 ? 2 : 1;
  }
  return count;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

ExportTable lanes_table(const Session& s) {
  const trace::WarpEvent* event = s.place.event();
  if (event == nullptr) return {};
  const trace::Trace& trace = s.runs.shown()->outcome.first().trace;
  ExportTable table{{"lane", "active", "executed", "address", "bytes"}, {}};
  const bool memory = event->kind == trace::EventKind::memory;
  for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
    const bool accesses = memory && event->executed.test(lane);
    table.rows.push_back({std::to_string(lane), event->active.test(lane) ? "1" : "0",
                          event->executed.test(lane) ? "1" : "0",
                          accesses ? fmt::format("0x{:x}", trace.address(*event, lane)) : "",
                          accesses ? std::to_string(trace.sites[event->site].width) : ""});
  }
  return table;
}

// The visible steps.
ExportTable steps_table(const Ui& ui, const FilmView& film) {
  const Session& s = ui.session;
  if (s.place.event() == nullptr) return {};
  const diagram::FilmPart part = film.part(ui, exported_film_width);
  if (part.count > most_exported_steps) return {};
  const trace::Trace& trace = s.runs.shown()->outcome.first().trace;
  const auto events = trace.warp(s.place.position().block, s.place.position().warp);
  ExportTable table{{"step", "instruction", "line", "active_lanes", "executed_lanes", "sectors", "ideal_sectors",
                     "wavefronts", "ideal_wavefronts"},
                    {}};
  for (std::size_t i = part.first; i < std::min(part.first + part.count, events.size()); ++i) {
    const trace::Site& site = trace.sites[events[i].site];
    const metrics::RequestCost cost = metrics::cost(trace, events[i]);
    const auto where = [&](std::uint32_t value, bool applies) { return applies ? std::to_string(value) : ""; };
    const bool shared = events[i].space == trace::MemorySpace::shared, memory = site.kind == trace::EventKind::memory;
    table.rows.push_back({std::to_string(i + 1), site.opcode, site.line > 0 ? std::to_string(site.line) : "",
                          std::to_string(events[i].active.count()), std::to_string(events[i].executed.count()),
                          where(cost.sectors, memory && !shared), where(cost.ideal_sectors, memory && !shared),
                          where(cost.wavefronts, memory && shared), where(cost.ideal_wavefronts, memory && shared)});
  }
  return table;
}

ExportTable numbers_table(const Session& s) {
  if (s.runs.shown() == nullptr) return {};
  ExportTable table{{"number", "value", "ideal", "unit", "nsight_compute", "origin"}, {}};
  const std::string limits = limits_of_run(s);
  for (const metrics::Measurement& one : s.runs.shown()->numbers) {
    if (!one.applicable) continue;
    table.rows.push_back({one.name, fmt::format("{}", one.value), one.ideal >= 0 ? fmt::format("{}", one.ideal) : "",
                          one.unit, one.nsight_name, trace::to_string(one.origin) + limits});
  }
  return table;
}

ExportTable agreement_table(const Session& s) {
  const job::Agreement* agreement = s.runs.agreement();
  if (agreement == nullptr) return {};
  ExportTable table{{"number", "interpreted", "recorded", "counted"}, {}};
  const auto told = [](const auto& value) { return value ? std::to_string(*value) : std::string(); };
  for (const job::AgreementRow& row : agreement->rows)
    table.rows.push_back({row.number, told(row.interpreted), told(row.recorded), told(row.counted)});
  return table;
}

// The recordings of the variants side by side, at full size.
ExportTable times_table(const Ui& ui) {
  ExportTable table{{"variant", "median_seconds", "low_seconds", "high_seconds", "samples", "bytes_per_second"}, {}};
  const Session& s = ui.session;
  for (const VariantTime& one : variants_beside(s, TimeSize::measure)) {
    if (!one.timed()) continue;
    const metrics::Interval& time = one.run->timing->seconds;
    table.rows.push_back({s.selection.lesson().variants[one.variant].id, fmt::format("{}", time.median),
                          fmt::format("{}", time.low), fmt::format("{}", time.high), std::to_string(time.samples),
                          one.bytes > 0 ? fmt::format("{}", one.bandwidth()) : ""});
  }
  return table.rows.empty() ? ExportTable{} : table;
}

// The points of a plot over a control. A run that failed has a row without a value.
ExportTable points_table(const Ui& ui, const lesson::Control& control, TimeSize size) {
  ExportTable table{{control.name, "series", "origin", "value", "low", "high"}, {}};
  const PlotOver plot = plot_over(ui, control, series_of(ui, control, size));
  for (const Plotted& one : plot.all) {
    const double unit = one.time ? 1e-6 : 1;
    const auto at = [&](const std::vector<double>& all, std::size_t i) {
      return i < all.size() ? fmt::format("{:.9g}", all[i] * unit) : std::string();
    };
    const PlotSeries& series = one.series;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      table.rows.push_back(
          {fmt::format("{}", series.x[i]), one.id, one.origin, at(series.y, i), at(series.low, i), at(series.high, i)});
  }
  for (const PlotOver::Failed& one : plot.failed)
    table.rows.push_back({fmt::format("{}", one.x), "run_failed", "interpreted", "", "", ""});
  return table.rows.empty() ? ExportTable{} : table;
}

}  // namespace

std::string limits_of_run(const Session& s) {
  if (s.runs.stale()) return "-old";
  return s.runs.shows_whole() ? "" : "-up-to-fault";
}

std::string csv_of(const ExportTable& table) {
  std::string out;
  const auto row = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) out += (i == 0 ? "" : ",") + csv_field(fields[i]);
    out += "\r\n";
  };
  row(table.head);
  for (const auto& fields : table.rows) row(fields);
  return out;
}

std::string text_of(const ExportTable& table) {
  std::vector<std::size_t> widths;
  for (const std::string& name : table.head) widths.push_back(columns_of(name));
  for (const auto& fields : table.rows)
    for (std::size_t i = 0; i < fields.size(); ++i) widths[i] = std::max(widths[i], columns_of(fields[i]));
  std::string out;
  const auto row = [&](const std::vector<std::string>& fields, bool head) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string space(widths[i] - columns_of(fields[i]), ' ');
      const bool right = !head && is_number(fields[i]);
      line += (i == 0 ? "" : "  ") + (right ? space + fields[i] : fields[i] + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  row(table.head, true);
  for (const auto& fields : table.rows) row(fields, false);
  return out;
}

ExportTable table_of(const Ui& ui, ExportPart part, const FilmView& film, TimePanel& time) {
  switch (part) {
    case ExportPart::warp:
      return lanes_table(ui.session);
    case ExportPart::steps:
      return steps_table(ui, film);
    case ExportPart::numbers:
      return numbers_table(ui.session);
    case ExportPart::time:
      if (ui.window.results == ResultsTab::agreement) return agreement_table(ui.session);
      if (const lesson::Control* over = time.plotted_over(ui); over != nullptr && ui.session.runs.shown() != nullptr)
        return points_table(ui, *over, time.size(ui));
      return times_table(ui);
    case ExportPart::window:
    case ExportPart::count_:
      break;
  }
  return {};
}

}  // namespace lanescope::gui
