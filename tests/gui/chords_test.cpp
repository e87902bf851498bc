// Keys that are pressed and released between two frames.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gui/kit/chords.h"
#include "imgui.h"

namespace lanescope {
namespace {

// A context of its own, without a window.
class Keys : public testing::Test {
 protected:
  Keys() : before_(ImGui::GetCurrentContext()), context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {100, 100};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  }
  ~Keys() override {
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(before_);
  }
  static void change(ImGuiKey modifier, ImGuiKey its_flag, bool down) {
    ImGui::GetIO().AddKeyEvent(its_flag, down);  // in the backend's order
    ImGui::GetIO().AddKeyEvent(modifier, down);
  }
  gui::Chords chords_;
  void frame() {
    chords_.new_frame();
    ImGui::EndFrame();
  }

 private:
  ImGuiContext *before_, *context_;
};

// As of `xdotool key ctrl+p`, which lets go of Ctrl first.
TEST_F(Keys, AChordWithinOneFrameKeepsItsModifier) {
  frame();
  for (const bool ctrl_is_down_before : {false, true}) {
    change(ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, true);
    if (ctrl_is_down_before) frame();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_P, true);
    change(ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, false);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_P, false);
    int with = 0, without = 0;
    for (int i = 0; i < 5; ++i) {
      frame();
      if (ImGui::IsKeyPressed(ImGuiKey_P, false)) ++(ImGui::GetIO().KeyCtrl ? with : without);
    }
    EXPECT_EQ(with, 1) << ctrl_is_down_before;
    EXPECT_EQ(without, 0);
    EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
    EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_P));
  }
}

// An editor carries out one of them in a frame.
TEST_F(Keys, TwoKeysOfEditingWithinOneFrameAreTakenOneAfterTheOther) {
  frame();
  // As fingers roll: the next key is down before the last one is up.
  for (const bool down : {true, false})
    for (const ImGuiKey key : {ImGuiKey_End, ImGuiKey_Backspace, ImGuiKey_LeftArrow})
      ImGui::GetIO().AddKeyEvent(key, down);
  std::vector<ImGuiKey> taken;
  for (int i = 0; i < 12; ++i) {
    frame();
    int in_this_frame = 0;
    for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_End, ImGuiKey_Backspace})
      if (ImGui::IsKeyPressed(key, false)) taken.push_back(key), ++in_this_frame;
    EXPECT_LE(in_this_frame, 1);
  }
  EXPECT_EQ(taken, (std::vector<ImGuiKey>{ImGuiKey_End, ImGuiKey_Backspace, ImGuiKey_LeftArrow}));
}

// As the code editor: one shortcut in a frame, and those behind it are not asked for. Dear ImGui routes a shortcut only
// if it was asked for in the frame before.
TEST_F(Keys, AnEditorThatStopsAtItsFirstShortcutGetsTheNextKeyToo) {
  std::vector<std::string> taken;
  const auto edit = [&] {
    chords_.new_frame();
    ImGui::SetNextWindowFocus();
    ImGui::Begin("editor");
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_A))
      taken.emplace_back("all");
    else if (ImGui::Shortcut(ImGuiKey_End))
      taken.emplace_back("end");
    else if (ImGui::Shortcut(ImGuiKey_Backspace, ImGuiInputFlags_Repeat))
      taken.emplace_back("backspace");
    ImGui::End();
    ImGui::EndFrame();
  };
  for (int i = 0; i < 3; ++i) edit();
  const auto press = [](ImGuiKey key) {
    for (const bool down : {true, false}) ImGui::GetIO().AddKeyEvent(key, down);
  };
  press(ImGuiKey_End), press(ImGuiKey_Backspace);
  change(ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, true);
  press(ImGuiKey_A);
  change(ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, false);
  press(ImGuiKey_Backspace);
  for (int i = 0; i < 16; ++i) edit();
  EXPECT_EQ(taken, (std::vector<std::string>{"end", "backspace", "all", "backspace"}));
}

TEST_F(Keys, AModifierAfterAKeyDoesNotCountForIt) {
  frame();
  ImGui::GetIO().AddKeyEvent(ImGuiKey_P, true);
  change(ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, true);
  frame();
  EXPECT_TRUE(ImGui::IsKeyPressed(ImGuiKey_P, false));
  EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
  frame();
  EXPECT_TRUE(ImGui::GetIO().KeyCtrl);
}

}  // namespace
}  // namespace lanescope
