#include "gui/warp/pin_row.h"

#include <algorithm>

#include <fmt/format.h>

#include "gui/kit/widgets.h"
#include "gui/warp/values_rows.h"

namespace lanescope::gui {

namespace {

// Describes the lane's element by the values of the step; until they are available, by the picture's text.
std::string told(const Ui& ui, const Replays::Pin& pin) {
  std::string said = pin.text;
  for (char& letter : said)
    if (letter == '\n') letter = ' ';
  const Result<job::StepValues>* values = ui.session.replays.values();
  if (pin.lane < 0 || values == nullptr || !*values) return said;
  const auto lane = static_cast<std::size_t>(pin.lane);
  std::string elements;
  for (const job::AccessValues& access : (*values)->access)
    for (const auto& element : access.elements) {
      if (element.names[lane].empty()) continue;
      const auto value = [&](const job::LaneValues& values, LaneMask has) {
        return has.test(pin.lane) ? job::value_text(values[lane], access.type, ui.session.replays.base)
                                  : ui.told("never written");
      };
      const std::string before = value(element.before, element.has_before);
      const std::string after = value(element.after, element.has_after);
      elements += fmt::format("{} = {} · ", element.names[lane], before == after ? after : before + " → " + after);
    }
  if (!elements.empty()) elements += fmt::format("0x{:x} · ", (*values)->access.front().addresses[lane]);
  const trace::Site* site = ui.session.place.site();
  std::string where =
      fmt::format("block {} · warp {} · lane {}", (*values)->step.block, (*values)->step.warp, pin.lane);
  if (site != nullptr) where += of_line(ui, site->line);
  where += " · " + step_name(ui, (*values)->step);
  return elements + where;
}

float room_for(const Ui& ui, float width) {
  return width - ui.px(2 * 26 + 20);
}

}  // namespace

float pin_height(const Ui& ui, const Replays::Pin& pin, float width) {
  return std::max(ui.look.measure(type::number, told(ui, pin), room_for(ui, width)).y + ui.px(8), ui.px(30)) + ui.px(6);
}

void pin_row(const Ui& ui, const Replays::Pin& pin, float width) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = pin_height(ui, pin, width) - ui.px(6);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, p.accent_soft, ui.px(6));
  list->AddRectFilled(at, {at.x + ui.px(3), at.y + height}, p.accent, ui.px(2));
  draw_paragraph(list, ui.look, type::number, p.text, {at.x + ui.px(10), at.y + ui.px(4)}, told(ui, pin),
                 room_for(ui, width));
  Session& s = ui.session;
  ImGui::SetCursorScreenPos({at.x + width - ui.px(54), at.y + ui.px(2)});
  if (icon_button(ui.look, "pin values", Icon::next, ui.tr(Label::pin_values), pin.lane >= 0))
    ui.window.afterwards([&s, lane = pin.lane] {
      s.replays.open = true, s.memory.open = false;
      s.replays.lane = lane;
    });
  ImGui::SetCursorScreenPos({at.x + width - ui.px(28), at.y + ui.px(2)});
  if (icon_button(ui.look, "unpin", Icon::close, ui.tr(Label::pin_close)))
    ui.window.afterwards([&s] { s.replays.unpin(); });
  ImGui::SetCursorScreenPos({at.x, at.y + height + ui.px(6)});
}

}  // namespace lanescope::gui
