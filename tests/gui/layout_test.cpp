// Positions of the window's parts, at every size.

#include <string>
#include <utility>

#include "TextEditor.h"
#include "driver.h"
#include "gui/main_window.h"
#include "gui/parts/presenting.h"
#include "imgui_internal.h"
#include "on_screen.h"

namespace lanescope::test {
namespace {

void compares_and_comes_back(ImGuiTestContext& ui, Learner& learner) {
  learner.session().compare(1);
  learner.wait(ui);
  ui.KeyPress(ImGuiKey_Escape);
  ui.Yield(3);
}

class WindowAtSize : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(WindowAtSize, EveryPartHasItsPlaceAndCanBeReached) {
  gui::Options options;
  options.width = GetParam().first;
  options.height = GetParam().second;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    EXPECT_FLOAT_EQ(size.x, static_cast<float>(GetParam().first));
    for (const char* item : {"**/run kernel", "**/present", "**/menu", "**/lessons", "**/pages/try", "**/page on",
                             "**/code tabs/sass", "**/heat", "**/block/up", "**/warp/up", "**/views/sectors",
                             "**/lanes", "**/view", "**/masks", "**/steps/last", "**/scrub"}) {
      const ImGuiTestItemInfo info = ui.ItemInfo(item);
      ASSERT_NE(info.ID, 0u) << item;
      EXPECT_GE(info.RectFull.Min.x, 0) << item;
      EXPECT_GE(info.RectFull.Min.y, 0) << item;
      EXPECT_LE(info.RectFull.Max.x, size.x) << item;
      EXPECT_GT(info.RectClipped.GetWidth(), 4) << item;
      EXPECT_GT(info.RectClipped.GetHeight(), 4) << item;
    }
    // What is large on a laptop stays large on a projector.
    EXPECT_GE(ui.ItemInfo("**/run kernel").RectFull.GetHeight(), 0.026f * size.y);
    ui.ItemClick("**/code tabs/ptx");
    EXPECT_EQ(learner.state().code_tab, gui::CodeTab::ptx);
  });
}
INSTANTIATE_TEST_SUITE_P(Sizes, WindowAtSize,
                         testing::Values(std::pair{1024, 640}, std::pair{1280, 800}, std::pair{1440, 900},
                                         std::pair{1920, 1080}, std::pair{2560, 1440}));

float height_of_part(const std::string& name) {
  const ImGuiWindow* part = window_of_part(name);
  return part == nullptr ? 0 : part->InnerRect.GetHeight();
}

// How many rows of code are visible.
float rows_of_code(Learner& learner) {
  return height_of_part("editor") / learner.app().window().code().editor(learner.session()).GetLineHeight();
}

TEST(Layout, LeavesRoomForTheCodeOnALaptop) {
  gui::Options options;
  options.width = 1280, options.height = 800;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_GE(rows_of_code(learner), 11);
    learner.types_over_everything(ui, "__global__ void broken(float* out) {\n  out[0] = nothing;\n}\n");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_FALSE(learner.session().runs.problems().empty());
    EXPECT_GE(rows_of_code(learner), 6) << "above what is wrong with it";
  });
}

// The last number in sight is not cut in two, and there is one.
TEST(Layout, NumbersEndWithAWholeRow) {
  const std::pair<const char*, const char*> shown[] = {
      {"coalescing", "stride"}, {"cooperative_groups", "full_grid"}, {"shuffle_reduce", "packed"}};
  for (const auto& one : shown) {
    gui::Options options;
    options.width = 1024, options.height = 640;
    options.lesson = one.first, options.variant = one.second;
    Learner learner(options);
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      int whole = 0;
      for (const std::string& number : learner.session().selection.lesson().point.numbers) {
        const ImGuiTestItemInfo row = ui.ItemInfo(("**/" + number + "/number").c_str(), ImGuiTestOpFlags_NoError);
        if (row.ID == 0) continue;  // far below
        const float in_sight = std::max(0.0f, row.RectClipped.GetHeight() / row.RectFull.GetHeight());
        EXPECT_TRUE(in_sight < 0.15f || in_sight > 0.85f) << one.first << " " << number << " " << in_sight;
        whole += in_sight > 0.85f ? 1 : 0;
      }
      EXPECT_GE(whole, 1) << one.first;
      EXPECT_GE(rows_of_code(learner), 5) << one.first;
    });
  }
}

// A wrapped line whose first row was in the middle of a low pane once ended below it.
TEST(Layout, TheStepsLineIsInSightAsAWhole) {
  for (const auto& [width, height] : {std::pair{1024, 640}, std::pair{1280, 800}}) {
    gui::Options options;
    options.width = width, options.height = height;
    options.lesson = "divergence", options.variant = "reduce_modulo";
    Learner learner(options);
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      for (const char* variant : {"reduce_missing_barrier", "reduce_strided", "reduce_missing_barrier"}) {
        const auto& variants = learner.session().selection.lesson().variants;
        for (std::size_t i = 0; i < variants.size(); ++i)
          if (variants[i].id == variant) learner.session().choose_variant(i);
        learner.state().steps_tab = gui::StepsTab::schedules;
        learner.wait(ui);
        const TextEditor& text = learner.app().window().code().editor(learner.session());
        ASSERT_NE(learner.session().place.site(), nullptr);
        const auto line = static_cast<std::size_t>(learner.session().place.site()->line) - 1;
        const ImGuiWindow* pane = window_of_part("editor");
        ASSERT_NE(pane, nullptr);
        const float top = text.DocPos2ScreenPos({line, 0}).y;
        const float bottom = text.DocPos2ScreenPos({line, text.GetLineText(line).size()}).y + text.GetLineHeight();
        EXPECT_GE(top, pane->InnerRect.Min.y - 2) << variant;
        EXPECT_LE(std::min(bottom, top + 2 * text.GetLineHeight()), pane->InnerRect.Max.y + 2) << variant;
      }
    });
  }
}

TEST(Layout, AWrappedLineIsInSightAboveAMessage) {
  gui::Options options;
  options.width = 1024, options.height = 640, options.variant = "stride";
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Session& s = learner.session();
    std::string code = s.selection.source();
    code.replace(code.find("in[i * stride]"), 14, "in[i * stride + 1 + 0 * (blockIdx.x + blockDim.x + threadIdx.x)]");
    learner.types_over_everything(ui, code);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_Escape);
    ASSERT_FALSE(s.runs.shown()->wrong.empty());
    learner.session().place.set_step(0);
    learner.wait(ui);
    learner.session().place.go_to_line(6);
    learner.wait(ui);
    const TextEditor& text = learner.app().window().code().editor(s);
    const ImGuiWindow* pane = window_of_part("editor");
    ASSERT_NE(pane, nullptr);
    const float top = text.DocPos2ScreenPos({5, 0}).y, row = text.GetLineHeight();
    const float bottom = text.DocPos2ScreenPos({5, text.GetLineText(5).size()}).y + row;
    ASSERT_GT(bottom, top + 1.5f * row) << "it is wrapped";
    EXPECT_GE(top, pane->InnerRect.Min.y - 2);
    EXPECT_LE(bottom, pane->InnerRect.Max.y + 2)
        << "rows " << (bottom - top) / row << " of " << pane->InnerRect.GetHeight() / row;
    learner.saves(ui, "wrapped_line");
  });
}

TEST(Layout, FillsALargeWindow) {
  gui::Options options;
  options.width = 2560, options.height = 1440;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const float panel = height_of_part("warp");
    ASSERT_GT(panel, 700);
    float drawn = 0;
    for (const char* picture : {"**/lanes", "**/view", "**/block lanes"})
      drawn += ui.ItemInfo(picture).RectFull.GetHeight();
    EXPECT_GE(drawn, panel * 0.6f) << "headings and the answer take the rest";
  });
}

// Where the picture of the step is small, the block's grows.
TEST(Layout, TheBlockGrowsIntoTheRoomOfALargeWindow) {
  gui::Options options;
  options.width = 2560, options.height = 1440, options.lesson = "half_atomics", options.variant = "half_native";
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const ImGuiWindow* panel = window_of_part("warp");
    ASSERT_NE(panel, nullptr);
    const ImRect block = ui.ItemInfo("**/block lanes").RectFull;
    EXPECT_GT(block.Max.y - panel->Pos.y, 0.65f * panel->Size.y) << "less than a third is empty";
    EXPECT_LT(block.Max.y, panel->Pos.y + panel->Size.y);
  });
}

// G, the button in the panel's corner, or a command; Esc and G go back.
TEST(Layout, APanelAloneFillsTheWindow) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    struct Part {
      gui::Panel panel;
      const char* item;
    };
    constexpr Part parts[] = {{gui::Panel::lesson, "**/pages/try"},
                              {gui::Panel::code, "**/code tabs/sass"},
                              {gui::Panel::warp, "**/views/sectors"},
                              {gui::Panel::steps, "**/steps/last"},
                              {gui::Panel::time, "**/over"}};
    const auto there = [&](const char* item) { return ui.ItemExists(item); };
    const float all = ImGui::GetMainViewport()->Size.x;
    for (const Part& part : parts) {
      ui.MouseMove(part.item);
      ui.KeyPress(ImGuiKey_G);
      ui.Yield(4);
      ASSERT_EQ(state.presenting->grown, part.panel) << part.item;
      for (const Part& other : parts) EXPECT_EQ(there(other.item), other.panel == part.panel) << other.item;
      EXPECT_GT(ui.ItemInfo(part.item).Window->Size.x, 0.9f * all) << part.item;
      EXPECT_TRUE(there("**/run kernel")) << "the top bar stays";
      learner.saves(ui, std::string("alone ") + std::to_string(static_cast<int>(part.panel)));
      ui.KeyPress(part.panel == gui::Panel::time ? ImGuiKey_Escape : ImGuiKey_G);
      ui.Yield(3);
      EXPECT_FALSE(state.presenting->grown);
      for (const Part& other : parts) EXPECT_TRUE(there(other.item)) << other.item;
    }
    ui.MouseMove("**/over");
    ui.ItemClick("**/grow");
    ui.Yield(3);
    EXPECT_EQ(state.presenting->grown, gui::Panel::time);
    ui.ItemClick("**/grow");
    ui.Yield(3);
    EXPECT_FALSE(state.presenting->grown);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ui.KeyChars("alone in the window times");
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(4);
    EXPECT_EQ(state.presenting->grown, gui::Panel::time);
    // A search needs its panels; comparing and coming back does not end it.
    compares_and_comes_back(ui, learner);
    EXPECT_EQ(state.presenting->grown, gui::Panel::time);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ui.Yield(3);
    EXPECT_FALSE(state.presenting->grown);
  });
}

TEST(Layout, PanelsNeitherOverlapNorLeaveTheWindow) {
  Learner learner;  // a look needs its fonts
  gui::Look look;
  for (const float scale : {1.0f, 1.25f, 2.0f, 3.0f})
    for (const auto& [w, h] :
         {std::pair{1024.f, 640.f}, {1280.f, 800.f}, {1366.f, 768.f}, {1920.f, 1080.f}, {3840.f, 2160.f}}) {
      look.apply(gui::Theme::dark, scale);
      for (const bool schedules : {false, true}) {
        const gui::Layout l = gui::layout_of(w * scale, h * scale, look, schedules);
        EXPECT_GE(l.steps.height, (schedules ? 260 : 150) * scale);  // at least eight lines of schedule results
        const gui::PanelRect all[] = {l.top, l.lesson, l.code, l.warp, l.steps, l.time};
        for (std::size_t i = 0; i < std::size(all); ++i) {
          EXPECT_GE(all[i].x, 0);
          EXPECT_LE(all[i].x + all[i].width, w * scale + 1);
          EXPECT_LE(all[i].y + all[i].height, h * scale + 1);
          EXPECT_GE(all[i].width, 200 * scale);
          for (std::size_t j = 0; j < i; ++j) {
            const bool apart = all[i].x >= all[j].x + all[j].width || all[j].x >= all[i].x + all[i].width ||
                               all[i].y >= all[j].y + all[j].height || all[j].y >= all[i].y + all[i].height;
            EXPECT_TRUE(apart) << w << "×" << h << " at " << scale << ": " << i << " and " << j;
          }
        }
      }
    }
}

}  // namespace
}  // namespace lanescope::test
