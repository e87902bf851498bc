#include "gui/kit/chords.h"

#include <vector>

#include "imgui_internal.h"

namespace lanescope::gui {
namespace {

bool is_modifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper) ||
         (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

// Moves the cursor or removes text. An editor carries out one of them in a frame.
bool is_of_editing(ImGuiKey key) {
  return (key >= ImGuiKey_Tab && key <= ImGuiKey_Escape && key != ImGuiKey_Space) || key == ImGuiKey_KeypadEnter;
}

// How many of the waiting events come before a modifier that changes after another key was pressed, and before a second
// key of editing.
int events_of_one_chord(const ImVector<ImGuiInputEvent>& events) {
  bool pressed = false, edited = false;
  for (int i = 0; i < events.Size; ++i) {
    if (events[i].Type != ImGuiInputEventType_Key) continue;
    const auto& [key, down, analogue] = events[i].Key;
    if ((is_modifier(key) && pressed) || (down && edited && is_of_editing(key))) return i;
    pressed |= down && !is_modifier(key);
    edited |= down && is_of_editing(key);
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
