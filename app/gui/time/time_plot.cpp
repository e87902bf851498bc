// The plot of the time panel: measured times on the left axis, counts on the right one; points that were computed or
// measured, and nothing between them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gui/parts/problems.h"
#include "gui/time/plot_series.h"
#include "gui/time/time_lines.h"
#include "gui/time/time_panel.h"
#include "gui/time/time_sizes.h"
#include "imgui_internal.h"
#include "implot.h"

namespace lanescope::gui {
namespace {

int format_short(double value, char* buffer, int size, void*) {
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%s",
                       short_number(static_cast<std::int64_t>(std::llround(value))).c_str());
}

ImU32 colour_of(const Ui& ui, const Plotted& plotted) {
  return with_alpha(ui.look.role(plotted.role), picture_alpha(ui));
}

void paint_mark(ImDrawList* list, PlotMark mark, ImVec2 c, float r, ImU32 colour) {
  const ImVec2 corners[4] = {
      {c.x, c.y - r * 1.2f}, {c.x + r * 1.2f, c.y}, {c.x, c.y + r * 1.2f}, {c.x - r * 1.2f, c.y}};
  if (mark == PlotMark::circle)
    list->AddCircleFilled(c, r, colour);
  else if (mark == PlotMark::square)
    list->AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour);
  else if (mark == PlotMark::cross)
    for (const float way : {-1.0f, 1.0f})
      list->AddLine({c.x - r, c.y - r * way}, {c.x + r, c.y + r * way}, colour, std::max(1.5f, r * 0.5f));
  else if (mark == PlotMark::open_diamond)
    list->AddPolyline(corners, 4, colour, ImDrawFlags_Closed, std::max(1.0f, r * 0.36f));
  else
    list->AddConvexPolyFilled(corners, 4, colour);
}

void paint(const Ui& ui, const Plotted& plotted) {
  const PlotSeries& series = plotted.series;
  if (series.empty()) return;
  ImPlot::SetAxes(ImAxis_X1, plotted.time ? ImAxis_Y1 : ImAxis_Y2);
  ImDrawList* list = ImPlot::GetPlotDrawList();
  const float thick = std::max(1.0f, ui.px(1.5f));
  const ImU32 colour = colour_of(ui, plotted);
  std::vector<ImVec2> points;
  for (std::size_t i = 0; i < series.x.size(); ++i) points.push_back(ImPlot::PlotToPixels(series.x[i], series.y[i]));
  ImPlot::PushPlotClipRect(ui.px(6));
  const float dot = std::max(0.75f, ui.px(0.9f));
  for (const auto& [x, samples] : plotted.samples)
    for (const double seconds : *samples) {
      const ImVec2 at = ImPlot::PlotToPixels(x, seconds * 1e6);
      list->AddRectFilled({at.x - dot, at.y - dot}, {at.x + dot, at.y + dot}, with_alpha(colour, 0.35f));
    }
  if (series.joined)
    list->AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_None,
                      std::max(1.5f, ui.px(plotted.mark == PlotMark::open_diamond ? 1.25f : 2.0f)));
  if (series.x.size() <= 40)
    for (const ImVec2& at : points)
      paint_mark(list, plotted.mark, at, ui.px(series.x.size() <= 12 ? 3.5f : 2.5f), colour);
  for (std::size_t i = 0; i < series.low.size(); ++i) {
    const ImVec2 a = ImPlot::PlotToPixels(series.x[i], series.low[i]);
    const ImVec2 b = ImPlot::PlotToPixels(series.x[i], series.high[i]);
    if (std::abs(a.y - b.y) < ui.px(2)) continue;  // narrower than the mark
    const float half = ui.px(3);
    list->AddLine(a, b, colour, thick);
    list->AddLine({a.x - half, a.y}, {a.x + half, a.y}, colour, thick);
    list->AddLine({b.x - half, b.y}, {b.x + half, b.y}, colour, thick);
  }
  ImPlot::PopPlotClipRect();
}

// On the ground: a run that failed has no count.
void paint_failed(const Ui& ui, const PlotOver& plot) {
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y2);
  ImPlot::PushPlotClipRect(ui.px(6));
  for (const PlotOver::Failed& one : plot.failed) {
    const ImVec2 ground = ImPlot::PlotToPixels(one.x, 0.0);
    paint_mark(ImPlot::GetPlotDrawList(), PlotMark::cross, {ground.x, ground.y - ui.px(5)},
               ui.px(plot.xs.size() <= 12 ? 4.0f : 3.0f), with_alpha(ui.colours().conflict, picture_alpha(ui)));
  }
  ImPlot::PopPlotClipRect();
}

// Times on the left axis, counts on the right one; without times, counts on the left. No axis without a series.
// `most`: ticks of one axis besides the ground.
void set_up_value_axes(const PlotOver& plot, int most) {
  const ImPlotAxisFlags axis = ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_Lock;
  const ImPlotAxisFlags no_lines = ImPlotAxisFlags_NoGridLines;
  const bool timed = plot.timed();
  ImPlot::SetupAxis(ImAxis_Y1, nullptr, timed ? axis : axis | ImPlotAxisFlags_NoDecorations | no_lines);
  ImPlot::SetupAxis(ImAxis_Y2, nullptr,
                    !plot.counted ? axis | ImPlotAxisFlags_NoDecorations | no_lines
                    : timed       ? axis | ImPlotAxisFlags_Opposite | no_lines
                                  : axis);
  std::vector<double> counts{0, std::ceil(plot.top)};
  if (most > 1) counts.insert(counts.begin() + 1, std::ceil(plot.top) / 2);
  ImPlot::SetupAxisTicks(ImAxis_Y2, counts.data(), static_cast<int>(counts.size()));
  ImPlot::SetupAxisLimits(ImAxis_Y2, 0, plot.top * 1.15, ImPlotCond_Always);
  if (plot.logarithmic_time) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
  ImPlot::SetupAxisLimits(ImAxis_Y1, plot.low_end(), timed ? plot.high_end() : 1, ImPlotCond_Always);
  if (!timed) return;
  const TimeTicks times = plot.ticks(most);
  std::vector<const char*> labels;
  for (const std::string& label : times.labels) labels.push_back(label.c_str());
  ImPlot::SetupAxisTicks(ImAxis_Y1, times.at.data(), static_cast<int>(times.at.size()), labels.data());
}

// `apart`: as named_ticks() takes it.
void set_up_control_axis(const PlotOver& plot, double apart) {
  ImPlot::SetupAxis(
      ImAxis_X1, nullptr,
      ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_Lock | ImPlotAxisFlags_NoGridLines);
  ImPlot::SetupAxisFormat(ImAxis_X1, format_short);
  if (plot.logarithmic) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
  const double lo = plot.xs.front(), hi = plot.xs.back(), span = std::max(hi - lo, 1.0);
  const double ratio = std::pow(std::max(hi / std::max(lo, 1e-9), 1.1), 0.04);
  ImPlot::SetupAxisLimits(ImAxis_X1, plot.logarithmic ? lo / ratio : lo - span * 0.03,
                          plot.logarithmic ? hi * ratio : hi + span * 0.03, ImPlotCond_Always);
  const std::vector<double> x_ticks = named_ticks(plot.xs, plot.logarithmic, apart);
  ImPlot::SetupAxisTicks(ImAxis_X1, x_ticks.data(), static_cast<int>(x_ticks.size()));
}

// Where the learner stands now. A recorded time is that of the size to measure, as in the row above the plot.
void mark_here(const Ui& ui, const PlotOver& plot, double here, double recorded) {
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (const Plotted& one : plot.all)
    for (std::size_t i = 0; i < one.series.x.size(); ++i)
      if (const double at_value = one.mark == PlotMark::open_diamond ? recorded : here; one.series.x[i] == at_value) {
        ImPlot::SetAxes(ImAxis_X1, one.time ? ImAxis_Y1 : ImAxis_Y2);
        const ImVec2 at = ImPlot::PlotToPixels(at_value, one.series.y[i]);
        list->AddCircleFilled(at, ui.px(6), ui.colours().text);
        list->AddCircleFilled(at, ui.px(4), one.time ? ui.colours().panel : colour_of(ui, one));
      }
}

// The value nearest to the pointer.
double value_by_pointer(const PlotOver& plot) {
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y2);
  const double mouse_x = ImPlot::GetPlotMousePos().x;
  return *std::ranges::min_element(plot.xs, {}, [&](double x) {
    return plot.logarithmic ? std::abs(std::log(x / mouse_x)) : std::abs(x - mouse_x);
  });
}

// The place of a point among plot.xs that the arrow keys have reached, while the plot has the focus: it is one stop of
// Tab. They begin at the value on screen.
struct PointByKeys {
  std::optional<double> value;
  bool pressed = false;
};
PointByKeys point_by_keys(const PlotOver& plot, double here, ImVec2 room) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetNextItemAllowOverlap();  // the pointer is the plot's
  const bool pressed = pressable("points", room);
  ImGui::SetCursorScreenPos(at);
  int& reached = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetItemID() + 1, -1);
  if (!ImGui::IsItemFocused() || !ImGui::GetCurrentContext()->NavCursorVisible) {
    reached = -1;
    return {};
  }
  const int last = static_cast<int>(plot.xs.size()) - 1;
  if (reached < 0) reached = static_cast<int>(std::ranges::lower_bound(plot.xs, here) - plot.xs.begin());
  const int way = keys_of_item(ImGuiKey_LeftArrow, ImGuiKey_RightArrow);
  const int end = keys_of_item(ImGuiKey_Home, ImGuiKey_End);
  reached = end < 0 ? 0 : end > 0 ? last : std::clamp(std::min(reached, last) + way, 0, last);
  // The pointer may lie on the plot: what was moved last shows where it is.
  if (way != 0 || end != 0) ImGui::GetCurrentContext()->NavHighlightItemUnderNav = true;
  return {plot.xs[static_cast<std::size_t>(reached)], pressed};
}

// A value's line and what was found there. `by_keys`: beside the line, because the pointer is elsewhere.
void tell_value(const Ui& ui, const PlotOver& plot, const lesson::Control& control, double value, bool by_keys) {
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y2);
  const float line = ImPlot::PlotToPixels(value, 0.0).x;
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  ImPlot::GetPlotDrawList()->AddLine({line, corner.y}, {line, corner.y + size.y}, ui.colours().faint, ui.px(1));
  std::string said;
  for (const Plotted& one : plot.all)
    if (const std::string found = value_at(one, value); !found.empty())
      said += fmt::format("{}{}  {}", said.empty() ? "" : "\n", found, name_with_origin(ui, one));
  if (const PlotOver::Failed* one = plot.has_failed(value))
    said += fmt::format("{}{}\n{}", said.empty() ? "" : "\n", ui.tr(Label::series_failed_here), one->why);
  const bool left = line<corner.x + size.x / 2, above = corner.y> ui.px(180);
  if (by_keys)
    ImGui::SetNextWindowPos({line + ui.px(left ? 12.0f : -12.0f), corner.y + ui.px(above ? -8.0f : 8.0f)},
                            ImGuiCond_Always, {left ? 0.0f : 1.0f, above ? 1.0f : 0.0f});
  show_hint(ui.look, said, fmt::format("{} = {}", ui.name_of(control), grouped(static_cast<std::int64_t>(value))));
}

void paint_lines(const Ui& ui, const PlotOver& plot) {
  if (!plot.timed()) return;
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y1);
  const ImVec2 corner = ImPlot::GetPlotPos();
  for (const auto& [line, name] : plot.lines) {
    const float y = ImPlot::PlotToPixels(plot.xs.front(), line.seconds * 1e6).y;
    if (y >= corner.y && y <= corner.y + ImPlot::GetPlotSize().y)
      paint_line(ui, line.kind, {corner.x, y}, {corner.x + ImPlot::GetPlotSize().x, y});
  }
}

void mark_pin(const Ui& ui, double value) {
  ImPlot::SetAxes(ImAxis_X1, ImAxis_Y2);
  const float x = ImPlot::PlotToPixels(value, 0.0).x;
  const ImVec2 corner = ImPlot::GetPlotPos();
  ImDrawList* list = ImPlot::GetPlotDrawList();
  list->AddLine({x, corner.y}, {x, corner.y + ImPlot::GetPlotSize().y}, ui.colours().accent, std::max(1.0f, ui.px(1)));
  list->AddTriangleFilled({x - ui.px(4), corner.y}, {x + ui.px(4), corner.y}, {x, corner.y + ui.px(6)},
                          ui.colours().accent);
}

// Returns the value that was clicked.
std::optional<std::int64_t> draw_plot(const Ui& ui, const lesson::Control& control, const PlotOver& plot, TimeSize size,
                                      float height) {
  std::optional<std::int64_t> clicked;
  Session& s = ui.session;
  if (plot.xs.empty()) return clicked;
  const UseFont font(ui.look, type::caption);
  const ImPlotFlags flags = ImPlotFlags_NoLegend | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                            ImPlotFlags_NoMouseText | ImPlotFlags_NoTitle | ImPlotFlags_NoFrame;
  const ImVec2 room{ImGui::GetContentRegionAvail().x, height};
  const auto here = static_cast<double>(s.selection.control(control.name));
  const PointByKeys by_keys = point_by_keys(plot, here, room);
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  const bool begun = ImPlot::BeginPlot("##sweep", room, flags);
  ImGui::PopItemFlag();
  if (!begun) return clicked;
  set_up_control_axis(plot, ui.px(56) / std::max(room.x - ui.px(80), ui.px(56)));
  const float names_below = ui.px(24), apart = ui.px(26);
  set_up_value_axes(plot, std::clamp(static_cast<int>((room.y - names_below) / apart), 1, 3));
  paint_lines(ui, plot);
  if (plot.pinned) mark_pin(ui, *plot.pinned);
  for (const Plotted& one : plot.all) paint(ui, one);
  paint_failed(ui, plot);
  const lesson::ControlValues recorded = values_at(s, s.selection.variant(), size);
  mark_here(ui, plot, here, static_cast<double>(recorded.at(control.name)));
  const bool moved_last = by_keys.value && ImGui::GetCurrentContext()->NavHighlightItemUnderNav;
  if (ImPlot::IsPlotHovered() && !moved_last) {
    const double nearest = value_by_pointer(plot);
    tell_value(ui, plot, control, nearest, false);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) clicked = static_cast<std::int64_t>(nearest);
  } else if (by_keys.value) {
    tell_value(ui, plot, control, *by_keys.value, true);
    if (by_keys.pressed) clicked = static_cast<std::int64_t>(*by_keys.value);
  }
  ImPlot::EndPlot();
  return clicked;
}

// What the plot shows, from `x` to `limit`: times, then loads, then stores. Where the full names do not fit, short
// ones, and the counts' origin once behind them; a name that is short or cut is said in full on hover.
void legend(const Ui& ui, float x, float y, float limit, const PlotOver& plot) {
  const std::vector<Plotted>& all = plot.all;
  struct Entry {
    PlotMark mark;
    ImU32 colour;
    std::string name, short_name;
  };
  std::vector<Entry> shown;
  const auto list_one = [&](const Plotted& one) {
    const std::string value = plot.pinned ? value_at(one, *plot.pinned) : std::string();
    if (one.series.empty() || (plot.pinned && value.empty())) return;
    const std::string lead = value.empty() ? "" : value + " ";
    shown.push_back({one.mark, colour_of(ui, one), lead + name_with_origin(ui, one),
                     one.short_name.empty() ? "" : lead + one.short_name});
  };
  for (const Plotted& one : all)
    if (one.time) list_one(one);
  for (auto one = all.rbegin(); one != all.rend(); ++one)  // counts come with the loads last, to lie over the stores
    if (!one->time) list_one(*one);
  if (plot.pinned ? plot.has_failed(*plot.pinned) != nullptr : !plot.failed.empty())
    shown.push_back({PlotMark::cross, with_alpha(ui.colours().conflict, picture_alpha(ui)), failed_name(ui, plot),
                     ui.tr(Label::series_failed)});
  const auto width = [&](const std::string& name) { return ui.look.measure(type::caption, name).x; };
  float wanted = -ui.px(14);
  for (const Entry& one : shown) wanted += ui.px(28) + width(one.name);
  const bool narrow = wanted > limit - x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const auto& [mark, colour, full_name, short_name] : shown) {
    if (limit - x < ui.px(14)) return;
    const std::string& name = narrow && !short_name.empty() ? short_name : full_name;
    paint_mark(list, mark, {x + ui.px(4), y}, ui.px(4), colour);
    const float room = std::max(1.0f, limit - x - ui.px(14));
    const float used = draw_text(list, ui.look, type::caption, plot.pinned ? ui.colours().text : ui.colours().dim,
                                 {x + ui.px(14), y}, name, HAlign::left, room);
    const float end = x + ui.px(14) + used;
    if ((narrow || width(name) > room) && ImGui::IsMouseHoveringRect({x, y - ui.px(9)}, {end, y + ui.px(9)}))
      show_hint(ui.look, full_name);
    x = end + ui.px(narrow ? 8.0f : 14.0f);
  }
  const bool sampled = std::ranges::any_of(all, [](const Plotted& one) { return !one.samples.empty(); });
  if (const std::string samples = ui.tr(Label::series_samples); sampled && x + ui.px(12) + width(samples) <= limit) {
    const float r = std::max(0.75f, ui.px(1.0f));
    for (const float dy : {-4.0f, 0.0f, 4.0f})
      list->AddRectFilled({x + ui.px(4) - r, y + ui.px(dy) - r}, {x + ui.px(4) + r, y + ui.px(dy) + r},
                          with_alpha(ui.colours().text, 0.5f));
    x += ui.px(12) + draw_text(list, ui.look, type::caption, ui.colours().dim, {x + ui.px(12), y}, samples) + ui.px(14);
  }
  const std::string origin = ui.tr(Label::interpreted);
  if (narrow && plot.counted && x + width(origin) <= limit)
    draw_text(list, ui.look, type::caption, ui.colours().dim, {x, y}, origin);
}

// ▶ measures the control's values on the learner's GPU, ■ stops it.
float measure_button(const Ui& ui, const std::string& control, float right, float centre) {
  Session& s = ui.session;
  const gpu::Device* device = s.runs.gpus().chosen();
  if (device == nullptr || !s.runs.shows_whole()) return 0;
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

// "stride = 8:" at the cursor, and the cross that lets it go, its right edge at `right`; returns the width of the
// former.
float TimePanel::pin_of_plot(const Ui& ui, const lesson::Control& control, float right, float centre) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string said = fill_in(ui.tr(Label::pinned_point), ui.name_of(control), grouped(pinned_->value));
  const float used =
      draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption_strong, ui.colours().accent, {at.x, centre}, said);
  ImGui::SetCursorScreenPos({right - ui.px(20), centre - ui.px(10)});
  if (icon_button(ui.look, "unpin point", Icon::close, ui.tr(Label::pin_close), true, 20)) unpin();
  return used + ui.px(8);
}

void TimePanel::plot_with_legend(const Ui& ui, bool tight) {
  Session& s = ui.session;
  if (s.selection.controls().empty() || s.runs.shown() == nullptr ||
      ImGui::GetContentRegionAvail().y < ui.px(tight ? 60.0f : 80.0f))
    return;
  const lesson::Control* of = plotted_over(ui);
  if (of == nullptr) return;
  const std::string& chosen = of->name;
  const TimeSize at_size = size(ui);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + ui.px(9), right = at.x + ImGui::GetContentRegionAvail().x;
  float limit = right;
  if (at_size == TimeSize::look) limit -= measure_button(ui, chosen, limit, y);
  PlotOver plot = plot_over(ui, *of, series_of(ui, *of, at_size));
  const std::string id = s.selection.lesson().id + "/" + s.selection.variant().id;
  if (pinned_ && pinned_->plot == id && pinned_->control == chosen &&
      std::ranges::binary_search(plot.xs, static_cast<double>(pinned_->value)))
    plot.pinned = static_cast<double>(pinned_->value);
  legend(ui, at.x + (plot.pinned ? pin_of_plot(ui, *of, limit, y) : 0), y, limit - (plot.pinned ? ui.px(24) : 0), plot);
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
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  if (plot.timed() && !of->is_size() && room.y > ui.px(96))
    plot.lines = named_lines(ui, lines_beside(s, at_size, {}), room.x);
  const bool with_lines = !plot.lines.empty();
  // A click on a value goes there: its access picture opens.
  if (const auto value = draw_plot(ui, *of, plot, at_size, with_lines ? room.y - ui.px(16) : room.y)) {
    pinned_ = PinnedPoint{id, chosen, *value};
    s.selection.set_control(chosen, *value);
    s.runs.run_if_needed();
  }
  if (with_lines) lines_legend(ui, at.x, from.y + room.y - ui.px(8), plot.lines);
}

}  // namespace lanescope::gui
