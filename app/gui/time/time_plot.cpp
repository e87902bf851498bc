// The plot of the time panel: measured times on the left axis, counts on the right one; points that were computed or
// measured, and nothing between them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gui/parts/problems.h"
#include "gui/time/sweep_plot.h"
#include "gui/time/time_lines.h"
#include "gui/time/time_panel.h"
#include "gui/time/time_sizes.h"
#include "implot.h"

namespace lanescope::gui {
namespace {

using trace::MemoryClass;

struct Series {
  MemoryClass memory_class;
  bool shared;
  Label name, short_name;
};
constexpr Series all_series[] = {
    {MemoryClass::global_load, false, Label::series_global_load, Label::series_global_load_short},
    {MemoryClass::global_store, false, Label::series_global_store, Label::series_store_short},
    {MemoryClass::shared_load, true, Label::series_shared_load, Label::series_shared_load_short},
    {MemoryClass::shared_store, true, Label::series_shared_store, Label::series_store_short}};

// What this run has most to say about: sectors of its global accesses, else wavefronts of its shared ones. A kernel
// that waits for banks shows the banks.
bool shows_banks(const RunResult& result) {
  const trace::Totals& t = result.outcome.first().trace.totals;
  const std::uint64_t conflicts =
      t.of(MemoryClass::shared_load).bank_conflicts() + t.of(MemoryClass::shared_store).bank_conflicts();
  return conflicts > 0 || (t.of(MemoryClass::global_load).requests == 0 && t.of(MemoryClass::shared_load).requests > 0);
}

// Values to name under the plot: those whose names do not touch the one before. `apart`: of the plot's width, at least
// this share from one to the next.
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

enum class Mark : std::uint8_t { circle, square, diamond, open_diamond };

struct Plotted {
  PlotSeries series;
  std::string name, short_name;
  ImU32 colour;
  Mark mark;
  bool time = false;
  std::vector<std::pair<double, const std::vector<double>*>> samples;  // seconds, by the control's value
};

void paint_mark(ImDrawList* list, Mark mark, ImVec2 c, float r, ImU32 colour) {
  const ImVec2 corners[4] = {
      {c.x, c.y - r * 1.2f}, {c.x + r * 1.2f, c.y}, {c.x, c.y + r * 1.2f}, {c.x - r * 1.2f, c.y}};
  if (mark == Mark::circle)
    list->AddCircleFilled(c, r, colour);
  else if (mark == Mark::square)
    list->AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour);
  else if (mark == Mark::open_diamond)
    list->AddPolyline(corners, 4, colour, ImDrawFlags_Closed, std::max(1.0f, r * 0.36f));
  else
    list->AddConvexPolyFilled(corners, 4, colour);
}

// Counts first, so that times lie over them: counts are of the size on screen, the recording's times of `size`. Its
// diamonds are open, those of the learner's own GPU, which measured the size on screen, are full.
std::vector<Plotted> series_of(const Ui& ui, const lesson::Control& control, TimeSize size) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const float alpha = picture_alpha(ui);
  const Sweep& sweep = s.details.sweep(control.name);
  const bool banks = shows_banks(*s.runs.shown());
  const Series* counted[2] = {&all_series[banks ? 2 : 0], &all_series[banks ? 3 : 1]};
  std::vector<Plotted> all;
  for (int k = 1; k >= 0; --k)
    all.push_back({per_request(sweep, control, counted[k]->memory_class, counted[k]->shared), ui.tr(counted[k]->name),
                   ui.tr(counted[k]->short_name), with_alpha(k == 0 ? p.wasted : p.executed, alpha),
                   k == 0 ? Mark::circle : Mark::square});
  if (const job::LessonRecording* recording = s.recordings.recording()) {
    const RunKey& key = s.runs.shown()->key;
    const auto runs = recording->sweep(
        key.variant, control.name,
        size == TimeSize::look ? key.controls : s.selection.lesson().at_full_size(key.controls), key.source);
    all.push_back({measured(runs, control), ui.tr(Label::series_time), ui.tr(Label::series_time_short),
                   with_alpha(p.dim, alpha), Mark::open_diamond, true});
    for (const job::RecordedRun* run : runs)
      all.back().samples.emplace_back(static_cast<double>(run->controls.at(control.name)), &run->timing->samples);
  }
  if (size != TimeSize::look && !control.is_size())
    return all;  // what the learner's own GPU measured is of another size
  if (const GpuSweep* own = s.runs.gpu_sweep(control.name))
    all.push_back({measured(*own, control),
                   fill_in(ui.tr(Label::series_time_here), own->device.name),
                   {},
                   with_alpha(p.text, alpha),
                   Mark::diamond,
                   true});
  else if (const GpuResult* one = s.runs.gpu(); one != nullptr && one->timing && !s.runs.gpu_stale()) {
    GpuSweep alone;  // the run on screen is a point of its own
    alone.points.push_back({s.runs.shown()->key.controls.at(control.name), *one->timing});
    all.push_back({measured(alone, control),
                   fill_in(ui.tr(Label::series_time_here), one->device.name),
                   {},
                   with_alpha(p.text, alpha),
                   Mark::diamond,
                   true});
  }
  return all;
}

void paint(const Ui& ui, const Plotted& plotted) {
  const PlotSeries& series = plotted.series;
  if (series.empty()) return;
  ImPlot::SetAxes(ImAxis_X1, plotted.time ? ImAxis_Y1 : ImAxis_Y2);
  ImDrawList* list = ImPlot::GetPlotDrawList();
  const float thick = std::max(1.0f, ui.px(1.5f));
  std::vector<ImVec2> points;
  for (std::size_t i = 0; i < series.x.size(); ++i) points.push_back(ImPlot::PlotToPixels(series.x[i], series.y[i]));
  ImPlot::PushPlotClipRect(ui.px(6));
  const float dot = std::max(0.75f, ui.px(0.9f));
  for (const auto& [x, samples] : plotted.samples)
    for (const double seconds : *samples) {
      const ImVec2 at = ImPlot::PlotToPixels(x, seconds * 1e6);
      list->AddRectFilled({at.x - dot, at.y - dot}, {at.x + dot, at.y + dot}, with_alpha(plotted.colour, 0.35f));
    }
  if (series.joined)
    list->AddPolyline(points.data(), static_cast<int>(points.size()), plotted.colour, ImDrawFlags_None,
                      std::max(1.5f, ui.px(plotted.mark == Mark::open_diamond ? 1.25f : 2.0f)));
  if (series.x.size() <= 40)
    for (const ImVec2& at : points)
      paint_mark(list, plotted.mark, at, ui.px(series.x.size() <= 12 ? 3.5f : 2.5f), plotted.colour);
  for (std::size_t i = 0; i < series.low.size(); ++i) {
    const ImVec2 a = ImPlot::PlotToPixels(series.x[i], series.low[i]);
    const ImVec2 b = ImPlot::PlotToPixels(series.x[i], series.high[i]);
    if (std::abs(a.y - b.y) < ui.px(2)) continue;  // narrower than the mark
    const float half = ui.px(3);
    list->AddLine(a, b, plotted.colour, thick);
    list->AddLine({a.x - half, a.y}, {a.x + half, a.y}, plotted.colour, thick);
    list->AddLine({b.x - half, b.y}, {b.x + half, b.y}, plotted.colour, thick);
  }
  ImPlot::PopPlotClipRect();
}

// What one plot shows: its points, the highest count and time among them, and the values that have a point.
struct Plot {
  std::vector<Plotted> all;
  double top = 1, top_time = 0;
  std::vector<double> xs;  // ascending
  bool logarithmic = false, counted = false;
  std::vector<TimeLine> lines;  // that the times are held against
  bool timed() const { return top_time > 0; }
};

Plot plot_over(const lesson::Control& control, std::vector<Plotted> all) {
  Plot plot{.all = std::move(all)};
  for (const Plotted& one : plot.all) {
    double& top = one.time ? plot.top_time : plot.top;
    for (const double y : one.series.y) top = std::max(top, y);
    plot.counted |= !one.time && !one.series.empty();
    for (const double y : one.series.high) plot.top_time = std::max(plot.top_time, y);
    plot.xs.insert(plot.xs.end(), one.series.x.begin(), one.series.x.end());
  }
  std::ranges::sort(plot.xs);
  plot.xs.erase(std::unique(plot.xs.begin(), plot.xs.end()), plot.xs.end());
  plot.logarithmic = control.logarithmic && !plot.xs.empty() && plot.xs.front() > 0;
  return plot;
}

// Times on the left axis, counts on the right one; without times, counts on the left. No axis without a series.
void set_up_value_axes(const Plot& plot, bool room_for_two) {
  const ImPlotAxisFlags axis = ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_Lock;
  const ImPlotAxisFlags no_lines = ImPlotAxisFlags_NoGridLines;
  const bool timed = plot.timed();
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, timed ? axis : axis | ImPlotAxisFlags_NoDecorations | no_lines);
  ImPlot::SetupAxis(ImAxis_Y2, nullptr,
                    !plot.counted ? axis | ImPlotAxisFlags_NoDecorations | no_lines
                    : timed       ? axis | ImPlotAxisFlags_Opposite | no_lines
                                  : axis);
  std::vector<double> counts{0, std::ceil(plot.top)};
  if (room_for_two) counts.insert(counts.begin() + 1, std::ceil(plot.top) / 2);
  ImPlot::SetupAxisTicks(ImAxis_Y2, counts.data(), static_cast<int>(counts.size()));
  ImPlot::SetupAxisLimits(ImAxis_Y2, 0, plot.top * 1.15, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, timed ? plot.top_time * 1.12 : 1, ImPlotCond_Always);
  if (!timed) return;
  const TimeTicks times = time_ticks(plot.top_time, room_for_two ? 3 : 1);
  std::vector<const char*> labels;
  for (const std::string& label : times.labels) labels.push_back(label.c_str());
  ImPlot::SetupAxisTicks(ImAxis_Y1, times.at.data(), static_cast<int>(times.at.size()), labels.data());
}

// `apart`: as ticks() takes it.
void set_up_control_axis(const Plot& plot, double apart) {
  ImPlot::SetupAxis(
      ImAxis_X1, nullptr,
      ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_Lock | ImPlotAxisFlags_NoGridLines);
  ImPlot::SetupAxisFormat(ImAxis_X1, format_short);
  if (plot.logarithmic) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
  const double lo = plot.xs.front(), hi = plot.xs.back(), span = std::max(hi - lo, 1.0);
  const double ratio = std::pow(std::max(hi / std::max(lo, 1e-9), 1.1), 0.04);
  ImPlot::SetupAxisLimits(ImAxis_X1, plot.logarithmic ? lo / ratio : lo - span * 0.03,
                          plot.logarithmic ? hi * ratio : hi + span * 0.03, ImPlotCond_Always);
  const std::vector<double> x_ticks = ticks(plot.xs, plot.logarithmic, apart);
  ImPlot::SetupAxisTicks(ImAxis_X1, x_ticks.data(), static_cast<int>(x_ticks.size()));
}

// Where the learner stands now.
void mark_here(const Ui& ui, const Plot& plot, double here) {
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (const Plotted& one : plot.all)
    for (std::size_t i = 0; i < one.series.x.size(); ++i)
      if (one.series.x[i] == here) {
        ImPlot::SetAxes(ImAxis_X1, one.time ? ImAxis_Y1 : ImAxis_Y2);
        const ImVec2 at = ImPlot::PlotToPixels(here, one.series.y[i]);
        list->AddCircleFilled(at, ui.px(6), ui.colours().text);
        list->AddCircleFilled(at, ui.px(4), one.time ? ui.colours().panel : one.colour);
      }
}

// The value nearest to the pointer: its line and what was found there.
double point_at(const Ui& ui, const Plot& plot, const lesson::Control& control) {
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y2);
  const double mouse_x = ImPlot::GetPlotMousePos().x;
  const double nearest = *std::ranges::min_element(plot.xs, {}, [&](double x) {
    return plot.logarithmic ? std::abs(std::log(x / mouse_x)) : std::abs(x - mouse_x);
  });
  const float line = ImPlot::PlotToPixels(nearest, 0.0).x;
  const ImVec2 corner = ImPlot::GetPlotPos();
  ImPlot::GetPlotDrawList()->AddLine({line, corner.y}, {line, corner.y + ImPlot::GetPlotSize().y}, ui.colours().faint,
                                     ui.px(1));
  std::string said;
  for (const Plotted& one : plot.all)
    for (std::size_t i = 0; i < one.series.x.size(); ++i)
      if (one.series.x[i] == nearest)
        said += fmt::format("{}{}  {}", said.empty() ? "" : "\n",
                            one.time ? time_text(one.series.y[i] * 1e-6) : number_text(one.series.y[i], ""), one.name);
  show_hint(ui.look, said, fmt::format("{} = {}", ui.name_of(control), grouped(static_cast<std::int64_t>(nearest))));
  return nearest;
}

void paint_lines(const Ui& ui, const Plot& plot) {
  if (!plot.timed()) return;
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y1);
  const ImVec2 corner = ImPlot::GetPlotPos();
  for (const TimeLine& line : plot.lines) {
    const float y = ImPlot::PlotToPixels(plot.xs.front(), line.seconds * 1e6).y;
    if (y >= corner.y) paint_line(ui, line.kind, {corner.x, y}, {corner.x + ImPlot::GetPlotSize().x, y});
  }
}

// A click on a value goes there: its access picture opens.
void draw_plot(const Ui& ui, const lesson::Control& control, const Plot& plot, float height) {
  Session& s = ui.session;
  if (plot.xs.empty()) return;
  const UseFont font(ui.look, type::caption);
  const ImPlotFlags flags = ImPlotFlags_NoLegend | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                            ImPlotFlags_NoMouseText | ImPlotFlags_NoTitle | ImPlotFlags_NoFrame;
  const ImVec2 room{ImGui::GetContentRegionAvail().x, height};
  if (!ImPlot::BeginPlot("##sweep", room, flags)) return;
  set_up_control_axis(plot, ui.px(56) / std::max(room.x - ui.px(80), ui.px(56)));
  set_up_value_axes(plot, room.y > ui.px(84));
  paint_lines(ui, plot);
  for (const Plotted& one : plot.all) paint(ui, one);
  mark_here(ui, plot, static_cast<double>(s.selection.control(control.name)));
  if (ImPlot::IsPlotHovered()) {
    const double nearest = point_at(ui, plot, control);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      s.selection.set_control(control.name, static_cast<std::int64_t>(nearest));
      s.runs.run_if_needed();
    }
  }
  ImPlot::EndPlot();
}

// What the plot shows, from `x` to `limit`: times, then loads, then stores. Where the full names do not fit, short
// ones; a name that is short or cut is said in full on hover.
void legend(const Ui& ui, float x, float y, float limit, const std::vector<Plotted>& all) {
  std::vector<const Plotted*> shown;
  for (const Plotted& one : all)
    if (one.time && !one.series.empty()) shown.push_back(&one);
  for (auto one = all.rbegin(); one != all.rend(); ++one)  // counts come with the loads last, to lie over the stores
    if (!one->time && !one->series.empty()) shown.push_back(&*one);
  const auto width = [&](const std::string& name) { return ui.look.measure(type::caption, name).x; };
  float wanted = -ui.px(14);
  for (const Plotted* one : shown) wanted += ui.px(28) + width(one->name);
  const bool narrow = wanted > limit - x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const Plotted* one : shown) {
    if (limit - x < ui.px(14)) return;
    const std::string& name = narrow && !one->short_name.empty() ? one->short_name : one->name;
    paint_mark(list, one->mark, {x + ui.px(4), y}, ui.px(4), one->colour);
    const float room = std::max(1.0f, limit - x - ui.px(14));
    const float used =
        draw_text(list, ui.look, type::caption, ui.colours().dim, {x + ui.px(14), y}, name, HAlign::left, room);
    const float end = x + ui.px(14) + used;
    if ((narrow || width(name) > room) && ImGui::IsMouseHoveringRect({x, y - ui.px(9)}, {end, y + ui.px(9)}))
      show_hint(ui.look, one->name);
    x = end + ui.px(narrow ? 8.0f : 14.0f);
  }
}

// ▶ measures the control's values on the learner's GPU, ■ stops it.
float measure_button(const Ui& ui, const std::string& control, float right, float centre) {
  Session& s = ui.session;
  const gpu::Device* device = s.runs.gpus().chosen();
  if (device == nullptr || s.runs.shown() == nullptr || s.runs.stale()) return 0;
  const GpuSweep* sweep = s.runs.gpu_sweep(control);
  const bool running = sweep != nullptr && sweep->running;
  const float size = ui.px(20);
  ImGui::SetCursorScreenPos({right - size, centre - size / 2});
  const lesson::Control* of = s.selection.lesson().find_control(control);
  const std::string said = running ? fill_in(ui.tr(Label::measuring_over), grouped(std::uint64_t{sweep->done}),
                                             grouped(std::uint64_t{sweep->wanted}))
                                   : fill_in(ui.tr(Label::measure_over), ui.name_of(*of), device->name);
  if (icon_button(ui.look, "measure", running ? Icon::stop : Icon::play, said, true, 20)) {
    if (running)
      s.runs.stop_measuring();
    else
      s.runs.measure_sweep(control);
  }
  float used = size + ui.px(4);
  if (running) {
    ui.window.moving |= ui.motion();
    used += draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().dim, {right - used, centre},
                      fmt::format("{} / {}", sweep->done, sweep->wanted), HAlign::right) +
            ui.px(6);
  }
  return used + ui.px(4);
}

}  // namespace

void TimePanel::plot_with_legend(const Ui& ui, bool tight) {
  Session& s = ui.session;
  if (s.selection.controls().empty() || s.runs.shown() == nullptr ||
      ImGui::GetContentRegionAvail().y < ui.px(tight ? 60.0f : 80.0f))
    return;
  // Without a recording there is nothing to lay side by side: the lesson's own control has the counts.
  const lesson::Control* own_control = s.selection.lesson().time_control(s.selection.variant());
  const std::string chosen = over(ui).empty() && own_control != nullptr ? own_control->name : over(ui);
  const TimeSize at_size = size(ui);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + ui.px(9), right = at.x + ImGui::GetContentRegionAvail().x;
  float limit = right;
  if (at_size == TimeSize::look) limit -= measure_button(ui, chosen, limit, y);
  const lesson::Control* of = s.selection.lesson().find_control(chosen);
  Plot plot = plot_over(*of, series_of(ui, *of, at_size));
  if (plot.timed() && !of->is_size()) plot.lines = lines_beside(s, at_size, {});
  legend(ui, at.x, y, limit, plot.all);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({right - at.x, ui.px(16)});
  const GpuSweep* own = s.runs.gpu_sweep(chosen);
  if (own != nullptr && !own->problems.empty()) {
    // One line has no room for all of it.
    const ProblemTexts why = plain_texts(ui, own->problems.front());
    const std::string said = fill_in(ui.tr(Label::measuring_failed), grouped(std::uint64_t{own->done}),
                                     grouped(std::uint64_t{own->wanted}), why.what);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, height = ui.px(16);
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().dim, {from.x, from.y + height / 2}, said,
              HAlign::left, room);
    ImGui::Dummy({room, height});
    hint(ui.look, why.cure, said);
  }
  const bool with_lines = !plot.lines.empty() && ImGui::GetContentRegionAvail().y > ui.px(96);
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  draw_plot(ui, *of, plot, with_lines ? room.y - ui.px(16) : room.y);
  if (with_lines) lines_legend(ui, at.x, from.y + room.y - ui.px(8), right, plot.lines);
}

}  // namespace lanescope::gui
