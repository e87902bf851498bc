// Time: measured on a GPU or not shown at all. Without a measurement the panel says so, and offers
// what can be known without a clock: how the sectors (or wavefronts) of a request change over a
// control.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gui/panels.h"
#include "implot.h"

namespace lanescope::gui {
namespace {

using trace::MemoryClass;

struct Series {
  MemoryClass memory_class;
  bool shared;
  Label name;
};
constexpr Series all_series[] = {{MemoryClass::global_load, false, Label::series_global_load},
                                 {MemoryClass::global_store, false, Label::series_global_store},
                                 {MemoryClass::shared_load, true, Label::series_shared_load},
                                 {MemoryClass::shared_store, true, Label::series_shared_store}};

double per_request(const trace::Totals& totals, const Series& series) {
  const trace::MemoryTotals& m = totals.of(series.memory_class);
  if (m.requests == 0) return -1;
  return static_cast<double>(series.shared ? m.wavefronts : m.sectors) /
         static_cast<double>(m.requests);
}

// What this run has most to say about: sectors of its global accesses, else wavefronts of its
// shared ones. A kernel that waits for banks shows the banks.
bool shows_banks(const RunResult& result) {
  const trace::Totals& t = result.outcome.trace.totals;
  const std::uint64_t conflicts = t.of(MemoryClass::shared_load).bank_conflicts() +
                                  t.of(MemoryClass::shared_store).bank_conflicts();
  return conflicts > 0 || (t.of(MemoryClass::global_load).requests == 0 &&
                           t.of(MemoryClass::shared_load).requests > 0);
}

// Values to name under the plot: the choices, or the doublings of the least value, or an even
// division; at most `most`.
std::vector<double> ticks(const lesson::Control& c, float most) {
  std::vector<std::int64_t> values = c.choices;
  if (values.empty() && c.logarithmic && c.min > 0)
    for (std::int64_t v = c.min; v <= c.max; v *= 2) values.push_back(v);
  if (values.empty()) {
    const std::int64_t span = c.max - c.min;
    std::int64_t step = std::max<std::int64_t>(1, c.step);
    while (static_cast<float>(span) / static_cast<float>(step) > std::min(most, 9.0f)) step *= 2;
    values.push_back(c.min);
    for (std::int64_t v = step; v <= c.max; v += step)
      if (v >= c.min + (step + 1) / 2) values.push_back(v);
  }
  std::vector<double> shown;
  const std::size_t skip =
      1 + static_cast<std::size_t>(static_cast<float>(values.size()) / std::max(most, 1.0f));
  for (std::size_t i = 0; i < values.size(); i += skip)
    shown.push_back(static_cast<double>(values[i]));
  return shown;
}

int format_grouped(double value, char* buffer, int size, void*) {
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s",
                       grouped(static_cast<std::int64_t>(std::llround(value))).c_str());
}

std::string picker_text(const Ui& ui, const std::vector<const lesson::Control*>& controls,
                        const std::string& chosen) {
  const lesson::Control& c = **std::ranges::find(controls, chosen, &lesson::Control::name);
  return fill_in(ui.tr(Label::over_control), c.label.empty() ? c.name : c.label);
}
float picker_width(const Ui& ui, const std::vector<const lesson::Control*>& controls,
                   const std::string& chosen) {
  return ui.look.measure(type::caption, picker_text(ui, controls, chosen)).x +
         (controls.size() > 1 ? ui.px(16) : 0);
}

// "over stride ▾", its right edge at `right`.
void control_picker(const Ui& ui, const std::vector<const lesson::Control*>& controls,
                    std::string& chosen, float right, float centre) {
  const auto name_of = [](const lesson::Control& c) { return c.label.empty() ? c.name : c.label; };
  const std::string said = picker_text(ui, controls, chosen);
  const bool choice = controls.size() > 1;
  const float width = picker_width(ui, controls, chosen);
  ImGui::SetCursorScreenPos({right - width, centre - ui.px(9)});
  if (ImGui::InvisibleButton("over", {width, ui.px(18)}) && choice) ImGui::OpenPopup("over list");
  const bool hovered = choice && ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::caption, hovered ? ui.colours().text : ui.colours().dim,
            {right - width, centre}, said);
  if (choice) draw_icon(list, ui.look, Icon::down, {right - ui.px(5), centre}, ui.colours().dim, 6);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  if (ImGui::BeginPopup("over list")) {
    for (const lesson::Control* c : controls)
      if (ImGui::Selectable(name_of(*c).c_str(), c->name == chosen, 0, {ui.px(140), ui.px(22)}))
        chosen = c->name;
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void TimePanel::plot(const Ui& ui, const std::string& control) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const Sweep& sweep = s.sweep(control);
  const bool banks = s.shown() != nullptr && shows_banks(*s.shown());
  std::vector<double> xs, ys[2];
  const Series* series[2] = {&all_series[banks ? 2 : 0], &all_series[banks ? 3 : 1]};
  for (const Sweep::Point& point : sweep.points) {
    if (!point.ok) continue;
    xs.push_back(static_cast<double>(point.value));
    for (int k = 0; k < 2; ++k) ys[k].push_back(per_request(point.totals, *series[k]));
  }
  const lesson::Control* of = s.lesson().find_control(control);
  if (of == nullptr) return;
  const bool logarithmic = of->logarithmic && of->min > 0;
  double top = 1;
  for (const auto& y : ys)
    for (const double v : y) top = std::max(top, v);

  const UseFont font(ui.look, type::caption);
  const ImPlotFlags flags = ImPlotFlags_NoLegend | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                            ImPlotFlags_NoMouseText | ImPlotFlags_NoTitle | ImPlotFlags_NoFrame;
  if (!ImPlot::BeginPlot("##sweep", ImGui::GetContentRegionAvail(), flags)) return;
  const ImPlotAxisFlags axis =
      ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_Lock;
  ImPlot::SetupAxes(nullptr, nullptr, axis | ImPlotAxisFlags_NoGridLines, axis);
  ImPlot::SetupAxisFormat(ImAxis_X1, format_grouped);
  const double y_ticks[] = {0, std::ceil(top) / 2, std::ceil(top)};
  ImPlot::SetupAxisTicks(ImAxis_Y1, y_ticks, 3);
  if (logarithmic) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
  const double span = static_cast<double>(of->max - of->min);
  const double lo = static_cast<double>(of->min), hi = static_cast<double>(of->max);
  ImPlot::SetupAxesLimits(logarithmic ? lo * 0.9 : lo - span * 0.02,
                          logarithmic ? hi * 1.1 : hi + span * 0.02, 0, top * 1.12,
                          ImPlotCond_Always);
  const std::vector<double> x_ticks = ticks(*of, ImGui::GetContentRegionAvail().x / ui.px(44));
  if (!x_ticks.empty())
    ImPlot::SetupAxisTicks(ImAxis_X1, x_ticks.data(), static_cast<int>(x_ticks.size()));
  const float alpha = picture_alpha(ui);
  const ImU32 colours[2] = {with_alpha(p.wasted, alpha), with_alpha(p.executed, alpha)};
  const ImPlotMarker shapes[2] = {ImPlotMarker_Circle, ImPlotMarker_Square};
  for (int k = 1; k >= 0; --k) {
    if (xs.empty() || ys[k].front() < 0) continue;
    ImPlotSpec spec;
    spec.LineColor = ImGui::ColorConvertU32ToFloat4(colours[k]);
    spec.LineWeight = std::max(1.5f, ui.px(2));
    spec.Marker = xs.size() <= 12 ? shapes[k] : static_cast<ImPlotMarker>(ImPlotMarker_None);
    spec.MarkerSize = ui.px(3);
    spec.MarkerFillColor = spec.LineColor;
    spec.MarkerLineColor = spec.LineColor;
    ImPlot::PlotLine(fmt::format("##{}", k).c_str(), xs.data(), ys[k].data(),
                     static_cast<int>(xs.size()), spec);
  }
  // Where the learner stands now; a click goes to another value, whose access picture opens.
  const double here = static_cast<double>(s.control(control));
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (int k = 1; k >= 0; --k)
    for (std::size_t i = 0; i < xs.size(); ++i)
      if (xs[i] == here && ys[k][i] >= 0) {
        const ImVec2 at = ImPlot::PlotToPixels(here, ys[k][i]);
        list->AddCircleFilled(at, ui.px(6), p.text);
        list->AddCircleFilled(at, ui.px(4), colours[k]);
      }
  if (ImPlot::IsPlotHovered() && !xs.empty()) {
    const double mouse_x = ImPlot::GetPlotMousePos().x;
    const auto distance = [&](double x) {
      return logarithmic ? std::abs(std::log(x / mouse_x)) : std::abs(x - mouse_x);
    };
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < xs.size(); ++i)
      if (distance(xs[i]) < distance(xs[nearest])) nearest = i;
    const ImVec2 line = ImPlot::PlotToPixels(xs[nearest], 0.0);
    const ImVec2 corner = ImPlot::GetPlotPos();
    list->AddLine({line.x, corner.y}, {line.x, corner.y + ImPlot::GetPlotSize().y}, p.faint,
                  ui.px(1));
    std::string said;
    for (int k = 0; k < 2; ++k)
      if (ys[k][nearest] >= 0)
        said += fmt::format("{}{} {}", said.empty() ? "" : "\n", number_text(ys[k][nearest], ""),
                            ui.tr(series[k]->name));
    show_hint(ui.look, said,
              fmt::format("{} = {}", of->label.empty() ? of->name : of->label,
                          grouped(static_cast<std::int64_t>(xs[nearest]))));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      s.set_control(control, static_cast<std::int64_t>(xs[nearest]));
      s.run_if_needed();
    }
  }
  ImPlot::EndPlot();
}

void TimePanel::draw(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "time", rect);
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const Strip strip = panel_strip(ui.look);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float used = draw_text(list, ui.look, type::small_strong, p.dim, {strip.x0, strip.centre},
                               ui.tr(Label::time));
  float right = strip.x1;
  if (const float badge = stale_badge(ui, right, strip.centre); badge > 0)
    right -= badge + ui.px(10);
  draw_text(list, ui.look, type::caption, p.dim, {right, strip.centre},
            ui.tr(Label::nothing_measured), HAlign::right,
            std::max(1.0f, right - strip.x0 - used - ui.px(16)));
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(4)));
  ImGui::BeginChild("body", {rect.width, rect.y + rect.height - strip.y1 - ui.px(2)},
                    ImGuiChildFlags_AlwaysUseWindowPadding, ImGuiWindowFlags_NoScrollbar);
  const auto controls = s.controls();
  const bool room_for_plot = rect.height > ui.px(130) && !controls.empty();
  const bool tight = rect.height < ui.px(190);
  if (tight) {
    line_of_text(ui.look, type::caption, p.dim, ui.tr(Label::no_time), 0, 14);
    hint(ui.look, ui.tr(Label::no_time));
  } else {
    paragraph(ui.look, type::caption, p.dim, ui.tr(Label::no_time));
  }
  if (room_for_plot && s.shown() != nullptr) {
    std::string& chosen = chosen_[s.lesson().id + "/" + s.variant().id];
    if (chosen.empty() ||
        std::ranges::none_of(controls, [&](const auto* c) { return c->name == chosen; }))
      chosen = controls.front()->name;
    const bool banks = shows_banks(*s.shown());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + ui.px(9);
    float x = at.x;
    const ImU32 colours[2] = {p.wasted, p.executed};
    for (int k = 0; k < 2; ++k) {
      const Series& one = all_series[(banks ? 2 : 0) + k];
      if (s.shown()->outcome.trace.totals.of(one.memory_class).requests == 0) continue;
      if (k == 0)
        list->AddCircleFilled({x + ui.px(4), y}, ui.px(4), colours[k]);
      else
        list->AddRectFilled({x, y - ui.px(4)}, {x + ui.px(8), y + ui.px(4)}, colours[k]);
      list = ImGui::GetWindowDrawList();
      const float limit =
          (at.x + ImGui::GetContentRegionAvail().x - picker_width(ui, controls, chosen)) - x -
          ui.px(28);
      x += ui.px(28) + draw_text(list, ui.look, type::caption, p.dim, {x + ui.px(14), y},
                                 ui.tr(one.name), HAlign::left, std::max(1.0f, limit));
    }
    control_picker(ui, controls, chosen, at.x + ImGui::GetContentRegionAvail().x, y);
    ImGui::SetCursorScreenPos({at.x, at.y + ui.px(18)});
    plot(ui, chosen);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_panel();
}

}  // namespace lanescope::gui
