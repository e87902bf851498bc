#pragma once
// Keys that are pressed and released between two frames.

#include "imgui.h"

namespace lanescope::gui {

class Chords {
 public:
  // ImGui::NewFrame(). What must not come in one frame with what is before it waits for a later one:
  // - a modifier that changes after a key was pressed: Dear ImGui would take both at once, and Ctrl+P whose keys are up
  //   again before the frame would be P;
  // - a second key of editing: an editor carries out one of them in a frame. Another key of editing also leaves out the
  //   frame after that, because the editor asks for its shortcuts one frame ahead, and asks for none behind the one
  //   that it carries out.
  void new_frame();

 private:
  ImGuiKey edited_ = ImGuiKey_None;  // in the frame before
};

}  // namespace lanescope::gui
