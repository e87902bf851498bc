// The tour of the window.

#include <filesystem>
#include <string>

#include "driver.h"
#include "gui/parts/tour.h"
#include "gui/tour_view.h"
#include "on_screen.h"

namespace lanescope::test {
namespace {

TEST(Tour, LeadsThroughFiveStopsAndEnds) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(learner.state().tour->running()) << "no tour in pictures and tests";
    ui.ItemClick("**/menu");
    ui.ItemClick("//$FOCUSED/tour");
    ui.Yield(3);
    const char* titles[] = {"A lesson asks a question", "The kernel is yours to change", "One warp instruction",
                            "All steps of the warp", "Times come from a real GPU"};
    for (int i = 0; i < gui::Tour::stops; ++i) {
      EXPECT_EQ(learner.state().tour->stop, i);
      EXPECT_TRUE(learner.says(ui, titles[i]));
      learner.saves(ui, "tour_" + std::to_string(i + 1));
      ui.Yield(2);
      ui.ItemClick("//tour/tour next");
      ui.Yield(3);
    }
    EXPECT_FALSE(learner.state().tour->running());
    EXPECT_FALSE(learner.says(ui, titles[4]));
  });
}

TEST(Tour, EnterGoesOn) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().tour->start();
    ui.Yield(3);
    for (int i = 1; i <= gui::Tour::stops; ++i) {
      ui.KeyPress(ImGuiKey_Enter);
      ui.Yield(3);
      EXPECT_EQ(learner.state().tour->running() ? learner.state().tour->stop : gui::Tour::stops, i);
    }
  });
}

// The card has moved away when the button is clicked again at the same place, over the code.
TEST(Tour, AClickWhereNextWasIsAnotherNext) {
  gui::Options options;
  options.width = 1440, options.height = 900;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().tour->start();
    ui.Yield(3);
    ui.ItemClick("//tour/tour next");
    ui.Yield(3);
    EXPECT_EQ(learner.state().tour->stop, 1);
    ui.MouseClick();
    ui.Yield(3);
    EXPECT_EQ(learner.state().tour->stop, 2);
    EXPECT_FALSE(learner.state().typing) << "the click must not reach the editor below";
    // Elsewhere a click is what it always is.
    ui.ItemClick("**/page on");
    ui.Yield(3);
    EXPECT_EQ(learner.state().tour->stop, 2);
    EXPECT_EQ(learner.state().page, gui::Page::explain);
  });
}

TEST(Tour, IsSkippedByAButtonAndByEscape) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().tour->start();
    ui.Yield(3);
    ui.ItemClick("//tour/tour skip");
    ui.Yield(2);
    EXPECT_FALSE(learner.state().tour->running());
    learner.state().tour->start();
    ui.Yield(3);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_FALSE(learner.state().tour->running());
  });
}

TEST(Tour, ComesOnce) {
  const std::string folder = testing::TempDir() + "/lanescope_tour";
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(gui::tour_was_seen(folder));
  gui::remember_tour(folder);
  EXPECT_TRUE(gui::tour_was_seen(folder));
  EXPECT_TRUE(gui::tour_was_seen("")) << "who keeps nothing is not told again and again";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lanescope::test
