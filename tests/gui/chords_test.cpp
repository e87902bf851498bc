// Keys that are pressed and released between two frames.

#include <gtest/gtest.h>

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
  static void frame() {
    gui::new_frame();
    ImGui::EndFrame();
  }

 private:
  ImGuiContext *before_, *context_;
};

// As of `xdotool key ctrl+p`, which lets go of Ctrl first.
TEST_F(Keys, AChordWithinOneFrameKeepsItsModifier) {
  frame();
  change(ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_P, true);
  change(ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, false);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_P, false);
  int with = 0, without = 0;
  for (int i = 0; i < 5; ++i) {
    frame();
    if (ImGui::IsKeyPressed(ImGuiKey_P, false)) ++(ImGui::GetIO().KeyCtrl ? with : without);
  }
  EXPECT_EQ(with, 1);
  EXPECT_EQ(without, 0);
  EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_P));
}

// An editor carries out one of them in a frame.
TEST_F(Keys, TwoKeysOfEditingWithinOneFrameAreTakenOneAfterTheOther) {
  frame();
  for (const ImGuiKey key : {ImGuiKey_End, ImGuiKey_Backspace, ImGuiKey_LeftArrow})
    for (const bool down : {true, false}) ImGui::GetIO().AddKeyEvent(key, down);
  std::vector<ImGuiKey> taken;
  for (int i = 0; i < 8; ++i) {
    frame();
    int in_this_frame = 0;
    for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_End, ImGuiKey_Backspace})
      if (ImGui::IsKeyPressed(key, false)) taken.push_back(key), ++in_this_frame;
    EXPECT_LE(in_this_frame, 1);
  }
  EXPECT_EQ(taken, (std::vector<ImGuiKey>{ImGuiKey_End, ImGuiKey_Backspace, ImGuiKey_LeftArrow}));
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
