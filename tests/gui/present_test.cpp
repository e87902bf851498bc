// Present mode: what a teacher shows, hides and points at.

#include <string>

#include "driver.h"
#include "gui/parts/presenting.h"
#include "on_screen.h"

namespace lanescope::test {
namespace {

TEST(Presenting, NumbersWaitForAKeyAtEachStep) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    const std::string told = "bytes asked";
    EXPECT_TRUE(learner.says(ui, told));
    ui.KeyPress(ImGuiKey_R);
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, told));
    EXPECT_TRUE(learner.says(ui, "R shows the numbers"));
    learner.saves(ui, "present_veiled");
    ui.KeyPress(ImGuiKey_R);
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, told));
    const std::size_t step = s.place.position().step;
    ui.KeyPress(step > 0 ? ImGuiKey_LeftArrow : ImGuiKey_RightArrow);
    ui.KeyPress(step > 0 ? ImGuiKey_RightArrow : ImGuiKey_LeftArrow);
    ui.Yield(3);
    EXPECT_EQ(s.place.position().step, step);
    EXPECT_TRUE(learner.says(ui, told)) << "what was shown once of a step stays";
    ui.KeyPress(ImGuiKey_B);  // another variant
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "R shows the numbers"));
    ui.KeyPress(ImGuiMod_Shift | ImGuiKey_R);
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, "R shows the numbers"));
  });
}

TEST(Presenting, TheTimesTakeThePicturesPlace) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, "vs fastest"));
    ui.KeyPress(ImGuiKey_M);
    ui.Yield(4);
    EXPECT_TRUE(learner.says(ui, "vs fastest"));
    EXPECT_FALSE(learner.says(ui, "bytes asked"));
    learner.saves(ui, "present_times");
    ui.KeyPress(ImGuiKey_M);
    ui.Yield(4);
    EXPECT_FALSE(learner.says(ui, "vs fastest"));
    EXPECT_TRUE(learner.says(ui, "bytes asked"));
  });
}

TEST(Presenting, TheLessonsPointStandsAboveWhatTheStepShows) {
  gui::Options options;
  options.lesson = "divergence";  // its step's picture shows banks
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "The whole launch: 3,072 of 9,728 branches split a warp"));
    EXPECT_TRUE(learner.says(ui, "This step: "));
    ui.KeyPress(ImGuiKey_R);
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, "branches split a warp")) << "a number as well";
  });
}

// The class sees neither tabs nor the row of a panel: what the picture is of, and whose numbers these are, stand there.
TEST(Presenting, ThePictureIsNamedAndItsColoursAndOriginAreTold) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    for (const char* said : {"Sectors", "moved for nothing", "8 / 10  ·  interpreted", "V controls"})
      EXPECT_TRUE(learner.says(ui, said)) << said;
  });
}

TEST(Presenting, FilmControlsLargePictureAndPointer) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    const gui::Presenting& shown = *learner.state().presenting;
    EXPECT_FALSE(part_is_shown("film"));
    ui.KeyPress(ImGuiKey_F);
    ui.Yield(3);
    EXPECT_TRUE(part_is_shown("film"));
    ui.ItemClick("**/masks");
    ui.KeyPress(ImGuiKey_V);
    ui.Yield(3);
    EXPECT_TRUE(part_is_shown("present controls"));
    ui.KeyPress(ImGuiKey_P);
    ui.Yield(2);
    EXPECT_TRUE(shown.pointer);
    learner.saves(ui, "present_film_controls");
    ui.KeyPress(ImGuiKey_V);
    ui.KeyPress(ImGuiKey_G);
    ui.Yield(3);
    EXPECT_FALSE(part_is_shown("film")) << "the picture is alone";
    EXPECT_FALSE(part_is_shown("present controls"));
    learner.saves(ui, "present_large");
  });
}

TEST(Presenting, TwoVariantsArePresentedSideBySide) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.session().compare(1);
    learner.wait(ui);
    EXPECT_TRUE(part_is_shown("top bar"));
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    EXPECT_FALSE(part_is_shown("top bar"));
    EXPECT_TRUE(learner.session().selection.compared().has_value());
    learner.saves(ui, "present_compare");
    const std::size_t step = learner.app().window().comparison().step();
    ui.KeyPress(step == 0 ? ImGuiKey_RightArrow : ImGuiKey_LeftArrow);
    ui.Yield(2);
    EXPECT_NE(learner.app().window().comparison().step(), step);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_FALSE(learner.state().present);
    EXPECT_TRUE(learner.session().selection.compared().has_value()) << "back to where it was";
  });
}

}  // namespace
}  // namespace lanescope::test
