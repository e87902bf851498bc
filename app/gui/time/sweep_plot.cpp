#include "gui/time/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/worded.h"
#include "gui/kit/widgets.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

std::uint64_t legal_count(const lesson::Control& c) {
  if (!c.choices.empty()) return c.choices.size();
  return static_cast<std::uint64_t>(c.max - c.min) / static_cast<std::uint64_t>(std::max<std::int64_t>(c.step, 1)) + 1;
}

PlotSeries per_request(const Sweep& sweep, const lesson::Control& control, trace::MemoryClass memory_class,
                       bool wavefronts) {
  PlotSeries series;
  for (const Sweep::Point& point : sweep.points) {
    const trace::MemoryTotals& m = point.totals.of(memory_class);
    if (!point.ok || m.requests == 0) continue;
    series.x.push_back(static_cast<double>(point.value));
    series.y.push_back(static_cast<double>(wavefronts ? m.wavefronts : m.sectors) / static_cast<double>(m.requests));
  }
  series.joined = series.x.size() == legal_count(control);
  return series;
}

PlotSeries measured(const std::vector<const job::RecordedRun*>& runs, const lesson::Control& control) {
  constexpr double micro = 1e6;
  PlotSeries series;
  for (const job::RecordedRun* run : runs) {
    const auto value = run->controls.find(control.name);
    if (!run->timing || value == run->controls.end()) continue;
    series.x.push_back(static_cast<double>(value->second));
    series.y.push_back(run->timing->seconds.median * micro);
    series.low.push_back(run->timing->seconds.low * micro);
    series.high.push_back(run->timing->seconds.high * micro);
  }
  series.joined = series.x.size() == legal_count(control);
  return series;
}

PlotSeries measured(const GpuSweep& sweep, const lesson::Control& control) {
  constexpr double micro = 1e6;
  PlotSeries series;
  for (const GpuSweep::Point& point : sweep.points) {
    series.x.push_back(static_cast<double>(point.value));
    series.y.push_back(point.timing.seconds.median * micro);
    series.low.push_back(point.timing.seconds.low * micro);
    series.high.push_back(point.timing.seconds.high * micro);
  }
  series.joined = series.x.size() == legal_count(control);
  return series;
}

TimeTicks time_ticks(double top, int most) {
  if (!(top > 0) || most < 1) return {{0}, {"0"}};
  struct Unit {
    double microseconds;
    const char* name;
  };
  constexpr Unit units[] = {{1e6, "s"}, {1e3, "ms"}, {1, "µs"}, {1e-3, "ns"}};
  const Unit* unit =
      std::find_if(std::begin(units), std::end(units) - 1, [&](const Unit& u) { return top >= u.microseconds; });
  const double highest = top / unit->microseconds;
  const double power = std::pow(10.0, std::floor(std::log10(highest)) - 1);
  double step = 0;
  for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
    if (factor * power > highest) break;
    step = factor * power;
    if (highest / step < most + 1) break;
  }
  TimeTicks ticks{{0}, {"0"}};
  for (int i = 1; i <= most && step * i <= highest * (1 + 1e-9); ++i) {
    ticks.at.push_back(step * i * unit->microseconds);
    ticks.labels.push_back(fmt::format("{:g} {}", step * i, unit->name));
  }
  return ticks;
}

std::string round_time(double us) {
  return us < 999     ? fmt::format("{:g} µs", us)
         : us < 999e3 ? fmt::format("{:g} ms", us * 1e-3)
                      : fmt::format("{:g} s", us * 1e-6);
}

TimeTicks logarithmic_ticks(double low, double high, int most) {
  TimeTicks ticks, best;
  for (const std::vector<double>& factors : {std::vector{1.0, 2.0, 5.0}, {1.0, 3.0}, {5.0}, {2.0}, {1.0}}) {
    ticks = {};
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10)
      for (const double factor : factors)
        if (factor * power >= low && factor * power <= high)
          ticks.at.push_back(factor * power), ticks.labels.push_back(round_time(factor * power));
    const bool powers = factors.front() == 1 && factors.size() == 1;
    if (ticks.at.size() <= static_cast<std::size_t>(most) &&
        (ticks.at.size() > best.at.size() || (powers && ticks.at.size() == best.at.size())))
      best = ticks;
  }
  if (!best.at.empty()) return best;
  // Powers of ten, equally far apart.
  const std::size_t every = (ticks.at.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
  TimeTicks fewer;
  for (std::size_t i = 0; i < ticks.at.size(); i += every)
    fewer.at.push_back(ticks.at[i]), fewer.labels.push_back(ticks.labels[i]);
  return fewer;
}

std::vector<Wording> short_labels(const job::LessonRecording& recording) {
  const gpu::Device& device = recording.device;
  std::string name = device.name;
  for (const std::string lead : {"NVIDIA ", "GeForce "})
    if (name.starts_with(lead)) name.erase(0, lead.size());
  const auto dated = [&](const Wording& of) { return worded("{0}, {1}", of, recording.date); };
  const std::string& driver = device.kernel_driver_version;
  return {recording.label(),
          dated(driver.empty() ? Wording(device.name) : worded("{}, driver {}", device.name, driver)),
          dated(device.name), dated(name)};
}

std::string short_number(std::int64_t value) {
  constexpr std::int64_t kibi = 1024, mebi = kibi * kibi;
  if (value >= mebi && value % mebi == 0) return grouped(value / mebi) + " Mi";
  if (value >= 16 * kibi && value % kibi == 0) return grouped(value / kibi) + " Ki";
  return grouped(value);
}

std::string time_with_spread(const metrics::Interval& of) {
  if (of.samples < 2) return time_text(of.median);
  const double spread = std::max(of.high - of.median, of.median - of.low);
  // A spread is never rounded to none.
  const auto text = [&](double unit, int digits, const char* name) {
    const double least = std::pow(10.0, -digits), shown = spread / unit;
    return fmt::format("{:.{}f} ± {}{:.{}f} {}", of.median / unit, digits, shown < least / 2 ? "< " : "",
                       shown < least / 2 ? least : shown, digits, name);
  };
  if (of.median < 1e-3) return text(1e-6, 2, "µs");
  if (of.median < 1) return text(1e-3, 3, "ms");
  return text(1, 3, "s");
}

std::string time_range(double low, double high) {
  if (high < 1e-3) return fmt::format("{:.2f} – {:.2f} µs", low * 1e6, high * 1e6);
  if (high < 1) return fmt::format("{:.3f} – {:.3f} ms", low * 1e3, high * 1e3);
  return fmt::format("{:.3f} – {:.3f} s", low, high);
}

std::string share_text(double share) {
  return share > 0 && share < 0.01 ? "< 1 %" : fmt::format("{:.0f} %", 100 * share);
}

}  // namespace lanescope::gui
