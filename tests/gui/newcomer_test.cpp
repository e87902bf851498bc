// The window for somebody new to CUDA: nothing covers anything, the line in question is visible, and every question and
// place is one click away.

#include <cstring>

#include "TextEditor.h"
#include "driver.h"
#include "failing_sweep.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::Session;

ImGuiWindow* window_named(const char* name) {
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const char* last = std::strrchr(window->Name, '/');
    if (window->WasActive && last != nullptr && std::strncmp(last + 1, name, std::strlen(name)) == 0) return window;
  }
  return nullptr;
}

std::size_t index_of(const Session& s, const std::string& variant) {
  const auto& variants = s.selection.lesson().variants;
  return static_cast<std::size_t>(std::ranges::find(variants, variant, &lesson::Variant::id) - variants.begin());
}

class Newcomer : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  Newcomer() {
    gui::Options options;
    options.width = GetParam().first, options.height = GetParam().second;
    learner_ = std::make_unique<Learner>(options);
  }
  Session& session() { return learner_->session(); }
  void fresh(ImGuiTestContext& ui) {
    EXPECT_TRUE(learner_->wait_for(ui, [&] {
      return !session().runs.running().busy && session().runs.shown() != nullptr &&
             (!session().runs.stale() || !session().runs.problems().empty());
    }));
    ui.Yield(12);
  }
  std::unique_ptr<Learner> learner_;
};

TEST_P(Newcomer, WhatIsOldSaysSoAndCoversNothing) {
  learner_->does([&](ImGuiTestContext& ui) {
    fresh(ui);
    for (const gui::Language language : {gui::Language::english, gui::Language::chinese}) {
      learner_->state().settings.language = language;
      session().selection.set_source("this is no kernel");
      session().runs.run();
      fresh(ui);
      ASSERT_TRUE(session().runs.stale());
      ImGuiTestItemList all;
      ui.GatherItems(&all, "//Lanescope", -1);
      int badges = 0;
      for (const ImGuiTestItemInfo& badge : all) {
        if (std::strcmp(badge.DebugLabel, "badge") != 0) continue;
        ++badges;
        const ImRect room = badge.Window->InnerRect;
        EXPECT_GE(badge.RectFull.Min.x, room.Min.x) << badge.Window->Name << ": its words are cut";
        for (const ImGuiTestItemInfo& other : all) {
          if (other.ID == badge.ID || other.Window != badge.Window) continue;
          EXPECT_FALSE(other.RectFull.Overlaps(badge.RectFull)) << badge.Window->Name << ": over " << other.DebugLabel;
        }
      }
      EXPECT_GE(badges, 4);
      session().selection.set_source(session().selection.original_source());
      session().runs.run();
      fresh(ui);
    }
  });
}

TEST_P(Newcomer, TheLineOfTheStepIsInViewInEveryVariant) {
  learner_->does([&](ImGuiTestContext& ui) {
    for (std::size_t lesson = 0; lesson < 3; ++lesson) {
      session().choose_lesson(lesson);
      for (std::size_t i = 0; i < session().selection.lesson().variants.size(); ++i) {
        if (session().selection.lesson().variants[i].gpu_only) continue;
        session().choose_variant(i);
        fresh(ui);
        ASSERT_NE(session().place.site(), nullptr);
        const TextEditor& editor = learner_->app().window().code().editor(session());
        const ImGuiWindow* text = window_named("editor_");
        ASSERT_NE(text, nullptr);
        const float y = editor.DocPos2ScreenPos({static_cast<std::size_t>(session().place.site()->line) - 1, 0}).y;
        EXPECT_GE(y, text->InnerRect.Min.y - 1) << session().selection.variant().id;
        EXPECT_LE(y + editor.GetLineHeight(), text->InnerRect.Max.y + 1) << session().selection.variant().id;
      }
    }
  });
}

TEST_P(Newcomer, AFaultsLineIsInViewAboveItsMessage) {
  learner_->does([&](ImGuiTestContext& ui) {
    fresh(ui);
    std::string edited = session().selection.original_source();
    edited.replace(edited.find("[i * stride]"), 12, "[i * stride + 100000000]");
    learner_->types_over_everything(ui, edited);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    fresh(ui);
    ASSERT_FALSE(session().runs.problems().empty());
    const TextEditor& editor = learner_->app().window().code().editor(session());
    const ImGuiWindow *text = window_named("editor_"), *message = window_named("problems_");
    ASSERT_NE(text, nullptr);
    ASSERT_NE(message, nullptr);
    const float y =
        editor.DocPos2ScreenPos({static_cast<std::size_t>(session().runs.problems().front().place.line) - 1, 0}).y;
    EXPECT_GE(y, text->InnerRect.Min.y - 1);
    EXPECT_LE(y + editor.GetLineHeight(), message->Pos.y + 1);
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, Newcomer,
                         testing::Values(std::pair{1024, 640}, std::pair{1280, 800}, std::pair{1440, 900}));

// Room that the code does not need is the numbers'.
TEST(NewcomersNumbers, AreNotCutBelowAnEmptyEditor) {
  gui::Options options;
  options.lesson = "coalescing", options.variant = "stride";
  options.width = 1920, options.height = 1080;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    learner.wait(ui);
    const ImGuiWindow *below = window_named("below_"), *text = window_named("editor_");
    ASSERT_NE(below, nullptr);
    ASSERT_NE(text, nullptr);
    const TextEditor& editor = learner.app().window().code().editor(learner.session());
    const float end = editor.DocPos2ScreenPos({editor.GetLineCount() - 1, 0}).y + editor.GetLineHeight();
    EXPECT_TRUE(below->ScrollMax.y <= 0 || end > text->InnerRect.Max.y - 3 * editor.GetLineHeight())
        << "below its last line are " << text->InnerRect.Max.y - end << " pixels, and the numbers lack "
        << below->ScrollMax.y;
    EXPECT_LE(end, text->InnerRect.Max.y + 1) << "the code is whole";
  });
}

TEST(NewcomersPage, StaysWhereItIsWhenAnotherVariantIsChosen) {
  Learner learner;
  learner.state().page = gui::Page::explain;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ImGui::SetScrollY(window_named("page_"), 300);
    ui.Yield(3);
    learner.session().choose_variant(1);
    ui.Yield(3);
    EXPECT_FLOAT_EQ(window_named("page_")->Scroll.y, 300) << "the text is the same for every variant";
    ui.ItemClick("**/pages/read");
    ui.Yield(3);
    EXPECT_FLOAT_EQ(window_named("page_")->Scroll.y, 0);
  });
}

// At the end of a lesson the next one is a click away and opens on its first page.
TEST(NewcomersPage, ALessonBeginsWithItsFirstPage) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().page = gui::Page::try_;
    ui.Yield(3);
    ui.ItemClick("**/lesson on");
    EXPECT_EQ(s.selection.lesson_index(), 1u);
    EXPECT_EQ(learner.state().page, gui::Page::read);
    learner.state().page = gui::Page::explain;
    ui.Yield(3);
    EXPECT_FALSE(ui.ItemExists("**/lesson on"));
    ui.ItemClick("**/lessons");
    ui.Yield(3);
    ui.ItemClick("**/half_atomics");
    EXPECT_EQ(s.selection.lesson().id, "half_atomics");
    EXPECT_EQ(learner.state().page, gui::Page::read);
    s.choose_lesson(s.selection.lessons().size() - 1);
    learner.state().page = gui::Page::try_;
    ui.Yield(3);
    EXPECT_FALSE(ui.ItemExists("**/lesson on")) << "after the last lesson there is none";
  });
}

// The other values must still be shown.
TEST(NewcomersPage, ASweepGoesOnBehindValuesAtWhichTheKernelFails) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    plots_failing_strides(ui, learner);
    const gui::Sweep& sweep = s.details.sweep("stride");
    ASSERT_EQ(sweep.points.size(), 32u);
    for (const gui::Sweep::Point& point : sweep.points) EXPECT_EQ(point.ok, point.value >= 3) << point.value;
  });
}

TEST(NewcomersPage, QuestionsOfOtherVariantsAreOneClickAway) {
  gui::Options options;
  options.height = 1800;  // the whole page is visible
  Learner learner(options);
  Session& s = learner.session();
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(ui.ItemExists("**/offset_sectors/check answer"));
    ui.ItemClick("**/ask offset");
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "offset");
    EXPECT_TRUE(ui.ItemExists("**/offset_sectors/check answer"));
    EXPECT_TRUE(ui.ItemExists("**/ask stride"));
    EXPECT_FALSE(ui.ItemExists("**/ask offset"));
  });
}

// A choice among variants names no place: the misunderstanding is shown in the chosen variant.
TEST(NewcomersPage, AChoiceIsShownInTheVariantThatWasChosen) {
  Learner learner;
  Session& s = learner.session();
  const auto question = std::ranges::find(s.selection.lesson().questions, "fewest_requests", &lesson::Question::id);
  ASSERT_NE(question, s.selection.lesson().questions.end());
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(s.exercises.shows_place(*question)) << "before it is answered";
    for (const char* given : {"grid_stride", "packed4"}) {
      s.choose_variant(0);
      learner.wait(ui);
      job::Answer answer;
      answer.kind = lesson::Question::Kind::choice, answer.options = {given};
      s.exercises.answer(*question, answer);
      learner.wait(ui);
      ASSERT_NE(s.exercises.verdict(*question), nullptr);
      ASSERT_TRUE(s.exercises.shows_place(*question));
      s.go_to(*question);
      learner.wait(ui);
      EXPECT_EQ(s.selection.variant_index(), index_of(s, given));
      ASSERT_NE(s.place.site(), nullptr);
      EXPECT_EQ(s.place.site()->operation, trace::Operation::load);
    }
  });
}

}  // namespace
}  // namespace lanescope::test
