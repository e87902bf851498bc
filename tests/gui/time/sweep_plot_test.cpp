// A plot holds what was computed or measured, and joins points only when none can lie between.

#include "gui/time/sweep_plot.h"
#include "gui/parts/ui.h"
#include "gui/time/plot_series.h"

#include <gtest/gtest.h>

#include <vector>

#include <numeric>

namespace lanescope::gui {
namespace {

lesson::Control control(std::int64_t min, std::int64_t max, std::int64_t step) {
  lesson::Control c;
  c.name = "n";
  c.min = min, c.max = max, c.step = step;
  return c;
}

Sweep sweep_of(const std::vector<std::int64_t>& values) {
  Sweep sweep;
  sweep.control = "n";
  for (const std::int64_t value : values) {
    Sweep::Point point{value, true, {}};
    trace::MemoryTotals& loads = point.totals.of(trace::MemoryClass::global_load);
    loads.requests = 2;
    loads.sectors = 2 * static_cast<std::uint64_t>(value);
    sweep.points.push_back(point);
  }
  return sweep;
}

PlotSeries loads(const std::vector<std::int64_t>& values, const lesson::Control& c) {
  return per_request(sweep_of(values), c, trace::MemoryClass::global_load, false);
}

TEST(SweepPlot, ALineOnlyThroughEveryLegalValue) {
  const lesson::Control c = control(1, 4, 1);
  EXPECT_TRUE(loads({1, 2, 3, 4}, c).joined);
  EXPECT_FALSE(loads({1, 2, 4}, c).joined);
  EXPECT_FALSE(loads({1, 2, 4, 8}, control(1, 8, 1)).joined);
  EXPECT_EQ(loads({1, 2, 4}, c).y, (std::vector<double>{1, 2, 4}));
  lesson::Control choices = control(0, 0, 1);
  choices.choices = {64, 256};
  EXPECT_TRUE(loads({64, 256}, choices).joined);
}

TEST(SweepPlot, RunsThatFailedAndAccessesThatAreNotThereGiveNoPoint) {
  const lesson::Control c = control(1, 2, 1);
  Sweep sweep = sweep_of({1, 2});
  sweep.points[1].ok = false;
  const PlotSeries series = per_request(sweep, c, trace::MemoryClass::global_load, false);
  EXPECT_EQ(series.x.size(), 1u);
  EXPECT_FALSE(series.joined);
  EXPECT_TRUE(per_request(sweep, c, trace::MemoryClass::shared_load, true).empty());
}

TEST(SweepPlot, MeasuredTimesCarryTheirIntervals) {
  job::RecordedRun timed, untimed;
  timed.controls = untimed.controls = {{"n", 2}};
  timed.timing = gpu::Timing{};
  timed.timing->seconds = {12e-6, 11e-6, 14e-6, 50};
  const PlotSeries series = measured({&timed, &untimed}, control(1, 4, 1));
  ASSERT_EQ(series.x.size(), 1u);
  EXPECT_DOUBLE_EQ(series.y[0], 12);
  EXPECT_DOUBLE_EQ(series.low[0], 11);
  EXPECT_DOUBLE_EQ(series.high[0], 14);
  EXPECT_FALSE(series.joined);
}

TEST(SweepPlot, NumbersAreShort) {
  EXPECT_EQ(short_number(32), "32");
  EXPECT_EQ(short_number(8192), "8,192");
  EXPECT_EQ(short_number(16384), "16 Ki");
  EXPECT_EQ(short_number(16 << 20), "16 Mi");
  EXPECT_EQ(short_number(100000), "100,000");
  EXPECT_EQ(time_text(12.5e-6), "12.50 µs");
  EXPECT_EQ(time_text(1.5e-3), "1.500 ms");
}

TEST(TimeAxis, HasRoundTicksInTheUnitThatFits) {
  const auto labels = [](double top, int most) { return time_ticks(top, most).labels; };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(150'000, 3), (Labels{"0", "50 ms", "100 ms", "150 ms"}));
  EXPECT_EQ(labels(182'450, 3), (Labels{"0", "50 ms", "100 ms", "150 ms"}));
  EXPECT_EQ(labels(182'450, 1), (Labels{"0", "100 ms"}));
  EXPECT_EQ(labels(39, 3), (Labels{"0", "10 µs", "20 µs", "30 µs"}));
  EXPECT_EQ(labels(4.7, 3), (Labels{"0", "2 µs", "4 µs"}));
  EXPECT_EQ(labels(999, 3), (Labels{"0", "500 µs"}));
  EXPECT_EQ(labels(1395, 3), (Labels{"0", "0.5 ms", "1 ms"}));
  EXPECT_EQ(labels(2.5e6, 3), (Labels{"0", "1 s", "2 s"}));
  EXPECT_EQ(labels(0, 3), (Labels{"0"}));
  for (double top = 0.013; top < 1e8; top *= 1.37)
    for (const int most : {1, 2, 3}) {
      const TimeTicks ticks = time_ticks(top, most);
      ASSERT_GE(ticks.at.size(), 2u) << top;
      EXPECT_LE(ticks.at.size(), static_cast<std::size_t>(most) + 1) << top;
      EXPECT_LE(ticks.at.back(), top * 1.0001);
      EXPECT_GE(ticks.at.back(), top * 0.32) << top << ": the axis is told, not its lowest part alone";
    }
}

// One sample has no spread, and "± 0.000" would claim to know it.
TEST(TimeTexts, ASpreadIsNeverRoundedToNone) {
  EXPECT_EQ(gui::time_with_spread({36.35e-6, 36.22e-6, 36.42e-6, 112}), "36.35 ± 0.13 µs");
  EXPECT_EQ(gui::time_with_spread({1.8441e-3, 1.8440e-3, 1.8443e-3, 40}), "1.844 ± < 0.001 ms");
  EXPECT_EQ(gui::time_with_spread({158.756e-3, 158.756e-3, 158.756e-3, 1}), "158.756 ms");
}

TEST(TimeTexts, AShareIsNeverRoundedToNothing) {
  EXPECT_EQ(share_text(0.4 / 4812), "< 1 %");
  EXPECT_EQ(share_text(0.0099), "< 1 %");
  EXPECT_EQ(share_text(0.01), "1 %");
  EXPECT_EQ(share_text(0.19), "19 %");
  EXPECT_EQ(share_text(0), "0 %");
}

TEST(TimeAxis, ARecordingsDateIsNeverWhatIsLeftOut) {
  job::LessonRecording recording;
  recording.device.name = "NVIDIA H200";
  recording.device.kernel_driver_version = "580.1";
  recording.compiler = "nvrtc 13.0";
  recording.date = "2026-11-20";
  const std::vector<Wording> labels = short_labels(recording);
  EXPECT_EQ(labels.front(), recording.label());
  EXPECT_EQ(labels.back(), "H200, 2026-11-20");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    EXPECT_NE(labels[i].find("2026-11-20"), std::string::npos) << labels[i];
    if (i > 0) {
      EXPECT_LT(labels[i].size(), labels[i - 1].size());
    }
  }
}

TEST(PlotAxis, NamesRoundValues) {
  std::vector<double> strides(32);
  std::iota(strides.begin(), strides.end(), 1.0);
  EXPECT_EQ(gui::named_ticks(strides, false, 0.08), (std::vector<double>{1, 4, 8, 12, 16, 20, 24, 28, 32}));
  EXPECT_EQ(gui::named_ticks(strides, false, 0.15), (std::vector<double>{1, 8, 16, 24, 32}));
  EXPECT_EQ(gui::named_ticks({1, 2, 4, 8}, true, 0.1), (std::vector<double>{1, 2, 4, 8}));
  EXPECT_EQ(gui::named_ticks({1, 2, 4, 8}, true, 0.5), (std::vector<double>{1, 4}));
  EXPECT_EQ(gui::named_ticks({64}, true, 0.5), (std::vector<double>{64}));
}

TEST(SweepPlot, TicksOfALogarithmicAxisAreRoundAndAsManyAsFit) {
  const auto names = [](double low, double high, int most) { return logarithmic_ticks(low, high, most).labels; };
  EXPECT_EQ(names(3, 75, 8), (std::vector<std::string>{"5 µs", "10 µs", "20 µs", "50 µs"}));
  EXPECT_EQ(names(3, 75, 3), (std::vector<std::string>{"3 µs", "10 µs", "30 µs"}));
  EXPECT_EQ(names(2.7, 75, 2), (std::vector<std::string>{"5 µs", "50 µs"}));
  EXPECT_EQ(names(3, 240e3, 5), (std::vector<std::string>{"10 µs", "100 µs", "1 ms", "10 ms", "100 ms"}));
  EXPECT_EQ(names(3, 240e3, 3), (std::vector<std::string>{"10 µs", "1 ms", "100 ms"}));
}

}  // namespace
}  // namespace lanescope::gui
