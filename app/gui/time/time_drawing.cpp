// The plot on screen as a drawing, of a size that does not depend on the panel's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/worded.h"
#include "gui/time/plot_series.h"
#include "gui/time/time_panel.h"
#include "gui/time/time_scale.h"

namespace lanescope::gui {
namespace {

using diagram::Align;
using diagram::Pattern;
using diagram::Scene;

constexpr float drawing_width = 720, drawing_row = 24, drawing_text = 12, legend_row = 18;

void put_text(Scene& scene, float x, float y, std::string text, Role role, Align align,
              diagram::Face face = diagram::Face::sans) {
  diagram::Label label{x, y, drawing_text, align, face, role};
  label.text = std::move(text);
  scene.labels.push_back(std::move(label));
}

void put_mark(Scene& scene, float x, float y, PlotMark how, Role role, float radius = 4) {
  if (how == PlotMark::circle || how == PlotMark::square) {
    const float corner = how == PlotMark::circle ? radius : 1;
    scene.rects.push_back({x - radius, y - radius, 2 * radius, 2 * radius, corner, role});
    return;
  }
  if (how == PlotMark::cross) {
    for (const float way : {-1.0f, 1.0f})
      scene.lines.push_back({x - radius, y - radius * way, x + radius, y + radius * way, 1.75f, role});
    return;
  }
  const float reach = radius * 1.2f;
  const float corners[5][2] = {{x, y - reach}, {x + reach, y}, {x, y + reach}, {x - reach, y}, {x, y - reach}};
  for (int i = 0; i < 4; ++i)
    scene.lines.push_back({corners[i][0], corners[i][1], corners[i + 1][0], corners[i + 1][1], 1.25f, role});
  if (how == PlotMark::diamond)
    scene.rects.push_back({x - radius * 0.6f, y - radius * 0.6f, radius * 1.2f, radius * 1.2f, 0, role});
}

Role role_of_line(TimeLine::Kind kind) {
  return kind == TimeLine::Kind::library ? Role::better : kind == TimeLine::Kind::peak ? Role::accent : Role::dim;
}

// As on screen, a line of each kind looks different.
void put_line(Scene& scene, TimeLine::Kind kind, float x0, float y0, float x1, float y1) {
  const float length = std::max(x1 - x0, y1 - y0), off = 3;
  const float on = kind == TimeLine::Kind::empty_launch ? length : kind == TimeLine::Kind::library ? 5 : 2;
  for (float at = 0; at < length; at += on + off) {
    const float from = at / length, to = std::min(at + on, length) / length;
    scene.lines.push_back({x0 + (x1 - x0) * from, y0 + (y1 - y0) * from, x0 + (x1 - x0) * to, y0 + (y1 - y0) * to, 1.5f,
                           role_of_line(kind)});
  }
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

// The names of the reference lines, below each other, the first one at `y`; returns where they end.
float name_lines(const Ui& ui, Scene& scene, const std::vector<TimeLine>& lines, float y) {
  for (const NamedLine& named : named_lines(ui, lines, 1e6f)) {
    put_line(scene, named.line.kind, 0, y, 12, y);
    put_text(scene, 18, y, named.name, Role::dim, Align::left);
    y += legend_row;
  }
  return y - legend_row / 2;
}

// Where the bars of the variants and the figures beside them stand.
struct BarsRoom {
  TimeScale scale;
  static constexpr float x0 = 150, x1 = 400, time = 550, rate = 650, share = drawing_width;
  float x(double seconds) const { return x0 + static_cast<float>(scale.part(seconds)) * (x1 - x0); }
};

// A bar from 0 to the median, unless there is no 0; every sample; the interval; and the figures.
void draw_bar(const Ui& ui, Scene& scene, const BarsRoom& room, const VariantTime& one, float y) {
  const Session& s = ui.session;
  const metrics::Interval& seconds = one.run->timing->seconds;
  const lesson::Variant& variant = s.selection.lesson().variants[one.variant];
  const std::string hidden = hidden_values_text(ui, variant, true), name = ui.say_plain(variant.title);
  put_text(scene, 0, y, hidden.empty() ? name : name + " · " + hidden, Role::text, Align::left);
  if (!room.scale.logarithmic)
    scene.rects.push_back(
        {BarsRoom::x0, y - 7, room.x(seconds.median) - BarsRoom::x0, 14, 2, Role::executed, Pattern::solid, 0, 0.5f});
  const std::vector<double>& samples = one.run->timing->samples;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    scene.rects.push_back({room.x(samples[i]) - 0.75f, y + 5.5f * sample_offset(i) - 0.75f, 1.5f, 1.5f, 0, Role::text,
                           Pattern::solid, 0, 0.28f});
  }
  scene.lines.push_back({room.x(seconds.low), y, room.x(seconds.high), y, 3, Role::wasted});
  scene.lines.push_back({room.x(seconds.median), y - 8, room.x(seconds.median), y + 8, 2, Role::text});
  const auto figure = [&](float x, const std::string& text, Role role) {
    put_text(scene, x, y, text, role, Align::right, diagram::Face::mono);
  };
  figure(BarsRoom::time, time_with_spread(seconds), Role::text);
  const double peak = s.recordings.recording()->device.peak_bandwidth(), rate = one.bandwidth();
  if (rate > 0) figure(BarsRoom::rate, rate_text(rate), Role::dim);
  if (rate > 0 && peak > 0) figure(BarsRoom::share, share_text(rate / peak), Role::dim);
}

// A row for each variant, and below them the axis, what the figures are, and the reference lines.
Scene drawing_of_variants(const Ui& ui, TimeSize size) {
  const Session& s = ui.session;
  const std::vector<VariantTime> all = variants_beside(s, size);
  Scene scene = titled(ui, ui.tr(Label::over_variants), size_text(ui, values_at(s, s.selection.variant(), size)));
  const std::vector<TimeLine> lines = lines_beside(s, size, all);
  const BarsRoom room{scale_for(all, lines)};
  float y = drawing_row / 2;
  for (const VariantTime& one : all) {
    if (!one.timed()) continue;
    draw_bar(ui, scene, room, one, y);
    y += drawing_row;
  }
  const float bottom = y - drawing_row / 2;
  for (const TimeLine& line : lines)
    if (line.seconds >= room.scale.low)
      put_line(scene, line.kind, room.x(line.seconds), 2, room.x(line.seconds), bottom);
  y = bottom + 12;
  for (const auto& [seconds, name] : room.scale.ticks()) {
    scene.lines.push_back({room.x(seconds), bottom, room.x(seconds), bottom + 4, 1, Role::faint});
    put_text(scene, room.x(seconds), y, name, Role::dim, Align::centre, diagram::Face::mono);
  }
  if (room.scale.logarithmic) put_text(scene, 0, y, ui.tr(Label::time_axis_log), Role::dim, Align::left);
  put_text(scene, BarsRoom::time, y, ui.told(worded("median")), Role::dim, Align::right);
  put_text(scene, BarsRoom::rate, y, ui.told(worded("bandwidth")), Role::dim, Align::right);
  put_text(scene, BarsRoom::share, y, ui.told(worded("of peak")), Role::dim, Align::right);
  scene.height = name_lines(ui, scene, lines, y + 22);
  return scene;
}

// Where the points of a plot over a control lie.
struct PlotRoom {
  const PlotOver& plot;
  static constexpr float x0 = 70, x1 = drawing_width - 60, y0 = 10, y1 = 240;
  static constexpr double above = 1.12;  // of the highest count, so that its mark has room
  double place(double value) const { return plot.logarithmic ? std::log(value) : value; }
  float x(double value) const {
    const double lo = place(plot.xs.front()), span = std::max(place(plot.xs.back()) - lo, 1e-9);
    return x0 + 10 + static_cast<float>((place(value) - lo) / span) * (x1 - x0 - 20);
  }
  float y(double value, bool time) const {
    if (time && plot.logarithmic_time)
      return y1 - static_cast<float>(std::log(value / plot.low_end()) / std::log(plot.high_end() / plot.low_end())) *
                      (y1 - y0);
    return y1 - static_cast<float>(value / (time ? plot.high_end() : plot.top * above)) * (y1 - y0);
  }
};

void draw_series(Scene& scene, const PlotRoom& room, const Plotted& one) {
  const PlotSeries& series = one.series;
  for (const auto& [value, samples] : one.samples)
    for (const double seconds : *samples)
      if (seconds * 1e6 < room.plot.high_end() && seconds * 1e6 >= room.plot.low_end())
        scene.rects.push_back({room.x(value) - 0.75f, room.y(seconds * 1e6, true) - 0.75f, 1.5f, 1.5f, 0, one.role,
                               Pattern::solid, 0, 0.35f});
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
  PlotOver plot = plot_over(ui, control, series_of(ui, control, size));
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
    const TimeTicks ticks = plot.ticks(4);
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
    put_line(scene, line.kind, PlotRoom::x0, room.y(line.seconds * 1e6, true), PlotRoom::x1,
             room.y(line.seconds * 1e6, true));
  for (const Plotted& one : plot.all) draw_series(scene, room, one);
  for (const PlotOver::Failed& one : plot.failed)
    put_mark(scene, room.x(one.x), PlotRoom::y1 - 5, PlotMark::cross, Role::conflict, 3);
  float y = PlotRoom::y1 + 40;
  for (const Plotted& one : plot.all) {
    if (one.series.empty()) continue;
    put_mark(scene, 6, y, one.mark, one.role);
    put_text(scene, 18, y, name_with_origin(ui, one), Role::dim, Align::left);
    y += legend_row;
  }
  if (!plot.failed.empty()) {
    put_mark(scene, 6, y, PlotMark::cross, Role::conflict);
    put_text(scene, 18, y, failed_name(ui, plot), Role::dim, Align::left);
    y += legend_row;
  }
  scene.height = name_lines(ui, scene, lines, y);
  return scene;
}

}  // namespace

const lesson::Control* TimePanel::plotted_over(const Ui& ui) {
  const Session& s = ui.session;
  if (const std::string& chosen = over(ui); !chosen.empty()) return s.selection.lesson().find_control(chosen);
  // Without a recording there is nothing to lay side by side: the lesson's own control has the counts.
  return s.recordings.recording() != nullptr ? nullptr : s.selection.lesson().time_control(s.selection.variant());
}

diagram::Scene TimePanel::drawing(const Ui& ui) {
  const Session& s = ui.session;
  const lesson::Control* control = plotted_over(ui);
  if (control == nullptr && s.recordings.recording() != nullptr) return drawing_of_variants(ui, size(ui));
  return control == nullptr || s.runs.shown() == nullptr ? diagram::Scene{} : drawing_over(ui, *control, size(ui));
}

}  // namespace lanescope::gui
