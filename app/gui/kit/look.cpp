#include "gui/kit/look.h"

#include <algorithm>
#include <cmath>

#include "gui/kit/line_breaks.h"
#include "implot.h"

namespace lanescope::gui {

ImU32 to_im(std::uint32_t rgb, float alpha) {
  const auto a = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255));
  return IM_COL32((rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, a);
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  const auto a = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255));
  return (colour & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

ImU32 mix(ImU32 a, ImU32 b, float t) {
  ImU32 out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const auto from = static_cast<float>((a >> shift) & 255);
    const auto to = static_cast<float>((b >> shift) & 255);
    out |= static_cast<ImU32>(std::lround(from + (to - from) * t)) << shift;
  }
  return out;
}

Palette make_palette(Theme theme) {
  const bool dark = theme == Theme::dark;
  const auto role = [&](Role r) { return to_im(diagram::colour(r, theme)); };
  Palette p;
  p.theme = theme;
  p.window = dark ? to_im(0x12151A) : to_im(0xEEF1F5);
  p.panel = role(Role::panel);
  p.raised = role(Role::raised);
  p.line = role(Role::line);
  p.text = role(Role::text);
  p.dim = role(Role::dim);
  p.faint = role(Role::faint);
  p.accent = role(Role::accent);
  p.accent_ink = dark ? to_im(0x0D1520) : to_im(0xFFFFFF);
  p.accent_soft = mix(p.panel, p.accent, dark ? 0.14f : 0.11f);
  p.executed = role(Role::executed);
  p.wasted = role(Role::wasted);
  p.wasted_text = to_im(diagram::text_colour(Role::wasted, theme));
  p.conflict = role(Role::conflict);
  p.better = role(Role::better);
  p.hover = dark ? to_im(0xFFFFFF, 0.06f) : to_im(0x000000, 0.05f);
  return p;
}

float Look::px(float dip) const {
  return std::round(dip * scale_);
}

float Look::size(TypeStyle style) const {
  const FontSlot& slot = fonts_[static_cast<std::size_t>(style.face)];
  return std::max(1.0f, std::round(style.em * slot.line_per_em * scale_));
}

ImVec2 Look::measure(TypeStyle style, std::string_view text, float wrap_width) const {
  if (text.empty()) return {0, 0};
  if (wrap_width > 0) {
    const auto rows = lines(style, text, wrap_width);
    float widest = 0;
    for (const std::string_view row : rows) widest = std::max(widest, measure(style, row).x);
    return {widest, size(style) + static_cast<float>(rows.size() - 1) * line_pitch(style)};
  }
  return font(style.face)->CalcTextSizeA(size(style), 3.4e38f, 0, text.data(), text.data() + text.size());
}

std::vector<std::string_view> Look::lines(TypeStyle style, std::string_view text, float width) const {
  return lines_of(text, width + 0.5f, [&](std::string_view piece) { return measure(style, piece).x; });
}

float Look::line_pitch(TypeStyle style) const {
  return std::round(style.em * 1.4f * scale_);
}

namespace {

void style_implot(const Palette& p, const Look& look) {
  ImPlotStyle& s = ImPlot::GetStyle();
  const auto set = [&](ImPlotCol slot, ImU32 colour) { s.Colors[slot] = ImGui::ColorConvertU32ToFloat4(colour); };
  set(ImPlotCol_FrameBg, with_alpha(p.panel, 0));
  set(ImPlotCol_PlotBg, with_alpha(p.panel, 0));
  set(ImPlotCol_PlotBorder, with_alpha(p.line, 0));
  set(ImPlotCol_AxisText, p.dim);
  set(ImPlotCol_AxisGrid, p.line);
  set(ImPlotCol_AxisTick, p.line);
  set(ImPlotCol_AxisBg, with_alpha(p.panel, 0));
  set(ImPlotCol_AxisBgHovered, with_alpha(p.panel, 0));
  set(ImPlotCol_AxisBgActive, with_alpha(p.panel, 0));
  set(ImPlotCol_InlayText, p.dim);
  set(ImPlotCol_Crosshairs, p.faint);
  s.PlotPadding = {look.px(4), look.px(8)};
  s.LabelPadding = {look.px(6), look.px(6)};
  s.MajorTickLen = {0, 0};
  s.MinorTickLen = {0, 0};
  s.MinorAlpha = 0;
}

}  // namespace

void Look::apply(Theme theme, float scale) {
  palette_ = make_palette(theme);
  scale_ = scale;
  const Palette& p = palette_;

  ImGuiStyle& s = ImGui::GetStyle();
  s = ImGuiStyle{};
  s.FontScaleMain = 1;
  s.FontScaleDpi = 1;  // sizes are already in pixels
  s.FontSizeBase = size(type::body);
  s.WindowPadding = {0, 0};
  s.WindowBorderSize = 0;
  s.WindowRounding = 0;
  s.ChildRounding = px(8);
  s.ChildBorderSize = 0;
  s.PopupRounding = px(8);
  s.PopupBorderSize = 1;
  s.FrameRounding = px(6);
  s.FramePadding = {px(10), px(6)};
  s.ItemSpacing = {px(8), px(8)};
  s.ItemInnerSpacing = {px(8), px(4)};
  s.ScrollbarSize = px(10);
  s.ScrollbarRounding = px(5);
  s.GrabRounding = px(6);
  s.DisabledAlpha = 0.45f;
  s.HoverDelayNormal = 0.35f;
  s.HoverStationaryDelay = 0.12f;
  s.AntiAliasedLinesUseTex = true;

  const auto set = [&](ImGuiCol slot, ImU32 colour) { s.Colors[slot] = ImGui::ColorConvertU32ToFloat4(colour); };
  for (auto& colour : s.Colors) colour = ImGui::ColorConvertU32ToFloat4(p.raised);
  const ImU32 clear = with_alpha(p.panel, 0);
  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.faint);
  set(ImGuiCol_WindowBg, p.window);
  set(ImGuiCol_ChildBg, clear);
  set(ImGuiCol_PopupBg, p.raised);
  set(ImGuiCol_Border, p.line);
  set(ImGuiCol_BorderShadow, clear);
  set(ImGuiCol_FrameBg, p.raised);
  set(ImGuiCol_FrameBgHovered, mix(p.raised, p.accent, 0.12f));
  set(ImGuiCol_FrameBgActive, mix(p.raised, p.accent, 0.2f));
  set(ImGuiCol_ScrollbarBg, clear);
  set(ImGuiCol_ScrollbarGrab, p.line);
  set(ImGuiCol_ScrollbarGrabHovered, p.faint);
  set(ImGuiCol_ScrollbarGrabActive, p.dim);
  set(ImGuiCol_CheckMark, p.accent);
  set(ImGuiCol_SliderGrab, p.accent);
  set(ImGuiCol_SliderGrabActive, p.accent);
  set(ImGuiCol_Button, p.raised);
  set(ImGuiCol_ButtonHovered, mix(p.raised, p.text, 0.08f));
  set(ImGuiCol_ButtonActive, mix(p.raised, p.text, 0.14f));
  set(ImGuiCol_Header, p.accent_soft);
  set(ImGuiCol_HeaderHovered, p.accent_soft);
  set(ImGuiCol_HeaderActive, mix(p.panel, p.accent, 0.25f));
  set(ImGuiCol_Separator, p.line);
  set(ImGuiCol_TextSelectedBg, with_alpha(p.accent, 0.35f));
  set(ImGuiCol_InputTextCursor, p.accent);
  set(ImGuiCol_NavCursor, p.accent);
  set(ImGuiCol_ModalWindowDimBg, to_im(0x000000, 0.45f));
  set(ImGuiCol_TableRowBg, clear);
  set(ImGuiCol_TableRowBgAlt, clear);
  if (ImPlot::GetCurrentContext() != nullptr) style_implot(p, *this);
}

UseFont::UseFont(const Look& look, TypeStyle style) {
  ImGui::PushFont(look.font(style.face), look.size(style));
}
UseFont::~UseFont() {
  ImGui::PopFont();
}

}  // namespace lanescope::gui
