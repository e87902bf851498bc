// Answers outlive the program, and are those of the values for which they were given.

#include <string>

#include "driver.h"
#include "gui/parts/covers.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::Session;

// What was answered and passed is not asked again after a restart, and an answer is judged by the run that it was for.
TEST(AnswersKept, OverARestartAndForTheirValues) {
  Learner learner;
  learner.state().page = gui::Page::predict;
  const auto question = [&]() -> const lesson::Question& {
    return learner.session().selection.lesson().questions.front();
  };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(bring(ui, "**/stride_sectors/##number"));
    ui.ItemInput("**/stride_sectors/##number");
    ui.KeyCharsReplace("32");
    ASSERT_TRUE(bring(ui, "**/stride_sectors/check answer"));
    ui.ItemClick("**/stride_sectors/check answer");
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "Right: 32"));
    learner.state().passed.insert("coalescing/coalesce_pairs");
  });
  learner.restarts();
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    Session& s = learner.session();
    learner.wait(ui);
    const gui::Ui here{learner.app().look(), s, learner.state()};
    EXPECT_FALSE(gui::covers(here).picture);
    EXPECT_TRUE(gui::covers(here).times) << "of the question that was not answered";
    ASSERT_NE(s.exercises.verdict(question()), nullptr);
    EXPECT_TRUE(learner.says(ui, "Right: 32"));
    const std::int64_t answered_for = s.selection.control("stride");
    s.selection.set_control("stride", 4);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_EQ(s.exercises.verdict(question()), nullptr) << "32 was no answer to this";
    EXPECT_TRUE(gui::covers(here).picture) << "open again, so what shows the answer is hidden again";
    const auto is_in_the_field = [&](const char* text) {
      EXPECT_TRUE(bring(ui, "**/stride_sectors/##number"));
      ui.ItemInput("**/stride_sectors/##number");
      ui.Yield(2);
      const ImGuiInputTextState& field = ui.UiContext->InputTextState;
      EXPECT_EQ(std::string(field.TextA.Data, static_cast<std::size_t>(field.TextLen)), text);
      ui.KeyPress(ImGuiKey_Escape);
    };
    is_in_the_field("");
    learner.saves(ui, "asked_again");
    s.selection.set_control("stride", answered_for);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_FALSE(gui::covers(here).picture) << "this was answered";
    ASSERT_NE(s.exercises.verdict(question()), nullptr);
    EXPECT_TRUE(learner.says(ui, "Right: 32"));
    is_in_the_field("32");
    learner.state().page = gui::Page::try_;
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "Passed before."));
  });
}

}  // namespace
}  // namespace lanescope::test
