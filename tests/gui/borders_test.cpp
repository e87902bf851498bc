// The borders between panels: dragged, moved by keys, reset, remembered.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "driver.h"
#include "gui/layout.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

// Position of a border in pixels.
float place_of(ImGuiTestContext& ui, const char* border, bool upright) {
  const ImRect at = ui.ItemInfo(border).RectFull;
  return upright ? at.Min.x : at.Min.y;
}

// The mouse cursor of the latest frame. Each frame resets it.
struct Cursor {
  Cursor() {
    ImGuiContextHook hook;
    hook.Type = ImGuiContextHookType_EndFramePre;
    hook.UserData = &shape;
    hook.Callback = [](ImGuiContext* context, ImGuiContextHook* of) {
      *static_cast<ImGuiMouseCursor*>(of->UserData) = context->MouseCursor;
    };
    id = ImGui::AddContextHook(ImGui::GetCurrentContext(), &hook);
  }
  ~Cursor() { ImGui::RemoveContextHook(ImGui::GetCurrentContext(), id); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ImGuiMouseCursor shape = ImGuiMouseCursor_None;
  ImGuiID id = 0;
};

struct BorderCase {
  const char* border;
  bool upright;
  float way;  // pixels; there is room for this move
};

class Border : public testing::TestWithParam<BorderCase> {};

TEST_P(Border, IsDraggedRememberedAndPutBackByADoubleClick) {
  const auto [border, upright, way] = GetParam();
  Learner learner;
  float usual = 0, dragged = 0;
  {
    Cursor cursor;
    learner.does([&, border = border, upright = upright, way = way](ImGuiTestContext& ui) {
      learner.wait(ui);
      usual = place_of(ui, border, upright);
      ui.MouseMove(border);
      ui.Yield(2);
      EXPECT_EQ(cursor.shape, upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
      ui.ItemDragWithDelta(border, upright ? ImVec2{way, 0} : ImVec2{0, way});
      ui.Yield(2);
      dragged = place_of(ui, border, upright);
      EXPECT_NEAR(dragged - usual, way, 2);
      EXPECT_TRUE(std::filesystem::exists(learner.state_folder() + "/lanescope/panels.json")) << "saved at once";
      learner.saves(ui, border + 3);
    });
  }
  learner.restarts();
  learner.does([&, border = border, upright = upright](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FLOAT_EQ(place_of(ui, border, upright), dragged);
    ui.ItemDoubleClick(border);
    ui.Yield(2);
    EXPECT_FLOAT_EQ(place_of(ui, border, upright), usual);
  });
}
INSTANTIATE_TEST_SUITE_P(Each, Border,
                         testing::Values(BorderCase{"**/lesson border", true, 60},
                                         BorderCase{"**/code border", true, -70},
                                         BorderCase{"**/steps border", false, -64},
                                         BorderCase{"**/time border", false, -50}));

TEST(Borders, FollowWhatWasChosenOnlyAsFarAsEveryPanelCanBeUsed) {
  Learner learner;  // a look needs its fonts
  gui::Look look;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
  for (const float scale : {1.0f, 2.0f}) {
    look.apply(gui::Theme::dark, scale);
    for (const auto& [w, h] : {std::pair{1024.f, 640.f}, {1280.f, 800.f}, {1920.f, 1080.f}, {2560.f, 1440.f}})
      for (const float wide : {-1.f, nan, infinite, 0.01f, 0.4f, 0.99f})
        for (const float high : {-1.f, nan, infinite, 0.01f, 0.4f, 0.99f})
          for (const bool schedules : {false, true}) {
            const gui::Layout l = gui::layout_of(w * scale, h * scale, look, schedules, {wide, wide, high, high, high});
            EXPECT_GE(l.lesson.width, 247 * scale);
            EXPECT_GE(l.code.width, 319 * scale);
            EXPECT_GE(l.warp.width, 359 * scale);
            EXPECT_GE(l.steps.height, 153 * scale);
            EXPECT_GE(l.time.height, 169 * scale);
            EXPECT_GE(l.code.height, 289 * scale);
            EXPECT_GE(l.warp.height, 339 * scale);
            EXPECT_LE(l.code.x + l.code.width, l.warp.x);
            EXPECT_LE(l.warp.x + l.warp.width, w * scale);
            EXPECT_LE(l.code.y + l.code.height, l.steps.y);
            EXPECT_LE(l.time.y + l.time.height, h * scale);
          }
  }
}

TEST(PanelShares, ComeBackAndDamageLeavesTheLayoutAsItIs) {
  const Learner learner;
  const std::string folder = learner.state_folder() + "/shares";
  EXPECT_EQ(gui::saved_shares(folder), gui::SavedShares{}) << "no file";
  const gui::SavedShares chosen{.small = {.time = 0.5f}, .large = {.lesson = 0.25f, .schedules = 0.375f}};
  gui::save_shares(folder, chosen);
  EXPECT_EQ(gui::saved_shares(folder), chosen);
  for (const char* text : {"", "{", "[1]", R"({"small": 3, "large": {"lesson": "wide"}})",
                           R"({"large": {"lesson": 1e300, "code": -0.5, "steps": 1, "time": null}})"}) {
    std::ofstream(folder + "/panels.json") << text;
    EXPECT_EQ(gui::saved_shares(folder), gui::SavedShares{}) << text;
  }
}

}  // namespace
}  // namespace lanescope::test
