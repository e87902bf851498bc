#include "gui/time/plot_series.h"

#include <algorithm>
#include <cmath>

#include "core/worded.h"
#include "gui/kit/widgets.h"
#include "gui/parts/problems.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {
namespace {

using trace::MemoryClass;

struct Series {
  MemoryClass memory_class;
  bool shared;
  Label name, short_name;
  const char* id;
};
constexpr Series all_series[] = {{MemoryClass::global_load, false, Label::series_global_load,
                                  Label::series_global_load_short, "sectors_per_global_load"},
                                 {MemoryClass::global_store, false, Label::series_global_store,
                                  Label::series_store_short, "sectors_per_global_store"},
                                 {MemoryClass::shared_load, true, Label::series_shared_load,
                                  Label::series_shared_load_short, "wavefronts_per_shared_load"},
                                 {MemoryClass::shared_store, true, Label::series_shared_store,
                                  Label::series_store_short, "wavefronts_per_shared_store"}};

// What this run has most to say about: sectors of its global accesses, else wavefronts of its shared ones. A kernel
// that waits for banks shows the banks.
bool shows_banks(const RunResult& result) {
  const trace::Totals& t = result.outcome.first().trace.totals;
  const std::uint64_t conflicts =
      t.of(MemoryClass::shared_load).bank_conflicts() + t.of(MemoryClass::shared_store).bank_conflicts();
  return conflicts > 0 || (t.of(MemoryClass::global_load).requests == 0 && t.of(MemoryClass::shared_load).requests > 0);
}

}  // namespace

std::vector<double> named_ticks(const std::vector<double>& shown, bool logarithmic, double apart) {
  const auto place = [&](double x) { return logarithmic ? std::log(x) : x; };
  const double span = std::max(place(shown.back()) - place(shown.front()), 1e-9);
  const auto free = [&](double x, double other) { return std::abs(place(x) - place(other)) / span >= apart; };
  // Where there is each whole number, round ones: 1, 8, 16, 24, 32 rather than 1, 7, 13, 19, 25, 31.
  double step = 1;
  const bool dense = !logarithmic && shown.size() > 12 && shown[1] - shown[0] == 1;
  while (dense && step / span < apart) step *= 2;
  std::vector<double> named{shown.front()};
  for (const double x : shown)
    if (free(x, named.back()) && (!dense || std::fmod(x, step) == 0)) named.push_back(x);
  if (dense && free(shown.back(), named.back())) named.push_back(shown.back());
  return named;
}

std::vector<Plotted> series_of(const Ui& ui, const lesson::Control& control, TimeSize size) {
  Session& s = ui.session;
  const Sweep& sweep = s.details.sweep(control.name);
  const bool banks = shows_banks(*s.runs.shown());
  const Series* counted[2] = {&all_series[banks ? 2 : 0], &all_series[banks ? 3 : 1]};
  std::vector<Plotted> all;
  for (int k = 1; k >= 0; --k)
    all.push_back({per_request(sweep, control, counted[k]->memory_class, counted[k]->shared),
                   ui.tr(counted[k]->name),
                   ui.tr(counted[k]->short_name),
                   k == 0 ? Role::wasted : Role::executed,
                   k == 0 ? PlotMark::circle : PlotMark::square,
                   false,
                   {},
                   counted[k]->id,
                   "interpreted"});
  if (const job::LessonRecording* recording = s.recordings.recording()) {
    const RunKey& key = s.runs.shown()->key;
    const auto runs = recording->sweep(
        key.variant, control.name,
        size == TimeSize::look ? key.controls : s.selection.lesson().at_full_size(key.controls), key.text_to_record());
    all.push_back({measured(runs, control),
                   ui.tr(Label::series_time),
                   ui.tr(Label::series_time_short),
                   Role::dim,
                   PlotMark::open_diamond,
                   true,
                   {},
                   "seconds",
                   "recorded"});
    for (const job::RecordedRun* run : runs)
      all.back().samples.emplace_back(static_cast<double>(run->controls.at(control.name)), &run->timing->samples);
  }
  if (size != TimeSize::look && !control.is_size())
    return all;  // what the learner's own GPU measured is of another size
  if (const GpuSweep* own = s.runs.gpu_sweep(control.name))
    all.push_back({measured(*own, control),
                   fill_in(ui.tr(Label::series_time_here), own->device.name),
                   {},
                   Role::text,
                   PlotMark::diamond,
                   true,
                   {},
                   "seconds",
                   own->device.name});
  else if (const GpuResult* one = s.runs.gpu(); one != nullptr && one->timing && !s.runs.gpu_stale()) {
    GpuSweep alone;  // the run on screen is a point of its own
    alone.points.push_back({s.runs.shown()->key.controls.at(control.name), *one->timing});
    all.push_back({measured(alone, control),
                   fill_in(ui.tr(Label::series_time_here), one->device.name),
                   {},
                   Role::text,
                   PlotMark::diamond,
                   true,
                   {},
                   "seconds",
                   one->device.name});
  }
  return all;
}

const PlotOver::Failed* PlotOver::has_failed(double x) const {
  const auto at = std::ranges::find(failed, x, &Failed::x);
  return at == failed.end() ? nullptr : &*at;
}

double PlotOver::low_end() const {
  double least = least_time;
  for (const NamedLine& one : lines) least = std::min(least, one.line.seconds * 1e6);
  return logarithmic_time ? least / 1.5 : 0;
}

TimeTicks PlotOver::ticks(int most) const {
  return logarithmic_time ? logarithmic_ticks(low_end(), high_end(), most) : time_ticks(top_time, most);
}

PlotOver plot_over(const Ui& ui, const lesson::Control& control, std::vector<Plotted> all) {
  PlotOver plot{.all = std::move(all)};
  for (const Plotted& one : plot.all) {
    double& top = one.time ? plot.top_time : plot.top;
    for (const double y : one.series.y) {
      top = std::max(top, y);
      if (one.time) plot.least_time = plot.least_time == 0 ? y : std::min(plot.least_time, y);
    }
    plot.counted |= !one.time && !one.series.empty();
    for (const double y : one.series.high) plot.top_time = std::max(plot.top_time, y);
    plot.xs.insert(plot.xs.end(), one.series.x.begin(), one.series.x.end());
  }
  const Sweep& sweep = ui.session.details.sweep(control.name);
  for (const Sweep::Point& point : sweep.points)
    if (!point.ok) {
      plot.failed.push_back(
          {static_cast<double>(point.value), point.problem ? plain_texts(ui, *point.problem).what : ""});
      plot.xs.push_back(plot.failed.back().x);
    }
  plot.ended_early = sweep.ended_early();
  std::ranges::sort(plot.xs);
  plot.xs.erase(std::unique(plot.xs.begin(), plot.xs.end()), plot.xs.end());
  plot.logarithmic = control.logarithmic && !plot.xs.empty() && plot.xs.front() > 0;
  constexpr double alike = 4;
  plot.logarithmic_time = plot.logarithmic && plot.least_time > 0 && plot.top_time > alike * plot.least_time;
  if (plot.logarithmic_time)
    for (Plotted& one : plot.all)
      if (one.time) {
        one.name = ui.told(worded("{}, logarithmic", one.name));
        if (!one.short_name.empty()) one.short_name = ui.told(worded("{} (log)", one.short_name));
      }
  return plot;
}

std::string name_with_origin(const Ui& ui, const Plotted& of) {
  return of.time ? of.name : ui.told(worded("{}, interpreted", of.name));
}

std::string failed_name(const Ui& ui, const PlotOver& plot) {
  return ui.tr(plot.ended_early ? Label::series_failed_all : Label::series_failed);
}

std::string value_at(const Plotted& of, double x) {
  for (std::size_t i = 0; i < of.series.x.size(); ++i)
    if (of.series.x[i] == x) return of.time ? time_text(of.series.y[i] * 1e-6) : number_text(of.series.y[i], "");
  return {};
}

}  // namespace lanescope::gui
