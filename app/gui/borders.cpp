#include "gui/borders.h"

#include <algorithm>

namespace lanescope::gui {

namespace {
constexpr int border_count = 4;
}  // namespace

struct Borders::Border {
  const char* id;
  PanelRect gap;    // its rectangle
  bool upright;     // vertical line, which moves left and right
  float direction;  // direction of movement in which the panel grows
  float size;       // size of the panel in pixels
  float step;       // distance per arrow key, in device-independent pixels
  float& share;
};

Layout Borders::layout(float width_px, float height_px, const Look& look, bool schedules, float strip) const {
  const bool small = is_small(width_px, height_px, look);
  return layout_of(width_px, height_px, look, schedules, small ? shares_.small : shares_.large, strip);
}

void Borders::drag(const Border& border, float whole) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActivated()) size_before_ = border.size;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    border.share = 0;
  } else if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const float way =
        border.upright ? io.MousePos.x - io.MouseClickedPos[0].x : io.MousePos.y - io.MouseClickedPos[0].y;
    border.share = std::clamp((size_before_ + border.direction * way) / whole, 0.01f, 0.99f);
  }
}

// For the item drawn last.
void Borders::move_by_keys(const Border& border, float whole, float pixel) {
  const int way = border.upright ? keys_of_item(ImGuiKey_LeftArrow, ImGuiKey_RightArrow)
                                 : keys_of_item(ImGuiKey_UpArrow, ImGuiKey_DownArrow);
  if (way == 0) return;
  const float size = border.size + border.direction * static_cast<float>(way) * border.step * pixel;
  border.share = std::clamp(size / whole, 0.01f, 0.99f);
}

// Saves only when the drag has ended.
void Borders::save_when_still() {
  const bool held = ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsKeyDown(ImGuiKey_LeftArrow) ||
                    ImGui::IsKeyDown(ImGuiKey_RightArrow) || ImGui::IsKeyDown(ImGuiKey_UpArrow) ||
                    ImGui::IsKeyDown(ImGuiKey_DownArrow);
  if (held || shares_ == saved_) return;
  save_shares(folder_, shares_);
  saved_ = shares_;
}

void Borders::draw(const Ui& ui, const Layout& l, const PanelRect& all, bool schedules) {
  PanelShares& shares = is_small(all.width, all.height, ui.look) ? shares_.small : shares_.large;
  const auto right_of = [](const PanelRect& a, const PanelRect& b, float y1) {
    return PanelRect{a.x + a.width, a.y, b.x - a.x - a.width, y1 - a.y};
  };
  const auto under = [](const PanelRect& a, const PanelRect& b) {
    return PanelRect{b.x, a.y + a.height, b.width, b.y - a.y - a.height};
  };
  float& lower = schedules ? shares.schedules : shares.steps;
  const Border borders[border_count] = {
      {"lesson border", right_of(l.lesson, l.code, l.code.y + l.code.height), true, 1, l.lesson.width, 16,
       shares.lesson},
      {"code border", right_of(l.code, l.warp, l.steps.y + l.steps.height), true, 1, l.code.width, 16, shares.code},
      {"steps border", under(l.lesson, l.steps), false, -1, l.steps.height, 32, lower},
      {"time border", under(l.warp, l.time), false, -1, l.time.height, 16, shares.time}};
  for (int i = 0; i < border_count; ++i) {
    const Border& border = borders[i];
    const PanelRect& gap = border.gap;
    if (gap.height <= 0) continue;  // there are no times
    const float whole = border.upright ? all.width : all.height;
    ImGui::SetCursorScreenPos({all.x + gap.x, all.y + gap.y});
    const bool pressed = pressable(border.id, {std::max(1.0f, gap.width), std::max(1.0f, gap.height)});
    if (pressed && !ImGui::IsMouseReleased(ImGuiMouseButton_Left)) border.share = 0;
    const bool reached = ImGui::IsItemHovered() || ImGui::IsItemActive();
    if (reached) ImGui::SetMouseCursor(border.upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    drag(border, whole);
    move_by_keys(border, whole, ui.px(1));
    if (!reached) continue;
    const float half = ui.px(1);
    const float x = all.x + gap.x + gap.width / 2, y = all.y + gap.y + gap.height / 2;
    const ImVec2 a = border.upright ? ImVec2{x - half, all.y + gap.y} : ImVec2{all.x + gap.x, y - half};
    const ImVec2 b =
        border.upright ? ImVec2{x + half, all.y + gap.y + gap.height} : ImVec2{all.x + gap.x + gap.width, y + half};
    ImGui::GetWindowDrawList()->AddRectFilled(a, b, ui.colours().accent, half);
  }
  save_when_still();
}

}  // namespace lanescope::gui
