// Present mode: what a teacher shows, hides and points at.

#include <optional>
#include <string>
#include <utility>

#include "driver.h"
#include "gui/parts/presenting.h"
#include "imgui_internal.h"
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
    ui.KeyPress(ImGuiKey_R);
    ui.Yield(4);
    EXPECT_FALSE(learner.says(ui, "vs fastest")) << "times are numbers, too";
    EXPECT_TRUE(learner.says(ui, "R shows the numbers"));
    learner.saves(ui, "present_times_veiled");
    ui.KeyPress(ImGuiKey_R);
    ui.Yield(4);
    EXPECT_TRUE(learner.says(ui, "vs fastest"));
    ui.KeyPress(ImGuiKey_M);
    ui.Yield(4);
    EXPECT_FALSE(learner.says(ui, "vs fastest"));
    EXPECT_TRUE(learner.says(ui, "bytes asked"));
  });
}

// The sentence of a step may say the opposite of the lesson's point, which is of the whole launch.
TEST(Presenting, TheStepsSentenceLeadsAndThePointSaysThatItIsOfTheLaunch) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.place.step_by(1);  // the store
    learner.wait(ui);
    const std::string both =
        "128 bytes asked, 128 moved, 100 % used. The whole launch: The lanes use 12.5 % of the bytes that their loads "
        "move";
    EXPECT_TRUE(learner.says(ui, both)) << "in the panel";
    learner.saves(ui, "step_then_launch");
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, both));
    learner.saves(ui, "present_step_then_launch");
    ui.KeyPress(ImGuiKey_R);
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, "The whole launch")) << "a number as well";
  });
}

TEST(Presenting, APointThatCountsNothingIsNotSaid) {
  gui::Options options;
  options.lesson = "half_atomics", options.variant = "half_running";  // adds one by one, without atomics
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "add atomically"));
    learner.session().choose("half_atomics", "half_native", {});
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "The whole launch: 4,096 lanes add atomically"));
  });
}

TEST(Presenting, KeysOfTheFilmSearchWithoutIt) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::size_t load = s.place.position().step;
    ui.KeyPress(ImGuiKey_F5);
    s.place.set_step(0);
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, "T picture")) << "this step has no other";
    ui.KeyPress(ImGuiKey_W);
    learner.wait(ui);
    EXPECT_EQ(s.place.position().step, load);
    s.choose("half_atomics", "half_native", {});
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "T picture")) << "sectors and atomics";
  });
}

// Down to the smallest window: neither the picture nor the film is under the controls, and the film keeps its names.
TEST(Presenting, ControlsCoverNothing) {
  for (const auto& size : {std::pair{1024, 640}, {1280, 720}, {1280, 800}, {1440, 900}}) {
    const int height = size.second;
    gui::Options options;
    options.width = size.first, options.height = height;
    Learner learner(options);
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      ui.KeyPress(ImGuiKey_F5);
      ui.KeyPress(ImGuiKey_F);
      ui.KeyPress(ImGuiKey_V);
      ui.Yield(4);
      const ImGuiWindow* controls = window_of_part("present controls");
      ASSERT_NE(controls, nullptr);
      EXPECT_LE(ui.ItemInfo("**/picture").RectFull.Max.y, controls->Pos.y);
      EXPECT_LE(controls->Pos.y + controls->Size.y, static_cast<float>(height));
      if (const ImGuiWindow* film = window_of_part("film")) {
        EXPECT_LE(film->Pos.y + film->Size.y, controls->Pos.y);
        EXPECT_LE(ui.ItemInfo("**/masks").RectFull.Max.y, film->Pos.y + film->Size.y) << size.first << " × " << height;
        learner.saves(ui, "present_film_" + std::to_string(height));
      } else {
        EXPECT_LT(height, 900) << "there is room for the film";
      }
      learner.saves(ui, "present_controls_" + std::to_string(height));
    });
  }
}

// A class answers in front of the picture, and sees what is said about the answer before it sees the picture.
TEST(Presenting, QuestionsAreAnsweredHere) {
  Learner learner;
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(4);
    learner.saves(ui, "present_question");
    ui.ItemInput("**/stride_sectors/##number");
    ui.KeyCharsReplace("4");
    ui.ItemClick("**/stride_sectors/check answer");
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "bytes requested, not sectors touched"));
    EXPECT_FALSE(learner.says(ui, "8 lines")) << "not yet the picture";
    learner.saves(ui, "present_answered");
    ui.ItemClick("**/show picture");
    ui.Yield(4);
    EXPECT_TRUE(learner.says(ui, "8 lines"));
    EXPECT_FALSE(ui.ItemExists("**/stride_sectors/check answer"));
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
    EXPECT_GT(learner.app().look().scale(), 1.2f) << "readable from the last row";
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

// At a desk a teacher reads the panels enlarged. In front of the class everything fills the window already.
TEST(Presenting, TheScaleOfThePanelsPushesNothingOutOfTheWindow) {
  gui::Options options;
  options.width = 1280, options.height = 720;
  Learner learner(options);
  gui::WindowState& state = learner.state();
  const auto fits = [&] {
    const ImVec2 frame = ImGui::GetIO().DisplaySize, window = learner.app().display().room();
    return frame.x <= window.x && frame.y <= window.y;
  };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    state.settings.zoom = 1.6f;
    learner.session().compare(1);
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(4);
    EXPECT_TRUE(fits()) << "two variants";
    const float filling = learner.app().look().scale();
    EXPECT_LT(filling, 1.3f) << "as in a window of the smallest size";
    learner.saves(ui, "present_scaled_compare");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    ui.Yield(4);
    EXPECT_NEAR(learner.app().look().scale(), 1.1f * filling, 0.01f) << "asked for while presenting";
    EXPECT_FLOAT_EQ(state.settings.zoom, 1.6f) << "the panels keep their size";
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
    ui.Yield(4);
    EXPECT_FLOAT_EQ(learner.app().look().scale(), filling);
    learner.session().compare(std::nullopt);
    ui.Yield(4);
    EXPECT_TRUE(fits()) << "the picture";
    ui.KeyPress(ImGuiKey_M);
    ui.Yield(4);
    EXPECT_TRUE(fits()) << "the times";
    learner.saves(ui, "present_scaled_times");
    ui.KeyPress(ImGuiKey_M);
    ui.KeyPress(ImGuiKey_F);
    ui.KeyPress(ImGuiKey_V);
    ui.Yield(4);
    EXPECT_TRUE(part_is_shown("film")) << "F did nothing, and said nothing";
    EXPECT_TRUE(part_is_shown("present controls"));
    learner.saves(ui, "present_scaled_film");
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(4);
    EXPECT_FLOAT_EQ(learner.app().look().scale(), 1.6f);
  });
}

}  // namespace
}  // namespace lanescope::test
