#pragma once
// What the plot over a control shows, whoever draws it: measured times, and counts.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/time/sweep_plot.h"
#include "gui/time/time_lines.h"
#include "gui/time/time_sizes.h"

namespace lanescope::gui {

enum class PlotMark : std::uint8_t { circle, square, diamond, open_diamond, cross };

struct Plotted {
  PlotSeries series;  // times in microseconds, or counts
  std::string name, short_name;
  Role role;
  PlotMark mark;
  bool time = false;
  std::vector<std::pair<double, const std::vector<double>*>> samples;  // seconds, by the control's value
  std::string id, origin;                                              // in tables: "seconds", "recorded"
};

// Counts first, so that times lie over them: counts are of the size on screen, the recording's times of `size`. Its
// diamonds are open, those of the learner's own GPU, which measured the size on screen, are full. There must be a run.
std::vector<Plotted> series_of(const Ui& ui, const lesson::Control& control, TimeSize size);

// What one plot shows: its points, the highest count and time among them, and the values that have a point.
struct PlotOver {
  std::vector<Plotted> all;
  double top = 1, top_time = 0;
  std::vector<double> xs;  // ascending
  struct Failed {
    double x = 0;
    std::string why;
  };
  std::vector<Failed> failed;  // values at which the interpreted run ended in an error: they have no count
  bool ended_early = false;    // because so many failed, some values were not run
  bool logarithmic = false, counted = false;
  // Over sizes that double, times double too: on a linear axis all but the last would lie on the ground.
  bool logarithmic_time = false;
  double least_time = 0;
  std::vector<NamedLine> lines;  // that the times are held against
  std::optional<double> pinned;  // the value whose points are told
  bool timed() const { return top_time > 0; }
  const Failed* has_failed(double x) const;  // null: not there
  // Of the axis of times, in microseconds.
  double low_end() const;
  double high_end() const { return top_time * (logarithmic_time ? 1.5 : 1.12); }
  TimeTicks ticks(int most) const;
};
PlotOver plot_over(const Ui& ui, const lesson::Control& control, std::vector<Plotted> all);

// Its name with its origin: "sectors per load, interpreted". A time's name has it already.
std::string name_with_origin(const Ui& ui, const Plotted& of);

// What a mark of a failed run means.
std::string failed_name(const Ui& ui, const PlotOver& plot);

// "36.35 µs" or "32": what was found at the value; empty if nothing was.
std::string value_at(const Plotted& of, double x);

// Values to name under the plot: those whose names do not touch the one before. `apart`: of the plot's width, at least
// this share from one to the next.
std::vector<double> named_ticks(const std::vector<double>& shown, bool logarithmic, double apart);

}  // namespace lanescope::gui
