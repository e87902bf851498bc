#include "gui/numbers/slider.h"

#include <algorithm>
#include <cmath>

#include "imgui.h"

namespace lanescope::gui {
namespace {

using lesson::Control;

std::int64_t positions_of(const Control& c) {
  if (!c.choices.empty()) return static_cast<std::int64_t>(c.choices.size());
  return (c.max - c.min) / std::max<std::int64_t>(c.step, 1) + 1;
}

// The legal value nearest to `value`.
std::int64_t legal(const Control& c, std::int64_t value) {
  if (!c.choices.empty())
    return *std::ranges::min_element(c.choices, {}, [&](std::int64_t v) { return std::llabs(v - value); });
  const std::int64_t step = std::max<std::int64_t>(c.step, 1);
  value = std::clamp(value, c.min, c.max);
  const std::int64_t snapped = c.min + (value - c.min + step / 2) / step * step;
  return std::min(snapped, c.min + (c.max - c.min) / step * step);
}

// The slider moves on a logarithmic scale: both 1,024 and 1,048,576 can be reached.
bool logarithmic(const Control& c) {
  return c.logarithmic && c.choices.empty() && c.min > 0;
}

float to_track(const Control& c, std::int64_t value) {
  if (!c.choices.empty()) {
    const auto at = std::ranges::find(c.choices, value) - c.choices.begin();
    return positions_of(c) > 1 ? static_cast<float>(at) / static_cast<float>(positions_of(c) - 1) : 0;
  }
  if (c.max <= c.min) return 0;
  const auto lo = static_cast<double>(c.min), hi = static_cast<double>(c.max), v = static_cast<double>(value);
  const double t = logarithmic(c) ? std::log(v / lo) / std::log(hi / lo) : (v - lo) / (hi - lo);
  return static_cast<float>(std::clamp(t, 0.0, 1.0));
}

std::int64_t from_track(const Control& c, float t) {
  if (!c.choices.empty())
    return c.choices[static_cast<std::size_t>(std::lround(t * static_cast<float>(positions_of(c) - 1)))];
  const auto lo = static_cast<double>(c.min), hi = static_cast<double>(c.max);
  const double v =
      logarithmic(c) ? lo * std::pow(hi / lo, static_cast<double>(t)) : lo + (hi - lo) * static_cast<double>(t);
  return legal(c, std::llround(v));
}

// The next legal value in direction `way`.
std::int64_t neighbour(const Control& c, std::int64_t value, int way) {
  if (!c.choices.empty()) {
    const auto at = std::ranges::find(c.choices, value) - c.choices.begin() + way;
    return c.choices[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(c.choices) - 1))];
  }
  if (logarithmic(c)) return legal(c, way > 0 ? value * 2 : value / 2);
  return legal(c, value + way * std::max<std::int64_t>(c.step, 1));
}

// The control that is being typed into, and the number so far.
struct Typing {
  std::string control;
  std::int64_t value = 0;
  bool first_frame = true;
};
Typing& typing() {
  static Typing state;
  return state;
}

bool type_value(const Look& look, const Control& control, std::int64_t& value, ImVec2 at, float width) {
  Typing& state = typing();
  ImGui::SetCursorScreenPos(at);
  ImGui::SetNextItemWidth(width);
  const UseFont font(look, type::number);
  if (state.first_frame) ImGui::SetKeyboardFocusHere();
  const bool entered = ImGui::InputScalar("##typed", ImGuiDataType_S64, &state.value, nullptr, nullptr, nullptr,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool left = !state.first_frame && !ImGui::IsItemActive();
  state.first_frame = false;
  if (!entered && !left) return false;
  if (entered) value = legal(control, state.value);
  state.control.clear();
  return entered;
}

// The unit is left out if the name contains it.
std::string with_unit(std::int64_t value, std::string_view caption, const std::string& unit) {
  const bool said = unit.empty() || caption.starts_with(unit);
  return said ? grouped(value) : grouped(value) + " " + unit;
}

}  // namespace

void SliderColumns::fit(const Look& look, const Control& control, std::string_view caption, const std::string& unit,
                        float width) {
  const std::int64_t most = control.choices.empty() ? control.max : std::ranges::max(control.choices);
  const auto room = [&](float& column, const TypeStyle& style, std::string_view text, float share) {
    const float needed = std::ceil(look.measure(style, text).x) + 1;
    column = std::max(column, std::min(needed, width * share));
  };
  room(label, type::small, caption, 0.42f);
  room(value, type::number, grouped(most), 0.27f);
  if (const float whole = look.measure(type::number, with_unit(most, caption, unit)).x; whole < width * 0.27f)
    room(value, type::number, with_unit(most, caption, unit), 0.27f);
}

Slide control_slider(const Look& look, const Control& control, std::int64_t& value, std::string_view caption,
                     const std::string& unit, const std::string& explain, const SliderColumns& columns,
                     float row_height) {
  ImGui::PushID(control.name.c_str());
  const Palette& p = look.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = look.px(row_height), y = at.y + height / 2;
  const float label_width = columns.label, value_width = columns.value;
  ImDrawList* list = ImGui::GetWindowDrawList();
  bool cut = false;
  draw_text(list, look, type::small, p.text, {at.x, y}, caption, HAlign::left, label_width, &cut);

  const float x0 = at.x + label_width + look.px(8), x1 = at.x + width - value_width - look.px(4);
  const float inset = look.px(8);
  const float track = std::max(1.0f, x1 - x0 - 2 * inset);
  const std::int64_t before = value;
  Slide happened = Slide::nothing;
  ImGui::SetCursorScreenPos({x0, at.y});
  pressable("track", {x1 - x0, height});
  if (const int way = keys_of_item(ImGuiKey_LeftArrow, ImGuiKey_RightArrow); way != 0) {
    value = neighbour(control, value, way);
    if (value != before) happened = Slide::released;
  }
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (active && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const float t = std::clamp((ImGui::GetIO().MousePos.x - x0 - inset) / track, 0.0f, 1.0f);
    value = from_track(control, t);
    if (value != before) happened = Slide::dragging;
  }
  if (ImGui::IsItemDeactivated()) happened = Slide::released;
  if (hovered && !active && !explain.empty())
    hint(look, explain, caption);
  else if (cut)
    hint(look, caption);

  const float half = look.px(4) / 2, knob_x = x0 + inset + track * to_track(control, value);
  list->AddRectFilled({x0 + inset, y - half}, {x1 - inset, y + half}, p.line, half);
  list->AddRectFilled({x0 + inset, y - half}, {knob_x, y + half}, p.accent, half);
  if (hovered || active) list->AddCircleFilled({knob_x, y}, look.px(12), with_alpha(p.accent, 0.22f));
  list->AddCircleFilled({knob_x, y}, look.px(8), p.text);

  if (typing().control == control.name) {
    if (type_value(look, control, value, {x1 + look.px(4), at.y}, value_width)) happened = Slide::released;
  } else {
    std::string said = grouped(value);
    // Adds the unit if it fits.
    if (const std::string whole = with_unit(value, caption, unit); look.measure(type::number, whole).x <= value_width)
      said = whole;
    ImGui::SetCursorScreenPos({x1 + look.px(4), at.y});
    if (pressable("value", {value_width, height})) typing() = {control.name, value, true};
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
      list->AddRectFilled({x1 + look.px(4), at.y + look.px(4)}, {at.x + width + look.px(4), at.y + height - look.px(4)},
                          p.hover, look.px(4));
    }
    draw_text(list, look, type::number, p.text, {at.x + width, y}, said, HAlign::right, value_width);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({width, 0});
  ImGui::PopID();
  return happened;
}

}  // namespace lanescope::gui
