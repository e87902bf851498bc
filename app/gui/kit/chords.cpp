#include "gui/kit/chords.h"

#include <vector>

#include "imgui_internal.h"

namespace lanescope::gui {
namespace {

bool is_modifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper) ||
         (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

// How many of the waiting events come before a modifier that changes after another key was pressed.
int events_of_one_chord(const ImVector<ImGuiInputEvent>& events) {
  bool pressed = false;
  for (int i = 0; i < events.Size; ++i) {
    if (events[i].Type != ImGuiInputEventType_Key) continue;
    if (is_modifier(events[i].Key.Key) && pressed) return i;
    pressed |= events[i].Key.Down && !is_modifier(events[i].Key.Key);
  }
  return events.Size;
}

}  // namespace

void new_frame() {
  ImVector<ImGuiInputEvent>& events = ImGui::GetCurrentContext()->InputEventsQueue;
  const int now = events_of_one_chord(events);
  const std::vector<ImGuiInputEvent> later(events.begin() + now, events.end());
  events.resize(now);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& one : later) events.push_back(one);
}

}  // namespace lanescope::gui
