#include "gui/kit/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_internal.h"

namespace lanescope::gui {
namespace {

ImVec2 middle(ImVec2 a, ImVec2 b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

// A clickable area at the cursor; draws nothing.
bool area(const char* id, ImVec2 size, bool enabled = true) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = pressable(id, size);
  ImGui::EndDisabled();
  if (enabled && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed;
}

}  // namespace

namespace {

// Draws a ring around the visible part of the last item, on top of its contents.
void draw_ring(ImU32 colour) {
  const ImRect clip(ImGui::GetCurrentWindow()->ClipRect);
  const float line = std::max(2.0f, std::round(ImGui::GetStyle().FrameRounding / 3)), half = line / 2;
  ImRect ring(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ring.Expand(half);
  ring = {
      ImVec2{std::floor(std::max(ring.Min.x, clip.Min.x)) + half, std::floor(std::max(ring.Min.y, clip.Min.y)) + half},
      ImVec2{std::ceil(std::min(ring.Max.x, clip.Max.x)) - half, std::ceil(std::min(ring.Max.y, clip.Max.y)) - half}};
  if (ring.IsInverted()) return;
  // It lies over all windows, so it would cross out what a hint says.
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->WasActive && window->Rect().Overlaps(ring)) return;
  ImGui::GetForegroundDrawList()->AddRect(ring.Min, ring.Max, colour, ImGui::GetStyle().FrameRounding, line);
}

}  // namespace

bool pressable(const char* id, ImVec2 size_px) {
  const ImU32 colour = ImGui::GetColorU32(ImGuiCol_NavCursor);
  ImGui::PushStyleColor(ImGuiCol_NavCursor, 0);
  const bool pressed = ImGui::InvisibleButton(id, size_px, ImGuiButtonFlags_EnableNav);
  ImGui::PopStyleColor();
  if (ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible) draw_ring(colour);
  return pressed;
}

// If the focused item were drawn later in this frame, Dear ImGui would revert the request.
void place_list_at_item(const Look& look) {
  const ImGuiViewport& window = *ImGui::GetMainViewport();
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const float gap = look.px(2), edge = look.px(8), widest = look.px(240);
  const float below = window.WorkPos.y + window.WorkSize.y - b.y - gap - edge,
              above = a.y - window.WorkPos.y - gap - edge;
  const bool up = below < look.px(180) && above > below;
  const float x =
      std::max(window.WorkPos.x + edge, std::min(a.x, window.WorkPos.x + window.WorkSize.x - widest - edge));
  ImGui::SetNextWindowPos({x, up ? a.y - gap : b.y + gap}, ImGuiCond_Always, {0, up ? 1.0f : 0.0f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(look.px(60), up ? above : below)});
}

void focus_next_item() {
  ImGui::GetCurrentContext()->NavId = 0;
  ImGui::SetKeyboardFocusHere();
}

int keys_of_item(ImGuiKey less, ImGuiKey more) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!ImGui::IsItemFocused() || !g.NavCursorVisible) return 0;
  const ImGuiID id = ImGui::GetItemID();
  int way = 0;
  for (const auto& [key, by] : {std::pair{less, -1}, {more, 1}}) {
    if (ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, id)) way += by;
    ImGui::SetKeyOwner(key, id);
  }
  return way;
}

FieldStyle::FieldStyle(const Look& look, ImU32 ground, ImVec2 padding) : font_(look, type::number) {
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ground);
  ImGui::PushStyleColor(ImGuiCol_Border, look.colours().line);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, look.px(1)));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, look.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.px(padding.x), look.px(padding.y)));
}

FieldStyle::~FieldStyle() {
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor(2);
}

void begin_panel(const Look& look, const char* name, const PanelRect& rect) {
  const ImVec2 a{rect.x, rect.y}, b{rect.x + rect.width, rect.y + rect.height};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(a, b, look.colours().panel, look.px(8));
  list->AddRect(a, b, look.colours().line, look.px(8), std::max(1.0f, look.px(1)));
  ImGui::SetCursorScreenPos(a);
  ImGui::BeginChild(name, {rect.width, rect.height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
}

void end_panel() {
  ImGui::Dummy({0, 0});  // Dear ImGui needs an item after the cursor was moved
  ImGui::EndChild();
}

Strip panel_strip(const Look& look, float height, bool line_below) {
  const ImVec2 at = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth();
  const float h = look.px(height);
  if (line_below)
    ImGui::GetWindowDrawList()->AddRectFilled({at.x + look.px(1), at.y + h - look.px(1)},
                                              {at.x + width - look.px(1), at.y + h}, look.colours().line);
  ImGui::SetCursorScreenPos({at.x, at.y + h});
  return {at.x + look.px(16), at.x + width - look.px(16), at.y, at.y + h, at.y + h / 2};
}

int tab_strip(const Look& look, const char* id, std::span<const TabItem> items, int selected, float height,
              float right_limit_px) {
  ImGui::PushID(id);
  const Palette& p = look.colours();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float limit =
      right_limit_px > 0 ? right_limit_px : ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - look.px(16);
  const float room = limit - start.x;
  const auto gaps = static_cast<float>(std::max<std::size_t>(items.size(), 2) - 1);
  // If the words do not fit, they get smaller and closer. If that is not enough, tabs become numbers with a hint: those
  // that lead nowhere now, and then all but the selected one.
  enum class Numbers : std::uint8_t { none, of_disabled, of_others };
  const int current = selected;
  const auto is_number = [&](int i, Numbers numbers) {
    return i != current && (numbers == Numbers::of_others ||
                            (numbers == Numbers::of_disabled && !items[static_cast<std::size_t>(i)].enabled));
  };
  const auto said = [&](int i, Numbers numbers) {
    return is_number(i, numbers) ? std::to_string(i + 1) : std::string(items[static_cast<std::size_t>(i)].label);
  };
  const auto total = [&](TypeStyle style, Numbers numbers) {
    float sum = 0;
    for (int i = 0; i < static_cast<int>(items.size()); ++i) sum += look.measure(style, said(i, numbers)).x;
    return sum;
  };
  const auto closer = [&](Numbers numbers) { return total(type::caption_strong, numbers) + gaps * look.px(5) <= room; };
  const bool small = total(type::small_strong, Numbers::none) + gaps * look.px(8) > room;
  const Numbers numbers = !small || closer(Numbers::none) ? Numbers::none
                          : closer(Numbers::of_disabled)  ? Numbers::of_disabled
                                                          : Numbers::of_others;
  const bool captions = small && numbers != Numbers::of_others;
  const TypeStyle strong = captions ? type::caption_strong : type::small_strong,
                  plain = captions ? type::caption : type::small_medium;
  const float gap = std::clamp((room - total(strong, numbers)) / gaps, look.px(captions ? 5.0f : 8.0f), look.px(20));
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = start.x;
  for (int i = 0; i < static_cast<int>(items.size()); ++i) {
    const TabItem& item = items[static_cast<std::size_t>(i)];
    const TypeStyle style = i == current ? strong : plain;
    const std::string text = said(i, numbers);
    const float width = look.measure(style, text).x;
    ImGui::SetCursorScreenPos({x - gap / 2, start.y});
    if (area(item.id, {width + gap, look.px(height)}, item.enabled)) selected = i;
    const bool hovered = ImGui::IsItemHovered() && item.enabled;
    if (!item.enabled && !item.why_not.empty())
      hint(look, item.why_not, item.label);
    else if (is_number(i, numbers))
      hint(look, item.label);
    const ImU32 colour = !item.enabled ? with_alpha(p.faint, 0.6f) : i == current || hovered ? p.text : p.dim;
    draw_text(list, look, style, colour, {x, start.y + look.px(height) / 2}, text);
    if (i == current)
      list->AddRectFilled({x, start.y + look.px(height - 3)}, {x + width, start.y + look.px(height - 1)}, p.accent,
                          look.px(1));
    x += width + gap;
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos({start.x, start.y + look.px(height)});
  return selected;
}

void draw_icon(ImDrawList* list, const Look& look, Icon icon, ImVec2 c, ImU32 colour, float size) {
  const float r = look.px(size) / 2;
  const float bar = std::max(1.0f, look.px(1.5f));
  const auto triangle = [&](float direction, float dx) {
    list->AddTriangleFilled({c.x + dx - direction * r * 0.8f, c.y - r}, {c.x + dx + direction * r * 0.9f, c.y},
                            {c.x + dx - direction * r * 0.8f, c.y + r}, colour);
  };
  switch (icon) {
    case Icon::play:
      triangle(1, 0);
      break;
    case Icon::next:
      triangle(1, 0);
      break;
    case Icon::previous:
      triangle(-1, 0);
      break;
    case Icon::first:
      triangle(-1, r * 0.3f);
      list->AddRectFilled({c.x - r - bar, c.y - r}, {c.x - r, c.y + r}, colour);
      break;
    case Icon::last:
      triangle(1, -r * 0.3f);
      list->AddRectFilled({c.x + r, c.y - r}, {c.x + r + bar, c.y + r}, colour);
      break;
    case Icon::down:
      list->AddTriangleFilled({c.x - r, c.y - r * 0.6f}, {c.x + r, c.y - r * 0.6f}, {c.x, c.y + r * 0.8f}, colour);
      break;
    case Icon::stop:
      list->AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour, look.px(1));
      break;
    case Icon::menu:
      for (int i = -1; i <= 1; ++i)
        list->AddCircleFilled({c.x + static_cast<float>(i) * r * 1.2f, c.y}, std::max(1.0f, r * 0.32f), colour);
      break;
    case Icon::reset:
      list->PathArcTo(c, r, -2.2f, 2.6f, 24);
      list->PathStroke(colour, bar);
      list->AddTriangleFilled({c.x - r * 1.1f, c.y - r * 1.25f}, {c.x - r * 1.1f, c.y - r * 0.1f},
                              {c.x + r * 0.05f, c.y - r * 0.75f}, colour);
      break;
    case Icon::close:
      list->AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour, bar);
      list->AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, colour, bar);
      break;
    case Icon::check:
      list->PathLineTo({c.x - r, c.y});
      list->PathLineTo({c.x - r * 0.25f, c.y + r * 0.7f});
      list->PathLineTo({c.x + r, c.y - r * 0.7f});
      list->PathStroke(colour, bar * 1.2f);
      break;
  }
}

bool icon_button(const Look& look, const char* id, Icon icon, std::string_view what, bool enabled, float size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float s = look.px(size);
  const bool pressed = area(id, {s, s}, enabled);
  const Palette& p = look.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hovered = enabled && ImGui::IsItemHovered();
  if (hovered) list->AddRectFilled(at, {at.x + s, at.y + s}, p.hover, look.px(6));
  draw_icon(list, look, icon, {at.x + s / 2, at.y + s / 2},
            !enabled  ? with_alpha(p.faint, 0.5f)
            : hovered ? p.text
                      : p.dim,
            size * 0.34f);
  if (!what.empty()) hint(look, what);
  return pressed;
}

float button_width(const Look& look, std::string_view label, std::string_view key, bool icon) {
  float width = look.measure(type::small_strong, label).x + look.px(28);
  if (icon) width += look.px(18);
  if (!key.empty()) width += look.measure(type::caption, key).x + look.px(8);
  return std::round(width);
}

bool button(const Look& look, const char* id, std::string_view label, ButtonKind kind, std::string_view key,
            float progress, float width_px, bool enabled) {
  const Palette& p = look.colours();
  const bool with_icon = kind == ButtonKind::primary;
  const float width = width_px > 0 ? width_px : button_width(look, label, key, with_icon);
  const ImVec2 a = ImGui::GetCursorScreenPos();
  const ImVec2 b{a.x + width, a.y + look.px(34)};
  const bool pressed = area(id, {b.x - a.x, b.y - a.y}, enabled);
  const bool hovered = enabled && ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImU32 ground = kind == ButtonKind::primary ? p.accent : p.raised;
  if (kind == ButtonKind::quiet)
    ground = hovered ? p.hover : with_alpha(p.panel, 0);
  else if (hovered)
    ground = mix(ground, kind == ButtonKind::primary ? p.accent_ink : p.text, 0.09f);
  ImU32 ink = kind == ButtonKind::primary ? p.accent_ink : kind == ButtonKind::quiet ? p.accent : p.text;
  if (!enabled) ink = p.faint;
  list->AddRectFilled(a, b, ground, look.px(6));
  if (kind == ButtonKind::plain) list->AddRect(a, b, p.line, look.px(6), std::max(1.0f, look.px(1)));
  if (progress >= 0) {
    list->PushClipRect(a, {a.x + (b.x - a.x) * std::min(progress, 1.0f), b.y}, true);
    list->AddRectFilled({a.x, b.y - look.px(4)}, b, with_alpha(ink, 0.55f), look.px(2));
    list->PopClipRect();
  }
  const ImVec2 c = middle(a, b);
  const float text_width = look.measure(type::small_strong, label).x;
  const float key_width = key.empty() ? 0 : look.measure(type::caption, key).x + look.px(8);
  float x = c.x - (text_width + key_width + (with_icon ? look.px(18) : 0)) / 2;
  if (with_icon) {
    draw_icon(list, look, progress >= 0 ? Icon::stop : Icon::play, {x + look.px(5), c.y}, ink, 10);
    x += look.px(18);
  }
  draw_text(list, look, type::small_strong, ink, {x, c.y}, label, HAlign::left, width - look.px(8));
  if (!key.empty())
    draw_text(list, look, type::caption, with_alpha(ink, 0.75f), {x + text_width + look.px(8), c.y}, key);
  return pressed;
}

float chip_width(const Look& look, std::string_view label) {
  return std::round(look.measure(type::small_strong, label).x) + look.px(28);
}

bool chip(const Look& look, const char* id, std::string_view label, bool selected, bool marked, ImU32 outline) {
  const Palette& p = look.colours();
  const ImVec2 a = ImGui::GetCursorScreenPos();
  const ImVec2 b{a.x + chip_width(look, label), a.y + look.px(30)};
  const bool pressed = area(id, {b.x - a.x, b.y - a.y});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (selected) {
    list->AddRectFilled(a, b, mix(p.panel, p.executed, 0.2f), look.px(6));
    list->AddRect(a, b, p.executed, look.px(6), std::max(1.0f, look.px(1)));
  } else if (outline != 0) {
    list->AddRectFilled(a, b, mix(p.panel, outline, 0.2f), look.px(6));
    list->AddRect(a, b, outline, look.px(6), std::max(1.0f, look.px(1)));
  } else if (hovered) {
    list->AddRectFilled(a, b, p.hover, look.px(6));
  }
  const ImVec2 c = middle(a, b);
  selected |= outline != 0;
  draw_text(list, look, selected ? type::small_strong : type::small_medium, selected || hovered ? p.text : p.dim, c,
            label, HAlign::centre);
  if (marked) list->AddCircleFilled({b.x - look.px(8), a.y + look.px(8)}, look.px(5) / 2, p.accent);
  return pressed;
}

bool stepper(const Look& look, const char* id, std::string_view label, std::uint32_t& value, std::uint32_t count) {
  ImGui::PushID(id);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.px(26);
  const std::string said = std::string(label) + " " + grouped(std::uint64_t{value});
  const float width = draw_text(ImGui::GetWindowDrawList(), look, type::small_medium, look.colours().text,
                                {at.x, at.y + height / 2}, said);
  const std::uint32_t before = value;
  ImGui::SetCursorScreenPos({at.x + width + look.px(4), at.y + look.px(3)});
  if (icon_button(look, "down", Icon::previous, {}, value > 0, 20)) --value;
  ImGui::SetCursorScreenPos({at.x + width + look.px(22), at.y + look.px(3)});
  if (icon_button(look, "up", Icon::next, {}, value + 1 < count, 20)) ++value;
  ImGui::SetCursorScreenPos({at.x + width + look.px(42), at.y});
  ImGui::PopID();
  return value != before;
}

bool scrubber(const Look& look, const char* id, std::size_t& value, std::size_t count, float width_px) {
  const Palette& p = look.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.px(20);
  ImGui::InvisibleButton(id, {width_px, height});
  const std::size_t before = value;
  const float inset = look.px(6);
  const float track = std::max(1.0f, width_px - 2 * inset);
  const auto last = static_cast<float>(count > 1 ? count - 1 : 1);
  if (ImGui::IsItemActive() && count > 1) {
    const float t = std::clamp((ImGui::GetIO().MousePos.x - at.x - inset) / track, 0.0f, 1.0f);
    value = static_cast<std::size_t>(std::lround(t * last));
  }
  const float y = at.y + height / 2;
  const float x = at.x + inset + track * static_cast<float>(value) / last;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float half = look.px(4) / 2;
  list->AddRectFilled({at.x + inset, y - half}, {at.x + width_px - inset, y + half}, p.line, half);
  list->AddRectFilled({at.x + inset, y - half}, {x, y + half}, p.accent, half);
  list->AddCircleFilled({x, y}, look.px(ImGui::IsItemHovered() || ImGui::IsItemActive() ? 7.0f : 6.0f), p.text);
  return value != before;
}

void begin_card(const Look& look, const char* id, ImU32 ground, float padding_y_px) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ground);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(16), padding_y_px > 0 ? padding_y_px : look.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, look.px(6));
  ImGui::BeginChild(id, {0, 0},
                    ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
}

void end_card(const Look&) {
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

Faded::Faded(float alpha) : list_(ImGui::GetWindowDrawList()), first_(list_->VtxBuffer.Size), alpha_(alpha) {}

Faded::~Faded() {
  if (alpha_ >= 1) return;
  for (int i = first_; i < list_->VtxBuffer.Size; ++i) {
    ImU32& colour = list_->VtxBuffer[i].col;
    const auto before = static_cast<float>((colour >> IM_COL32_A_SHIFT) & 255);
    colour = with_alpha(colour, before / 255 * alpha_);
  }
}

}  // namespace lanescope::gui
