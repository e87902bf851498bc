// A frame that is larger than the window: it keeps the panels' room, and the window follows bars and keyboard.

#include "gui/kit/canvas.h"

#include <algorithm>

#include "driver.h"
#include "gui/parts/presenting.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

gui::Options small_window() {
  gui::Options options;
  options.width = 1024, options.height = 640;
  return options;
}

// Everything is twice as large, so the window shows a quarter of the frame: its upper left.
void magnify(ImGuiTestContext& ui, Learner& learner) {
  learner.wait(ui);
  learner.state().settings.zoom = 2;
  ui.Yield(4);
}

// A click into the lower bar.
void look_to_the_right(ImGuiTestContext& ui, Learner& learner) {
  ui.MouseMoveToPos({900, 637});
  ui.MouseClick();
  ui.Yield(3);
  EXPECT_GT(learner.app().display().offset().x, 600);
}

bool on_screen(Learner& learner, ImVec2 low, ImVec2 high) {
  const ImVec2 at = learner.app().display().offset(), window = learner.app().display().room();
  return low.x >= at.x && low.y >= at.y && high.x <= at.x + window.x && high.y <= at.y + window.y;
}

ImRect focused() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]);
}

TEST(CanvasTest, PanelsKeepTheirRoomWhereTheWindowHasLess) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(ImGui::GetIO().DisplaySize.x, 1024);
    EXPECT_FALSE(ui.ItemExists("//columns_bar"));
    for (int i = 0; i < 20; ++i) ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal), ui.Yield(1);
    ui.Yield(2);
    EXPECT_FLOAT_EQ(learner.state().settings.zoom, 3);
    learner.state().settings.zoom = 2;
    ui.Yield(3);
    EXPECT_EQ(ImGui::GetIO().DisplaySize.x, 2048);
    EXPECT_EQ(ImGui::GetIO().DisplaySize.y, 1280);
    EXPECT_FLOAT_EQ(learner.app().look().scale(), 2);
    learner.saves(ui, "canvas-at-its-start");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
    ui.Yield(3);
    EXPECT_EQ(ImGui::GetIO().DisplaySize.x, 1024);
  });
}

TEST(CanvasTest, BarsMoveTheWindow) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    magnify(ui, learner);
    EXPECT_EQ(learner.app().display().offset().x, 0);
    look_to_the_right(ui, learner);
    EXPECT_EQ(learner.app().display().offset().y, 0);
    ui.MouseMoveToPos({learner.app().display().offset().x + 1021, 600});
    ui.MouseClick();
    ui.Yield(3);
    EXPECT_GT(learner.app().display().offset().y, 300);
    learner.saves(ui, "canvas-moved");
    const ImVec2 before = learner.app().display().offset();
    learner.state().settings.zoom = 2.2f;
    ui.Yield(4);
    const ImVec2 after = learner.app().display().offset();
    EXPECT_NEAR((after.x + 512) / (before.x + 512), 1.1f, 0.01f) << "the middle stays";
    EXPECT_NEAR((after.y + 320) / (before.y + 320), 1.1f, 0.01f);
  });
}

TEST(CanvasTest, ABarIsDragged) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    magnify(ui, learner);
    ui.MouseMoveToPos({200, 637});
    ui.MouseDown();
    float farthest = 0;
    for (float x = 200; x <= 300; x += 10) {  // the pointer moves in the window, and the frame below it
      ui.MouseTeleportToPos({learner.app().display().offset().x + x, 637});
      ui.Yield(1);
      farthest = std::max(farthest, learner.app().display().offset().x);
    }
    EXPECT_GT(farthest, 100);
    ui.MouseUp();
    ui.Yield(4);
    EXPECT_EQ(learner.app().display().offset().y, 0);
    ui.KeyPress(ImGuiKey_RightArrow);  // the keys still belong to the panels
    ui.Yield(2);
    EXPECT_NE(learner.session().place.position().step, 0u);
  });
}

TEST(CanvasTest, TheWindowFollowsTheKeyboard) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    magnify(ui, learner);
    ui.MouseMoveToPos({2, 2});
    for (int panel = 0; panel < 6; ++panel) {
      ui.KeyPress(ImGuiKey_F6);
      ui.Yield(6);
      const ImRect at = focused();
      EXPECT_TRUE(on_screen(learner, at.Min, at.Max)) << "panel " << panel << " at " << at.Min.x << ", " << at.Min.y;
    }
    const ImVec2 last = learner.app().display().offset();
    EXPECT_GT(last.x + last.y, 0);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ui.Yield(6);
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    ASSERT_GT(g.OpenPopupStack.Size, 0);
    const ImRect palette = g.OpenPopupStack[0].Window->Rect();
    EXPECT_GE(palette.Min.x, learner.app().display().offset().x);
    EXPECT_GE(palette.Min.y, learner.app().display().offset().y);
    ui.KeyPress(ImGuiKey_Escape);
  });
}

TEST(CanvasTest, ThePaletteLiesOnScreen) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    magnify(ui, learner);
    look_to_the_right(ui, learner);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ui.Yield(3);
    ui.KeyChars("stride");
    ui.Yield(8);
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    ASSERT_GT(g.OpenPopupStack.Size, 0);
    const ImGuiWindow* palette = g.OpenPopupStack[0].Window;
    EXPECT_TRUE(on_screen(learner, palette->Pos, palette->Rect().Max));
    EXPECT_EQ(palette->ScrollMax.x, 0) << "it is as wide as its text field";
    EXPECT_GT(learner.app().display().offset().x, 600) << "it comes to where the learner looks";
    learner.saves(ui, "canvas-palette");
  });
}

TEST(CanvasTest, TheTextCursorStaysOnScreen) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.clicks_into_line(ui, 1);
    learner.state().settings.zoom = 3;
    ui.Yield(4);
    for (int line = 0; line < 12; ++line) ui.KeyPress(ImGuiKey_DownArrow), ui.Yield(2);
    ui.KeyPress(ImGuiKey_End);
    ui.Yield(4);
    const ImGuiPlatformImeData& text = ImGui::GetCurrentContext()->PlatformImeData;
    EXPECT_TRUE(on_screen(learner, text.InputPos, {text.InputPos.x, text.InputPos.y + text.InputLineHeight}));
  });
}

// What present mode shows below the window's edge.
TEST(CanvasTest, PresentModeIsScrolledByWheelAndByKeys) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    magnify(ui, learner);
    ui.KeyPress(ImGuiKey_F5);
    learner.state().presenting->zoom = 2;
    ui.Yield(6);
    const auto offset = [&] { return learner.app().display().offset(); };
    const float below = ImGui::GetIO().DisplaySize.y - learner.app().display().room().y;
    const float beside = ImGui::GetIO().DisplaySize.x - learner.app().display().room().x;
    ASSERT_GT(below, 100);
    ASSERT_GT(beside, 100);
    ui.MouseMoveToPos({300, 300});
    ui.MouseWheelY(-1);
    ui.Yield(3);
    EXPECT_GT(offset().y, 0) << "by the wheel";
    for (int i = 0; i < 40; ++i) ui.MouseWheelY(-1);
    ui.Yield(3);
    EXPECT_FLOAT_EQ(offset().y, below) << "down to the end, and no further";
    learner.saves(ui, "present_scrolled");
    for (int i = 0; i < 40; ++i) ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_UpArrow);
    ui.Yield(3);
    EXPECT_FLOAT_EQ(offset().y, 0) << "by the keys";
    for (int i = 0; i < 40; ++i) ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_DownArrow);
    for (int i = 0; i < 40; ++i) ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_RightArrow);
    ui.Yield(3);
    EXPECT_FLOAT_EQ(offset().y, below);
    EXPECT_FLOAT_EQ(offset().x, beside);
    // The film keeps the wheel for itself.
    ui.KeyPress(ImGuiKey_F);
    ui.Yield(4);
    const ImGuiTestItemInfo film = ui.ItemInfo("**/masks", ImGuiTestOpFlags_NoError);
    if (film.ID == 0) return;
    ui.MouseMove("**/masks");
    const ImVec2 before = offset();
    ui.MouseWheelY(1);
    ui.Yield(3);
    EXPECT_FLOAT_EQ(offset().y, before.y);
  });
}

TEST(CanvasTest, HintsAndMessagesLieOnScreen) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) {
    magnify(ui, learner);
    look_to_the_right(ui, learner);
    const gui::PanelRect part = gui::part_on_screen();
    EXPECT_EQ(part.x, learner.app().display().offset().x);
    EXPECT_EQ(part.width, 1024);
    EXPECT_GE(gui::centred_on_screen(400), part.x);
    EXPECT_LE(gui::centred_on_screen(400) + 400, part.x + part.width);
  });
}

TEST(CanvasTest, APictureShowsAllOfThePanel) {
  Learner learner(small_window());
  learner.does([&](ImGuiTestContext& ui) { magnify(ui, learner); });
  learner.app().frame();  // the test engine has put back the sizes of its start
  const gui::Display::Picture picture = learner.app().display().whole_frame();
  EXPECT_EQ(picture.width, 2048);
  EXPECT_EQ(picture.height, 1280);
  EXPECT_EQ(picture.rgba.size(), 2048u * 1280 * 4);
  const std::vector<std::uint8_t> seen = learner.app().display().pixels();
  ASSERT_EQ(seen.size(), 1024u * 640 * 4);
  EXPECT_TRUE(std::equal(seen.begin(), seen.begin() + 1000 * 4, picture.rgba.begin())) << "the first line is the same";
}

}  // namespace
}  // namespace lanescope::test
