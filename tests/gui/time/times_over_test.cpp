// The plot of times over a control: whose size they are of, and what its axes are.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "driver.h"
#include "failing_sweep.h"
#include "gui/time/sweep_plot.h"
#include "gui/time/time_sizes.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::TimeSize;

TEST(TimePanel, OverAControlTimesAreOfTheMeasuredSize) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    ui.ItemClick("**/over");
    ui.ItemClick("**/over stride");
    learner.wait(ui);
    learner.saves(ui, "time_over_stride");
    EXPECT_FALSE(ui.ItemExists("**/stride/variant time"));
    EXPECT_TRUE(learner.says(ui, "sectors per load") || learner.says(ui, "sectors, load"));
    EXPECT_TRUE(learner.says(ui, "sectors per store, interpreted") || learner.says(ui, "interpreted"))
        << "counts have their origin";
    const auto runs = s.recordings.recording()->sweep(
        "stride", "stride", gui::values_at(s, s.selection.variant(), TimeSize::measure), s.selection.source());
    EXPECT_EQ(runs.size(), 32u) << "every stride";
    ui.ItemClick("**/over");
    ui.ItemClick("**/over elements");
    learner.wait(ui);
    learner.saves(ui, "time_over_elements");
    EXPECT_TRUE(learner.says(ui, "4 Mi"));
  });
}

// Time grows as the size does. On a linear axis of times over sizes that double, all points but the last lay on the
// ground; and the ring was at another size than the time above the plot.
TEST(TimePanel, OverSizesTheAxisOfTimesIsLogarithmicAndTheRowNamesItsSize) {
  gui::Options options;
  options.lesson = "divergence";
  options.width = 1920, options.height = 1080;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().plot_over = "n";
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "time, recorded (left), logarithmic"));
    EXPECT_TRUE(learner.says(ui, "elements = 4 Mi · 95 % interval"));
    learner.saves(ui, "times_over_sizes");
  });
}

TEST(TimePanel, OverAControlThatIsNoSizeTheAxisOfTimesBeginsAtZero) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().plot_over = "stride";
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "time, recorded (left)"));
    EXPECT_FALSE(learner.says(ui, "logarithmic"));
    EXPECT_FALSE(learner.says(ui, "elements = 4 Mi · "));
  });
}

// Such a value has no count, and the plot says so.
TEST(TimePanel, AValueAtWhichTheRunFailsIsMarkedAndTold) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "run fails")) << "none fails in the lesson's own text";
    plots_failing_strides(ui, learner);
    learner.saves(ui, "times_over_failed");
    EXPECT_TRUE(learner.says(ui, "run fails"));
    EXPECT_FALSE(learner.says(ui, "further values"));
  });
}

}  // namespace
}  // namespace lanescope::test
