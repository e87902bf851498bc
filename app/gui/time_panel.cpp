// Time: measured on a GPU or not shown at all. Without a measurement the panel says so, and offers
// what can be known without a clock: how the sectors (or wavefronts) of a request change over a
// control.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gui/panels.h"
#include "gui/sweep_plot.h"
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

// What this run has most to say about: sectors of its global accesses, else wavefronts of its
// shared ones. A kernel that waits for banks shows the banks.
bool shows_banks(const RunResult& result) {
  const trace::Totals& t = result.outcome.trace.totals;
  const std::uint64_t conflicts = t.of(MemoryClass::shared_load).bank_conflicts() +
                                  t.of(MemoryClass::shared_store).bank_conflicts();
  return conflicts > 0 || (t.of(MemoryClass::global_load).requests == 0 &&
                           t.of(MemoryClass::shared_load).requests > 0);
}

// Values to name under the plot: those whose names do not touch the one before. `apart`: of the
// plot's width, at least this share from one to the next.
std::vector<double> ticks(const std::vector<double>& shown, bool logarithmic, double apart) {
  const auto place = [&](double x) { return logarithmic ? std::log(x) : x; };
  const double span = std::max(place(shown.back()) - place(shown.front()), 1e-9);
  std::vector<double> named;
  for (const double x : shown)
    if (named.empty() || (place(x) - place(named.back())) / span >= apart) named.push_back(x);
  return named;
}

int format_short(double value, char* buffer, int size, void*) {
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s",
                       short_number(static_cast<std::int64_t>(std::llround(value))).c_str());
}

std::string picker_text(const Ui& ui, const std::vector<const lesson::Control*>& controls,
                        const std::string& chosen) {
  const lesson::Control& c = **std::ranges::find(controls, chosen, &lesson::Control::name);
  return fill_in(ui.tr(Label::over_control), ui.name_of(c));
}
float picker_width(const Ui& ui, const std::vector<const lesson::Control*>& controls,
                   const std::string& chosen) {
  return ui.look.measure(type::caption, picker_text(ui, controls, chosen)).x +
         (controls.size() > 1 ? ui.px(16) : 0);
}

// "over stride ▾", its right edge at `right`.
void control_picker(const Ui& ui, const std::vector<const lesson::Control*>& controls,
                    std::string& chosen, float right, float centre) {
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
      if (ImGui::Selectable(ui.name_of(*c).c_str(), c->name == chosen, 0, {ui.px(140), ui.px(22)}))
        chosen = c->name;
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

namespace {

struct Plotted {
  PlotSeries series;
  const char* name;
  ImU32 colour;
  ImPlotMarker marker;
  bool time = false;
};

void paint(const Ui& ui, const Plotted& plotted, int index) {
  const PlotSeries& series = plotted.series;
  if (series.empty()) return;
  ImPlot::SetAxes(ImAxis_X1, plotted.time ? ImAxis_Y1 : ImAxis_Y2);
  ImPlotSpec spec;
  spec.LineColor = ImGui::ColorConvertU32ToFloat4(plotted.colour);
  spec.LineWeight = std::max(1.5f, ui.px(2));
  spec.Marker = series.x.size() <= 40 ? plotted.marker : static_cast<ImPlotMarker>(ImPlotMarker_None);
  spec.MarkerSize = ui.px(series.x.size() <= 12 ? 3.5f : 2.5f);
  spec.MarkerFillColor = spec.LineColor;
  spec.MarkerLineColor = spec.LineColor;
  const std::string id = fmt::format("##{}", index);
  const int count = static_cast<int>(series.x.size());
  if (series.joined)
    ImPlot::PlotLine(id.c_str(), series.x.data(), series.y.data(), count, spec);
  else
    ImPlot::PlotScatter(id.c_str(), series.x.data(), series.y.data(), count, spec);
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (std::size_t i = 0; i < series.low.size(); ++i) {
    const ImVec2 a = ImPlot::PlotToPixels(series.x[i], series.low[i]);
    const ImVec2 b = ImPlot::PlotToPixels(series.x[i], series.high[i]);
    const float half = ui.px(3), thick = std::max(1.0f, ui.px(1.5f));
    list->AddLine(a, b, plotted.colour, thick);
    list->AddLine({a.x - half, a.y}, {a.x + half, a.y}, plotted.colour, thick);
    list->AddLine({b.x - half, b.y}, {b.x + half, b.y}, plotted.colour, thick);
  }
}

}  // namespace

// Time on the left axis, counts on the right one.
void TimePanel::plot(const Ui& ui, const std::string& control) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const lesson::Control* of = s.lesson().find_control(control);
  if (of == nullptr) return;
  const Sweep& sweep = s.sweep(control);
  const bool banks = shows_banks(*s.shown());
  const float alpha = picture_alpha(ui);
  const Series* counted[2] = {&all_series[banks ? 2 : 0], &all_series[banks ? 3 : 1]};
  std::vector<Plotted> all;
  for (int k = 1; k >= 0; --k)
    all.push_back({per_request(sweep, *of, counted[k]->memory_class, counted[k]->shared),
                   ui.tr(counted[k]->name), with_alpha(k == 0 ? p.wasted : p.executed, alpha),
                   static_cast<ImPlotMarker>(k == 0 ? ImPlotMarker_Circle : ImPlotMarker_Square)});
  if (const job::LessonRecording* recording = s.recording()) {
    const RunKey& key = s.shown()->key;
    all.push_back({measured(recording->sweep(key.variant, control, key.controls, key.source), *of),
                   ui.tr(Label::series_time), with_alpha(p.text, alpha), ImPlotMarker_Diamond, true});
  }
  double top = 1, top_time = 0;
  std::vector<double> xs;
  for (const Plotted& one : all) {
    for (const double y : one.series.y) (one.time ? top_time : top) = std::max(one.time ? top_time : top, y);
    for (const double y : one.series.high) top_time = std::max(top_time, y);
    xs.insert(xs.end(), one.series.x.begin(), one.series.x.end());
  }
  std::ranges::sort(xs);
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  if (xs.empty()) return;
  const bool logarithmic = of->logarithmic && xs.front() > 0;

  const UseFont font(ui.look, type::caption);
  const ImPlotFlags flags = ImPlotFlags_NoLegend | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                            ImPlotFlags_NoMouseText | ImPlotFlags_NoTitle | ImPlotFlags_NoFrame;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const double plot_apart = ui.px(56) / std::max(room.x - ui.px(80), ui.px(56));
  if (!ImPlot::BeginPlot("##sweep", ImGui::GetContentRegionAvail(), flags)) return;
  const ImPlotAxisFlags axis =
      ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_Lock;
  const bool timed = top_time > 0;
  ImPlot::SetupAxis(ImAxis_X1, nullptr, axis | ImPlotAxisFlags_NoGridLines);
  ImPlot::SetupAxis(ImAxis_Y1, nullptr,
                    timed ? axis : axis | ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoGridLines);
  ImPlot::SetupAxis(ImAxis_Y2, nullptr,
                    timed ? axis | ImPlotAxisFlags_Opposite | ImPlotAxisFlags_NoGridLines : axis);
  ImPlot::SetupAxisFormat(ImAxis_X1, format_short);
  const double y_ticks[] = {0, std::ceil(top) / 2, std::ceil(top)};
  ImPlot::SetupAxisTicks(ImAxis_Y2, y_ticks, 3);
  const double time_ticks[] = {0, top_time / 2, top_time};
  if (timed) ImPlot::SetupAxisTicks(ImAxis_Y1, time_ticks, 3);
  ImPlot::SetupAxisFormat(ImAxis_Y1, "%.3g");
  if (logarithmic) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
  const double lo = xs.front(), hi = xs.back(), span = std::max(hi - lo, 1.0);
  const double ratio = std::pow(std::max(hi / std::max(lo, 1e-9), 1.1), 0.04);
  ImPlot::SetupAxisLimits(ImAxis_X1, logarithmic ? lo / ratio : lo - span * 0.03,
                          logarithmic ? hi * ratio : hi + span * 0.03, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, timed ? top_time * 1.12 : 1, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y2, 0, top * 1.15, ImPlotCond_Always);
  const std::vector<double> x_ticks = ticks(xs, logarithmic, plot_apart);
  ImPlot::SetupAxisTicks(ImAxis_X1, x_ticks.data(), static_cast<int>(x_ticks.size()));
  for (std::size_t i = 0; i < all.size(); ++i) paint(ui, all[i], static_cast<int>(i));

  // Where the learner stands now; a click goes to another value, whose access picture opens.
  const double here = static_cast<double>(s.control(control));
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (const Plotted& one : all)
    for (std::size_t i = 0; i < one.series.x.size(); ++i)
      if (one.series.x[i] == here) {
        ImPlot::SetAxes(ImAxis_X1, one.time ? ImAxis_Y1 : ImAxis_Y2);
        const ImVec2 at = ImPlot::PlotToPixels(here, one.series.y[i]);
        list->AddCircleFilled(at, ui.px(6), p.text);
        list->AddCircleFilled(at, ui.px(4), one.time ? p.panel : one.colour);
      }
  if (ImPlot::IsPlotHovered()) {
    ImPlot::SetAxes(ImAxis_X1, ImAxis_Y2);
    const double mouse_x = ImPlot::GetPlotMousePos().x;
    const auto distance = [&](double x) {
      return logarithmic ? std::abs(std::log(x / mouse_x)) : std::abs(x - mouse_x);
    };
    const double nearest = *std::ranges::min_element(xs, {}, distance);
    const float line = ImPlot::PlotToPixels(nearest, 0.0).x;
    const ImVec2 corner = ImPlot::GetPlotPos();
    list->AddLine({line, corner.y}, {line, corner.y + ImPlot::GetPlotSize().y}, p.faint, ui.px(1));
    std::string said;
    for (const Plotted& one : all)
      for (std::size_t i = 0; i < one.series.x.size(); ++i)
        if (one.series.x[i] == nearest)
          said += fmt::format("{}{} {}", said.empty() ? "" : "\n", number_text(one.series.y[i], ""),
                              one.name);
    show_hint(ui.look, said,
              fmt::format("{} = {}", ui.name_of(*of), grouped(static_cast<std::int64_t>(nearest))));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      s.set_control(control, static_cast<std::int64_t>(nearest));
      s.run_if_needed();
    }
  }
  ImPlot::EndPlot();
}

// The measured time, with its spread; or why there is none.
void TimePanel::measurement(const Ui& ui, bool tight) {
  const Palette& p = ui.colours();
  const job::RecordedRun* run = ui.session.recorded_run();
  if (run == nullptr || !run->timing) {
    const char* why =
        ui.tr(ui.session.recording() != nullptr ? Label::no_time_recorded : Label::no_time);
    if (tight) {
      line_of_text(ui.look, type::caption, p.dim, why, 0, 14);
      hint(ui.look, why);
    } else {
      paragraph(ui.look, type::caption, p.dim, why);
    }
    return;
  }
  const gpu::Timing& timing = *run->timing;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, y = at.y + ui.px(10);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float alpha = picture_alpha(ui);
  const float used = draw_text(list, ui.look, type::body_strong, with_alpha(p.text, alpha),
                               {at.x, y}, time_text(timing.seconds.median));
  const std::string said =
      fill_in(ui.tr(Label::time_interval), grouped(timing.seconds.samples),
              time_text(timing.seconds.low), time_text(timing.seconds.high)) +
      " · " +
      ui.tr(timing.cache == gpu::CacheState::warm ? Label::time_warm : Label::time_flushed);
  draw_text(list, ui.look, type::caption, with_alpha(p.dim, alpha), {at.x + used + ui.px(12), y},
            said, HAlign::left, width - used - ui.px(12));
  ImGui::Dummy({width, ui.px(20)});
  hint(ui.look, said, ui.session.recording()->label());
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
  const job::LessonRecording* recording = s.recording();
  const std::string origin = recording == nullptr
                                 ? ui.tr(Label::nothing_measured)
                                 : fill_in(ui.tr(Label::recorded_on), recording->label());
  draw_text(list, ui.look, type::caption, p.dim, {right, strip.centre}, origin, HAlign::right,
            std::max(1.0f, right - strip.x0 - used - ui.px(16)));
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(4)));
  ImGui::BeginChild("body", {rect.width, rect.y + rect.height - strip.y1 - ui.px(2)},
                    ImGuiChildFlags_AlwaysUseWindowPadding, ImGuiWindowFlags_NoScrollbar);
  const auto controls = s.controls();
  const bool room_for_plot = rect.height > ui.px(130) && !controls.empty();
  const bool tight = rect.height < ui.px(190);
  measurement(ui, tight);
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
    if (const job::LessonRecording* all = s.recording()) {
      const RunKey& key = s.shown()->key;
      if (!all->sweep(key.variant, chosen, key.controls, key.source).empty()) {
        const float r = ui.px(4.5f), cx = x + ui.px(4);
        list->AddQuadFilled({cx, y - r}, {cx + r, y}, {cx, y + r}, {cx - r, y}, p.text);
        const float limit = at.x + ImGui::GetContentRegionAvail().x -
                            picker_width(ui, controls, chosen) - x - ui.px(28);
        draw_text(list, ui.look, type::caption, p.dim, {x + ui.px(14), y},
                  ui.tr(Label::series_time), HAlign::left, std::max(1.0f, limit));
      }
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
