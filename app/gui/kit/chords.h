#pragma once
// Keys that are pressed and released between two frames.

namespace lanescope::gui {

// ImGui::NewFrame(). A modifier that changes after a key was pressed waits for the next frame: Dear ImGui would take
// both at once, and Ctrl+P whose keys are up again before the frame would be P.
void new_frame();

}  // namespace lanescope::gui
