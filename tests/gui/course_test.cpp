// The lessons as a newcomer goes through them: what opens, what can be found, and whether it is readable.

#include <algorithm>
#include <cstring>

#include "TextEditor.h"
#include "driver.h"
#include "gui/code/code_panel.h"
#include "gui/numbers/slider.h"
#include "gui/parts/views.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::Session;
using gui::WarpTab;

gui::Options opened_at(const std::string& lesson, const std::string& variant, int width = 1440, int height = 900) {
  gui::Options options;
  options.lesson = lesson, options.variant = variant;
  options.width = width, options.height = height;
  return options;
}

void show_variant(Learner& learner, ImGuiTestContext& ui, const std::string& id) {
  Session& s = learner.session();
  const auto found = std::ranges::find(s.selection.lesson().variants, id, &lesson::Variant::id);
  s.choose_variant(static_cast<std::size_t>(found - s.selection.lesson().variants.begin()));
  ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown() != nullptr && !s.runs.stale(); }));
  ui.Yield(3);
}

const char* picture_shown(Learner& learner) {
  Session& s = learner.session();
  bool any = false;
  const WarpTab tab = gui::effective_tab(learner.state().warp_tab, *s.runs.shown(), *s.place.event(), any);
  return any ? gui::code_of(tab) : "none";
}

// If a line loads and then stores to shared memory, a lesson about banks opens it at the store.
TEST(Course, EveryVariantOpensAtThePictureThatItsLessonNames) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    for (std::size_t lesson = 0; lesson < s.selection.lessons().size(); ++lesson) {
      s.choose_lesson(lesson);
      for (const lesson::Variant& variant : s.selection.lesson().variants) {
        if (variant.gpu_only || variant.broken_on_purpose || variant.look.view.empty()) continue;
        show_variant(learner, ui, variant.id);
        ASSERT_NE(s.place.event(), nullptr);
        EXPECT_EQ(picture_shown(learner), variant.look.view) << s.selection.lesson().id << "/" << variant.id;
      }
    }
  });
}

TEST(Course, QuestionsOfOtherVariantsCanBeFound) {
  Learner learner(opened_at("shared_memory_copy", "copy_row"));
  Session& s = learner.session();
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown() != nullptr; }));
    ui.Yield(3);
    ASSERT_TRUE(bring(ui, "**/ask copy_shared"));
    EXPECT_FALSE(ui.ItemExists("**/ask copy_double2")) << "nothing is asked about it alone";
    EXPECT_TRUE(ui.ItemExists("**/ask copy_register_n"));
    ui.ItemClick("**/ask copy_shared");
    EXPECT_EQ(s.selection.variant().id, "copy_shared");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown() != nullptr; }));
    ui.Yield(3);
    EXPECT_TRUE(bring(ui, "**/wavefronts/##number")) << "its own questions are here";
    EXPECT_TRUE(bring(ui, "**/ask copy_register_n"));
    EXPECT_FALSE(ui.ItemExists("**/ask copy_shared"));
  });
}

// Also after the numbers below the code have arrived and taken space from it.
TEST(Course, TheLineOfTheStepIsInView) {
  for (const char* variant : {"copy_shared", "copy_async"}) {
    Learner learner(opened_at("shared_memory_copy", variant));
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      ui.Yield(3);
      const TextEditor& editor = learner.app().window().code().editor(learner.session());
      const int line = learner.session().place.site()->line;
      EXPECT_TRUE(editor.IsDocPosVisible({static_cast<std::size_t>(line) - 1, 0})) << variant << ", line " << line;
    });
  }
}

// The group of the lanes that took a branch: each lane's rank is its position in the group, not its lane number.
TEST(Course, TheRanksOfACoalescedGroupAreThoseOfTheLesson) {
  Learner learner(opened_at("cooperative_groups", "coalesced_threads"));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.details.shuffle_values() != nullptr; }));
    ui.Yield(3);
    ASSERT_STREQ(picture_shown(learner), "groups");
    const int lanes = s.place.event()->executed.count();
    ASSERT_GT(lanes, 1);
    ASSERT_LT(lanes, 32);
    EXPECT_EQ(learner.app().window().warp().scene().caption,
              "One group of " + std::to_string(lanes) + " lanes, with ranks 0 to " + std::to_string(lanes - 1) + ".");
  });
}

// All instructions that the PTX instruction became are marked. The view scrolls to the one that does its work.
TEST(Course, AHalfsAtomicIsACompareAndSwapInSass) {
  Learner learner(opened_at("half_atomics", "half_native"));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/code tabs/sass");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.details.sass() != nullptr; }));
    if (!s.details.sass()->ok()) return;  // no nvJitLink here
    std::vector<std::string> found;
    for (const compile::SassInstruction& in : s.details.sass()->value().instructions)
      if (in.ptx_line == s.place.site()->ptx_line && gui::accesses_like(in, *s.place.site(), *s.place.event()))
        found.push_back(in.text);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].starts_with("ATOM.E.CAS")) << found[0];
  });
}

// With several launches, too, a control's plot has more than its end points.
TEST(Course, APlotOverALargeControlHasPointsEnough) {
  Learner learner(opened_at("cooperative_groups", "full_multi_launch"));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Sweep& sweep = s.details.sweep("batches");
    learner.wait(ui);
    EXPECT_GT(sweep.points.size(), 8u);
  });
}

// On a large screen all warps of a block have their row.
TEST(Course, ABlockIsShownWholeWhereThereIsRoom) {
  Learner learner(opened_at("shared_memory_copy", "copy_row", 1920, 1400));
  learner.does([&](ImGuiTestContext& ui) {
    learner.session().selection.set_control("block", 1024);
    learner.session().runs.run_if_needed();
    learner.wait(ui);
    ui.Yield(3);
    const ImRect block = ui.ItemInfo("**/block lanes").RectFull;
    EXPECT_GT(block.GetHeight(), 32 * 14.0f) << "32 warps";
  });
}

// In present mode, A and B switch the variant; each shows the lesson's picture there, too.
TEST(Course, PresentModeOpensAtTheLessonsPicture) {
  Learner learner(opened_at("half_atomics", "half_native"));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    for (int i = 0; i < 2; ++i) {
      ui.KeyPress(ImGuiKey_B);
      ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown() != nullptr && !s.runs.stale(); }));
      ui.Yield(3);
    }
    ASSERT_TRUE(learner.state().present);
    ASSERT_EQ(s.selection.variant().id, "half_running");
    EXPECT_STREQ(picture_shown(learner), "running");
  });
}

class CourseInBothLanguages : public testing::TestWithParam<const char*> {};

// At the mockups' sizes no control's name is cut off, and no table scrolls sideways.
TEST_P(CourseInBothLanguages, NamesOfControlsAndTablesFit) {
  gui::Options options = opened_at("shared_memory_copy", "copy_register_n");
  options.language = GetParam();
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (const char* lesson : {"shared_memory_copy", "cooperative_groups", "half_atomics"}) {
      const auto found = std::ranges::find(s.selection.lessons(), lesson, &lesson::Lesson::id);
      s.choose_lesson(static_cast<std::size_t>(found - s.selection.lessons().begin()));
      learner.wait(ui);
      const gui::Look& look = learner.app().look();
      for (const float width : {430.0f, 305.0f})  // width of the panel in a window of 1440 and of 1024
        for (const lesson::Control& control : s.selection.lesson().controls) {
          gui::SliderColumns columns;
          const std::string name = control.label.in(GetParam()), unit = control.unit.in(GetParam());
          columns.fit(look, control, name, unit, width);
          EXPECT_GE(columns.label, look.measure(gui::type::small, name).x) << lesson << ": " << name << " in " << width;
          EXPECT_LT(columns.label + columns.value, width * 0.75f) << "the track has room";
        }
      for (const gui::Page page : {gui::Page::see, gui::Page::explain}) {
        learner.state().page = page;
        learner.wait(ui);
        ui.Yield(3);
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
          if (window->WasActive && std::strstr(window->Name, "/table_") != nullptr) {
            EXPECT_EQ(window->ScrollMax.x, 0) << lesson << ", " << gui::code_of(page) << ": " << window->Name;
          }
      }
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Languages, CourseInBothLanguages, testing::Values("en", "zh-CN"),
                         [](const testing::TestParamInfo<const char*>& language) {
                           return std::string(language.param).substr(0, 2);
                         });

}  // namespace
}  // namespace lanescope::test
