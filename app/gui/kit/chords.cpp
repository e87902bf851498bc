#include "gui/kit/chords.h"

#include <vector>

#include "imgui_internal.h"

namespace lanescope::gui {
namespace {

bool is_modifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper) ||
         (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

// Moves the cursor or changes text by itself.
bool is_of_editing(ImGuiKey key) {
  return (key >= ImGuiKey_Tab && key <= ImGuiKey_Escape && key != ImGuiKey_Space) || key == ImGuiKey_KeypadEnter;
}

// How many of the waiting events belong into the next frame. `edited`: the key of editing in the frame before; set to
// that of this one.
int events_of_one_chord(const ImVector<ImGuiInputEvent>& events, ImGuiKey& edited) {
  const ImGuiIO& io = ImGui::GetIO();
  bool pressed = false, ctrl = io.KeyCtrl, alt = io.KeyAlt;
  const ImGuiKey before = edited;
  edited = ImGuiKey_None;
  for (int i = 0; i < events.Size; ++i) {
    if (events[i].Type != ImGuiInputEventType_Key) continue;
    const auto& [key, down, analogue] = events[i].Key;
    if (is_modifier(key)) {
      if (pressed) return i;
      if (key == ImGuiMod_Ctrl) ctrl = down;
      if (key == ImGuiMod_Alt) alt = down;
    } else if (down) {
      const bool edits = is_of_editing(key) || ctrl || alt;
      if (edits && (edited != ImGuiKey_None || (before != ImGuiKey_None && before != key))) return i;
      pressed = true;
      if (edits) edited = key;
    }
  }
  return events.Size;
}

}  // namespace

void Chords::new_frame() {
  ImVector<ImGuiInputEvent>& events = ImGui::GetCurrentContext()->InputEventsQueue;
  const int now = events_of_one_chord(events, edited_);
  const std::vector<ImGuiInputEvent> later(events.begin() + now, events.end());
  events.resize(now);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& one : later) events.push_back(one);
}

}  // namespace lanescope::gui
