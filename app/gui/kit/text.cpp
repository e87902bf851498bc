// The text functions of widgets.h: truncated lines with tooltips, paragraphs, hints.

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "gui/kit/canvas.h"
#include "gui/kit/text_fit.h"
#include "gui/kit/widgets.h"

namespace lanescope::gui {

std::function<void(const TextFit&)>& text_listener() {
  static std::function<void(const TextFit&)> listener;
  return listener;
}

namespace {

// How far the middle of the capitals is below the middle of the line, in pixels: fonts differ. A text stands in the
// middle of a cell or beside a mark if its capitals do.
float below_middle(ImFont* font, float size) {
  const ImFontGlyph* capital = font->GetFontBaked(size)->FindGlyph('H');
  return capital == nullptr ? 0 : (capital->Y0 + capital->Y1 - size) / 2;
}

}  // namespace

float draw_text(ImDrawList* list, const Look& look, TypeStyle style, ImU32 colour, ImVec2 at, std::string_view text,
                HAlign align, float max_width, bool* cut) {
  if (cut != nullptr) *cut = false;
  if (text.empty()) return 0;
  ImFont* font = look.font(style.face);
  const float size = look.size(style);
  const char* begin = text.data();
  const char* end = begin + text.size();
  float width = font->CalcTextSizeA(size, 3.4e38f, 0, begin, end).x;
  const float needed = width;
  const bool too_long = max_width > 0 && width > max_width + 0.5f;
  if (cut != nullptr) *cut = too_long;
  std::string shortened;
  if (too_long) {
    constexpr std::string_view ellipsis = "…";
    const float ellipsis_width =
        font->CalcTextSizeA(size, 3.4e38f, 0, ellipsis.data(), ellipsis.data() + ellipsis.size()).x;
    const char* rest = begin;
    font->CalcTextSizeA(size, std::max(0.0f, max_width - ellipsis_width), 0, begin, end, &rest);
    while (rest > begin && rest[-1] == ' ') --rest;
    shortened.assign(begin, rest).append(ellipsis);
    begin = shortened.data();
    end = begin + shortened.size();
    width = font->CalcTextSizeA(size, 3.4e38f, 0, begin, end).x;
  }
  float x = at.x;
  if (align == HAlign::centre) x -= width / 2;
  if (align == HAlign::right) x -= width;
  if (const auto& told = text_listener())
    told({text, needed, max_width, x, x + width, at.y, size, list, list->_CmdHeader.ClipRect});
  // Logged like Dear ImGui's own texts, so that tests can read the window.
  ImGui::LogText("%.*s ", static_cast<int>(end - begin), begin);
  list->AddText(font, size, {std::round(x), std::round(at.y - size / 2 - below_middle(font, size))}, colour, begin,
                end);
  return width;
}

void line_of_text(const Look& look, TypeStyle style, ImU32 colour, std::string_view text, float width_px, float height,
                  HAlign align) {
  const float width = width_px > 0 ? width_px : ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float h = look.px(height);
  bool cut = false;
  float x = at.x;
  if (align == HAlign::centre) x += width / 2;
  if (align == HAlign::right) x += width;
  draw_text(ImGui::GetWindowDrawList(), look, style, colour, {x, at.y + h / 2}, text, align, width, &cut);
  ImGui::Dummy({width, h});
  if (cut) hint(look, text);
}

const std::string& longest_fitting(const Look& look, TypeStyle style, std::span<const std::string> texts, float room) {
  for (const std::string& text : texts)
    if (look.measure(style, text).x <= room) return text;
  return texts.back();
}

void paragraph(const Look& look, TypeStyle style, ImU32 colour, std::string_view text, float width_px) {
  const float width = width_px > 0 ? width_px : ImGui::GetContentRegionAvail().x;
  if (text.empty()) return ImGui::Dummy({width, 0});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, draw_paragraph(ImGui::GetWindowDrawList(), look, style, colour, at, text, width)});
}

float draw_paragraph(ImDrawList* list, const Look& look, TypeStyle style, ImU32 colour, ImVec2 at,
                     std::string_view text, float width) {
  const float first = at.y, size = look.size(style);
  for (const std::string_view line : look.lines(style, text, width)) {
    draw_text(list, look, style, colour, {at.x, at.y + size / 2}, line);
    at.y += look.line_pitch(style);
  }
  return at.y - look.line_pitch(style) + size - first;
}

void show_hint(const Look& look, std::string_view text, std::string_view title) {
  const float pad = look.px(12);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, look.px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(2)));
  const float widest = std::min(look.px(360), part_on_screen().width * 0.6f);
  float needed = std::max(look.measure(type::small, text).x, look.measure(type::small_strong, title).x);
  needed = std::ceil(std::min(needed, widest)) + 1;
  const float high = (title.empty() ? 0 : look.measure(type::small_strong, title, needed).y + look.px(2)) +
                     (text.empty() ? 0 : look.measure(type::small, text, needed).y);
  keep_next_hint_on_screen({needed + 2 * pad, high + look.px(20)}, look.px(16));
  if (ImGui::BeginTooltip()) {
    if (!title.empty()) paragraph(look, type::small_strong, look.colours().text, title, needed);
    if (!text.empty())
      paragraph(look, type::small, title.empty() ? look.colours().text : look.colours().dim, text, needed);
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar(2);
}

void hint(const Look& look, std::string_view text, std::string_view title) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_NoSharedDelay |
                           ImGuiHoveredFlags_AllowWhenDisabled))
    show_hint(look, text, title);
}

std::string grouped(std::uint64_t value) {
  return lanescope::grouped(value);
}
std::string grouped(std::int64_t value) {
  if (value >= 0) return grouped(static_cast<std::uint64_t>(value));
  return "−" + grouped(std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

}  // namespace lanescope::gui
