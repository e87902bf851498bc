// The plot on screen as a drawing, of a size that does not depend on the panel's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/time/plot_series.h"
#include "gui/time/time_panel.h"

namespace lanescope::gui {
namespace {

using diagram::Align;
using diagram::Pattern;
using diagram::Scene;

constexpr float drawing_width = 720, drawing_row = 24, drawing_text = 12;

void put_text(Scene& scene, float x, float y, std::string text, Role role, Align align,
              diagram::Face face = diagram::Face::sans) {
  diagram::Label label{x, y, drawing_text, align, face, role};
  label.text = std::move(text);
  scene.labels.push_back(std::move(label));
}

void put_mark(Scene& scene, float x, float y, PlotMark how, Role role, float radius = 4) {
  const bool round = how == PlotMark::circle;
  diagram::Rect rect{x - radius, y - radius, 2 * radius, 2 * radius, round ? radius : 1, role};
  if (how == PlotMark::open_diamond) rect.pattern = Pattern::outline;
  scene.rects.push_back(rect);
}

Role role_of(TimeLine::Kind kind) {
  return kind == TimeLine::Kind::library ? Role::better : kind == TimeLine::Kind::peak ? Role::accent : Role::dim;
}

// What, of which size, and from which GPU.
Scene titled(const Ui& ui, const std::string& what, const std::string& size) {
  const Session& s = ui.session;
  Scene scene;
  scene.width = drawing_width;
  scene.language = ui.window.settings.language;
  scene.title = ui.say_plain(s.selection.lesson().title) + " · " + what;
  const job::LessonRecording* recording = s.recordings.recording();
  const std::string origin =
      recording == nullptr ? "" : fill_in(ui.tr(Label::recorded_on), ui.told(recording->label()));
  scene.subtitle = size + (size.empty() || origin.empty() ? "" : " · ") + origin;
  return scene;
}

// The reference lines, across `from` to `to`, and their names below each other; returns where these end.
float name_lines(const Ui& ui, Scene& scene, const std::vector<TimeLine>& lines, float y) {
  for (const NamedLine& named : named_lines(ui, lines, 1e6f)) {
    scene.lines.push_back({0, y, 12, y, 1.5f, role_of(named.line.kind)});
    put_text(scene, 18, y, named.name, Role::dim, Align::left);
    y += 18;
  }
  return y;
}

// A row for each variant: a bar as long as its median, its interval, and its figures.
Scene drawing_of_variants(const Ui& ui, TimeSize size) {
  const Session& s = ui.session;
  const std::vector<VariantTime> all = variants_beside(s, size);
  Scene scene = titled(ui, ui.tr(Label::over_variants), size_text(ui, values_at(s, s.selection.variant(), size)));
  const std::vector<TimeLine> lines = lines_beside(s, size, all);
  constexpr float x0 = 170, x1 = 470;
  double top = 0;
  for (const VariantTime& one : all)
    if (one.timed()) top = std::max(top, one.run->timing->seconds.high);
  for (const TimeLine& line : lines) top = std::max(top, line.seconds);
  const auto x_of = [&](double seconds) { return x0 + static_cast<float>(seconds / top) * (x1 - x0); };
  float y = drawing_row / 2;
  for (const VariantTime& one : all) {
    if (!one.timed()) continue;
    const metrics::Interval& seconds = one.run->timing->seconds;
    put_text(scene, 0, y, ui.say_plain(s.selection.lesson().variants[one.variant].title), Role::text, Align::left);
    scene.rects.push_back({x0, y - 7, x_of(seconds.median) - x0, 14, 2, Role::executed, Pattern::solid, 0, 0.5f});
    scene.lines.push_back({x_of(seconds.low), y, x_of(seconds.high), y, 3, Role::wasted});
    scene.lines.push_back({x_of(seconds.median), y - 8, x_of(seconds.median), y + 8, 2, Role::text});
    put_text(scene, x1 + 100, y, time_with_spread(seconds), Role::text, Align::right, diagram::Face::mono);
    const double peak = s.recordings.recording()->device.peak_bandwidth(), rate = one.bandwidth();
    if (rate > 0)
      put_text(scene, drawing_width, y, rate_text(rate) + (peak > 0 ? " · " + share_text(rate / peak) : ""), Role::dim,
               Align::right, diagram::Face::mono);
    y += drawing_row;
  }
  for (const TimeLine& line : lines)
    scene.lines.push_back({x_of(line.seconds), 2, x_of(line.seconds), y - drawing_row / 2, 1.5f, role_of(line.kind)});
  scene.height = name_lines(ui, scene, lines, y + 4);
  return scene;
}

// Where the points of a plot over a control lie.
struct PlotRoom {
  const PlotOver& plot;
  static constexpr float x0 = 70, x1 = drawing_width - 60, y0 = 10, y1 = 240;
  double place(double value) const { return plot.logarithmic ? std::log(value) : value; }
  float x(double value) const {
    const double lo = place(plot.xs.front()), span = std::max(place(plot.xs.back()) - lo, 1e-9);
    return x0 + 10 + static_cast<float>((place(value) - lo) / span) * (x1 - x0 - 20);
  }
  float y(double value, bool time) const {
    return y1 - static_cast<float>(value / ((time ? plot.top_time : plot.top) * 1.12)) * (y1 - y0);
  }
};

void draw_series(Scene& scene, const PlotRoom& room, const Plotted& one) {
  const PlotSeries& series = one.series;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const float x = room.x(series.x[i]), y = room.y(series.y[i], one.time);
    if (i > 0 && series.joined)
      scene.lines.push_back(
          {room.x(series.x[i - 1]), room.y(series.y[i - 1], one.time), x, y, one.time ? 1.25f : 2.0f, one.role});
    if (i < series.low.size())
      scene.lines.push_back({x, room.y(series.low[i], true), x, room.y(series.high[i], true), 1, one.role});
    put_mark(scene, x, y, one.mark, one.role);
  }
}

Scene drawing_over(const Ui& ui, const lesson::Control& control, TimeSize size) {
  const Session& s = ui.session;
  PlotOver plot = plot_over(control, series_of(ui, control, size));
  Scene scene = titled(
      ui, ui.say_plain(s.selection.variant().title) + " · " + fill_in(ui.tr(Label::over_control), ui.name_of(control)),
      control.is_size() ? "" : size_text(ui, values_at(s, s.selection.variant(), size)));
  if (plot.xs.empty()) return scene;
  const PlotRoom room{plot};
  const auto axis = [&](float y, const std::string& left, const std::string& right) {
    scene.lines.push_back({PlotRoom::x0, y, PlotRoom::x1, y, 1, Role::line});
    put_text(scene, PlotRoom::x0 - 8, y, left, Role::dim, Align::right, diagram::Face::mono);
    if (!right.empty()) put_text(scene, PlotRoom::x1 + 8, y, right, Role::dim, Align::left, diagram::Face::mono);
  };
  if (plot.timed()) {
    const TimeTicks ticks = time_ticks(plot.top_time, 4);
    for (std::size_t i = 0; i < ticks.at.size(); ++i) axis(room.y(ticks.at[i], true), ticks.labels[i], {});
  }
  if (plot.counted)
    for (const double at : {0.0, std::ceil(plot.top)}) {
      const std::string name = short_number(static_cast<std::int64_t>(at));
      plot.timed()
          ? put_text(scene, PlotRoom::x1 + 8, room.y(at, false), name, Role::dim, Align::left, diagram::Face::mono)
          : axis(room.y(at, false), name, {});
    }
  for (const double x : named_ticks(plot.xs, plot.logarithmic, 0.08))
    put_text(scene, room.x(x), PlotRoom::y1 + 16, short_number(static_cast<std::int64_t>(std::llround(x))), Role::dim,
             Align::centre, diagram::Face::mono);
  const std::vector<TimeLine> lines =
      plot.timed() && !control.is_size() ? lines_beside(s, size, {}) : std::vector<TimeLine>();
  for (const TimeLine& line : lines)
    scene.lines.push_back({PlotRoom::x0, room.y(line.seconds * 1e6, true), PlotRoom::x1,
                           room.y(line.seconds * 1e6, true), 1.5f, role_of(line.kind)});
  for (const Plotted& one : plot.all) draw_series(scene, room, one);
  float y = PlotRoom::y1 + 40;
  for (const Plotted& one : plot.all) {
    if (one.series.empty()) continue;
    put_mark(scene, 6, y, one.mark, one.role);
    put_text(scene, 18, y, one.name, Role::dim, Align::left);
    y += 18;
  }
  scene.height = name_lines(ui, scene, lines, y);
  return scene;
}

}  // namespace

diagram::Scene TimePanel::drawing(const Ui& ui) {
  const Session& s = ui.session;
  const std::string& chosen = over(ui);
  if (chosen.empty() && s.recordings.recording() != nullptr) return drawing_of_variants(ui, size(ui));
  const lesson::Control* control = chosen.empty() ? s.selection.lesson().time_control(s.selection.variant())
                                                  : s.selection.lesson().find_control(chosen);
  return control == nullptr || s.runs.shown() == nullptr ? diagram::Scene{} : drawing_over(ui, *control, size(ui));
}

}  // namespace lanescope::gui
