#include "gui/kit/canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_internal.h"

namespace lanescope::gui {
namespace {

constexpr float bar_thickness = 8;  // as wide as the gap at the frame's edge, so that a bar covers no panel
constexpr float wheel_step = 64;    // device-independent pixels
constexpr int settling_frames = 3;  // Dear ImGui knows a new window's size one frame late

// The offset nearest to `now` at which [low, high] is seen; its start if it is too long.
float nearest(float now, float low, float high, float seen) {
  if (high > now + seen) now = high - seen;
  return std::min(now, low);
}

}  // namespace

void Canvas::fit(ImVec2 window, ImVec2 least) {
  const ImVec2 size{std::max(window.x, std::ceil(least.x)), std::max(window.y, std::ceil(least.y))};
  // What was in the middle of the window stays there when sizes change; the frame's start stays too.
  const auto moved = [](float offset, float seen, float before, float whole, float now) {
    const float middle = before > 0 ? (offset + seen / 2) * now / before : 0;
    return std::round(std::clamp(offset > 0 ? middle - whole / 2 : 0, 0.0f, now - whole));
  };
  offset_ = {moved(offset_.x, window_.x, size_.x, window.x, size.x),
             moved(offset_.y, window_.y, size_.y, window.y, size.y)};
  window_ = window, size_ = size;
  ImGuiViewportP* view = ImGui::GetCurrentContext()->Viewports[0];
  view->BuildWorkInsetMin = offset_;
  view->BuildWorkInsetMax = {size_.x - window.x - offset_.x, size_.y - window.y - offset_.y};
}

void Canvas::reveal(const PanelRect& rect) {
  offset_ = {nearest(offset_.x, rect.x, rect.x + rect.width, window_.x),
             nearest(offset_.y, rect.y, rect.y + rect.height, window_.y)};
}

void Canvas::follow_keyboard(float margin) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool pressed = std::ranges::any_of(g.IO.MouseDown, [](bool down) { return down; });
  if (pressed) return;  // what is pressed stays under the pointer
  const auto around = [&](const ImRect& r) {
    reveal({r.Min.x - margin, r.Min.y - margin, r.GetWidth() + 2 * margin, r.GetHeight() + 2 * margin});
  };
  const ImGuiWindow* top = g.NavWindow == nullptr ? nullptr : g.NavWindow->RootWindow;
  if (const unsigned id = top == nullptr ? 0 : top->ID; id != top_window_)
    top_window_ = id, settling_ = settling_frames;
  if (settling_ > 0 && --settling_ == 0 && top != nullptr && !(top->Flags & ImGuiWindowFlags_NoBringToFrontOnFocus))
    around(top->Rect());
  const ImGuiPlatformImeData& text = g.PlatformImeData;
  const bool moved = text.InputPos.x != cursor_.x || text.InputPos.y != cursor_.y;
  cursor_ = text.InputPos;
  if (text.WantVisible && moved) around({text.InputPos, {text.InputPos.x, text.InputPos.y + text.InputLineHeight}});
  if (g.NavCursorVisible && g.NavWindow != nullptr && g.NavId != nav_id_)
    around(ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]));
  nav_id_ = g.NavId;
}

void Canvas::move_by(const Look& look, ImVec2 steps) {
  const auto moved = [&](float offset, float by, float seen, float whole) {
    return std::clamp(offset + std::round(look.px(wheel_step) * by), 0.0f, std::max(0.0f, whole - seen));
  };
  offset_ = {moved(offset_.x, steps.x, window_.x, size_.x), moved(offset_.y, steps.y, window_.y, size_.y)};
}

namespace {

// True if Dear ImGui scrolls a window below the pointer by this wheel, or an item there uses it.
bool takes_wheel(ImGuiAxis axis, ImGuiKey wheel) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (ImGui::GetKeyOwner(wheel) != ImGuiKeyOwner_NoOwner) return true;
  for (const ImGuiWindow* window = g.HoveredWindow; window != nullptr; window = window->ParentWindow) {
    if (window->ScrollMax[axis] > 0 && (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) == 0) return true;
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) break;
  }
  return false;
}

}  // namespace

void Canvas::follow_wheel(const Look& look) {
  const ImGuiIO& io = ImGui::GetIO();
  ImVec2 wheel{io.MouseWheelH, io.MouseWheel};
  if (io.KeyShift && wheel.x == 0) std::swap(wheel.x, wheel.y);  // as Dear ImGui does
  if (wheel.x == 0 && wheel.y == 0) return;
  if (takes_wheel(ImGuiAxis_X, ImGuiKey_MouseWheelX)) wheel.x = 0;
  if (takes_wheel(ImGuiAxis_Y, ImGuiKey_MouseWheelY)) wheel.y = 0;
  move_by(look, {-wheel.x, -wheel.y});
}

bool Canvas::bar(const Look& look, int axis, float thick) {
  const bool across = axis == ImGuiAxis_X;
  const float seen = across ? window_.x : window_.y, whole = across ? size_.x : size_.y;
  if (whole <= seen) return false;
  // Where both bars meet, the one of the columns fills the corner.
  const float corner = size_.x > window_.x && size_.y > window_.y ? thick : 0, length = seen - (across ? 0 : corner);
  const ImVec2 at{offset_.x + (across ? 0 : window_.x - thick), offset_.y + (across ? window_.y - thick : 0)};
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(across ? ImVec2(length, thick) : ImVec2(thick, length));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, look.colours().window);
  ImGui::Begin(across ? "columns_bar" : "rows_bar", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImS64 scroll = static_cast<ImS64>(across ? offset_.x : offset_.y);
  ImRect bb = ImGui::GetCurrentWindow()->Rect();
  if (across) bb.Max.x -= corner;
  const bool held = ImGui::ScrollbarEx(bb, ImGui::GetID("bar"), static_cast<ImGuiAxis>(axis), &scroll,
                                       static_cast<ImS64>(seen), static_cast<ImS64>(whole));
  if (!held && ImGui::IsWindowFocused()) ImGui::SetWindowFocus(nullptr);  // the keys stay with the panels
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  (across ? offset_.x : offset_.y) = static_cast<float>(scroll);
  return held;
}

void Canvas::draw(const Look& look) {
  if (!is_larger()) {
    offset_ = {};
    return;
  }
  const float thick = std::round(look.px(bar_thickness));
  const bool columns = bar(look, ImGuiAxis_X, thick), rows = bar(look, ImGuiAxis_Y, thick);
  if (!columns && !rows) {
    follow_keyboard(look.px(2 * bar_thickness));
    follow_wheel(look);
  }
}

PanelRect part_on_screen() {
  const ImGuiViewport* view = ImGui::GetMainViewport();
  return {view->WorkPos.x, view->WorkPos.y, view->WorkSize.x, view->WorkSize.y};
}

float centred_on_screen(float width) {
  const PanelRect part = part_on_screen();
  return part.x + (part.width - width) / 2;
}

void keep_next_hint_on_screen(ImVec2 size, float away) {
  const PanelRect part = part_on_screen();
  const ImVec2 frame = ImGui::GetMainViewport()->Size, mouse = ImGui::GetIO().MousePos;
  if (part.width >= frame.x && part.height >= frame.y) return;
  const float x = std::min(mouse.x + away, part.x + part.width - size.x);
  const bool below = mouse.y + away + size.y <= part.y + part.height;
  const float y = below ? mouse.y + away : mouse.y - away - size.y;
  ImGui::SetNextWindowPos({std::max(x, part.x), std::max(y, part.y)});
}

}  // namespace lanescope::gui
