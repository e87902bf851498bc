#pragma once
// What the plot of a sweep shows: points that were computed or measured, and nothing between them.

#include <cstdint>
#include <string>
#include <vector>

#include "gui/session/session.h"
#include "job/lesson/recording.h"

namespace lanescope::gui {

struct PlotSeries {
  std::vector<double> x, y, low, high;  // low, high: the interval; empty where there is none
  bool joined = false;                  // every legal value of the control is there, so that a line invents nothing
  bool empty() const { return x.empty(); }
};

// How many values a control can have.
std::uint64_t legal_count(const lesson::Control& control);

// Sectors (or wavefronts of shared memory) a request, of one class of accesses.
PlotSeries per_request(const Sweep& sweep, const lesson::Control& control, trace::MemoryClass memory_class,
                       bool wavefronts);
// Measured medians in microseconds with their 95 % intervals, over a control.
PlotSeries measured(const std::vector<const job::RecordedRun*>& runs, const lesson::Control& control);

// The same of the learner's own GPU.
PlotSeries measured(const GpuSweep& sweep, const lesson::Control& control);

// Ticks of an axis of time from 0 to `top` microseconds: 0 and at most `most` others, whose step is 1, 2 or 5 times a
// power of ten of the unit that fits: "0", "50 ms", "100 ms".
struct TimeTicks {
  std::vector<double> at;  // microseconds
  std::vector<std::string> labels;
};
TimeTicks time_ticks(double top, int most);
// The same of a logarithmic axis between two times > 0: 1, 2 and 5 times powers of ten, or fewer of these.
TimeTicks logarithmic_ticks(double low, double high, int most);
// The name of its ticks: "50 µs", "2 ms".
std::string round_time(double microseconds);

// "1,024", "64 Ki", "16 Mi": short names for the foot of a plot.
std::string short_number(std::int64_t value);

// "12.32 ± 0.02 µs": the median, and the farther end of its interval.
std::string time_with_spread(const metrics::Interval& seconds);
// "12.30 – 12.34 µs": both ends in one unit.
std::string time_range(double low, double high);

// "19 %": a share of a peak; less than a hundredth of it is "< 1 %".
std::string share_text(double share);

// Where a recording comes from, the longest text first: device, driver, compiler and date; at last device and date.
std::vector<Wording> short_labels(const job::LessonRecording& recording);

}  // namespace lanescope::gui
