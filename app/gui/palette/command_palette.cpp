#include "gui/palette/command_palette.h"

#include <algorithm>

#include "core/worded.h"
#include "gui/kit/canvas.h"
#include "gui/palette/fuzzy.h"

namespace lanescope::gui {
namespace {

constexpr float entry_height = 32;
constexpr int most_rows = 12;

// A text field of this width in the window's font.
bool field(const Ui& ui, const char* id, char* text, std::size_t size, const std::string& hint, float width) {
  const UseFont font(ui.look, type::body);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(12), ui.px(8)));
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputTextWithHint(id, hint.c_str(), text, size, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleVar();
  return entered;
}

}  // namespace

// Rebuilt with each frame, because commands may change or become impossible.
void CommandPalette::search(const Ui& ui) {
  const std::string typed = typed_.data();
  if (typed != searched_) searched_ = typed, chosen_ = 0, moved_ = true;
  found_ = commands_of(ui, typed);
  if (!typed.empty()) {
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Command& one = found_[i];
      const int score = std::max({fuzzy_score(typed, one.name), fuzzy_score(typed, one.group + " " + one.name) - 64,
                                  fuzzy_score(typed, one.name + " " + one.group + " " + one.also) - 128});
      if (score >= 0) order.emplace_back(-score, i);
    }
    std::ranges::stable_sort(order, {}, &std::pair<int, std::size_t>::first);
    std::vector<Command> best;
    for (const auto& [score, i] : order) best.push_back(std::move(found_[i]));
    found_ = std::move(best);
  }
  chosen_ = std::min(chosen_, found_.empty() ? 0 : found_.size() - 1);
}

bool CommandPalette::row(const Ui& ui, const Command& command, bool chosen, float width) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(entry_height), y = at.y + height / 2;
  const bool pressed = ImGui::InvisibleButton("command", {width, height});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen || hovered)
    list->AddRectFilled(at, {at.x + width, at.y + height}, chosen ? mix(p.raised, p.accent, 0.18f) : p.hover, ui.px(6));
  if (command.current) draw_icon(list, ui.look, Icon::check, {at.x + ui.px(14), y}, p.accent, 8);
  float right = at.x + width - ui.px(12);
  if (!command.keys.empty())
    right -= draw_text(list, ui.look, type::number, p.dim, {right, y}, command.keys, HAlign::right) + ui.px(16);
  right -= draw_text(list, ui.look, type::caption, p.dim, {right, y}, command.group, HAlign::right) + ui.px(16);
  const float left = at.x + ui.px(28);
  bool cut = false;
  draw_text(list, ui.look, chosen ? type::small_strong : type::small_medium, p.text, {left, y}, command.name,
            HAlign::left, right - left, &cut);
  if (cut) hint(ui.look, command.name);
  return pressed;
}

void CommandPalette::rows(const Ui& ui, float width) {
  const float height = ui.px(entry_height);
  const float room = part_on_screen().height * 0.6f;
  const int shown =
      std::clamp(static_cast<int>(found_.size()), 1, std::min(most_rows, static_cast<int>(room / height)));
  ImGui::BeginChild("commands found", {width, height * static_cast<float>(shown)}, ImGuiChildFlags_NavFlattened);
  if (found_.empty())
    line_of_text(ui.look, type::small, ui.colours().dim, ui.told(worded("No command matches.")), width, entry_height);
  const float inner = ImGui::GetContentRegionAvail().x;
  std::size_t pressed = found_.size();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (row(ui, found_[i], i == chosen_, inner)) pressed = i;
    if (i == chosen_ && moved_) ImGui::SetScrollHereY(), moved_ = false;
    ImGui::PopID();
  }
  ImGui::EndChild();
  if (pressed == found_.size()) return;
  ui.window.afterwards(found_[pressed].run);
  ImGui::CloseCurrentPopup();
}

void CommandPalette::draw(const Ui& ui) {
  if (asked_) {
    asked_ = false;
    ImGui::OpenPopup("commands");
    typed_.fill(0), searched_.clear(), chosen_ = 0, moved_ = true;
    ui.window.other_languages = true;  // a language's command is named in its own script
  }
  const PanelRect part = part_on_screen();
  const float width = std::min(ui.px(620), part.width - ui.px(64)), pad = ui.px(8);
  ImGui::SetNextWindowPos({centred_on_screen(width + 2 * pad), part.y + ui.px(56)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  open_ = ImGui::BeginPopup("commands", ImGuiWindowFlags_NoMove);
  if (open_) {
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool entered = field(ui, "##command", typed_.data(), typed_.size(),
                               ui.told(worded("What to do: lesson, variant, value, view …")), width);
    search(ui);
    if (entered && found_.empty()) ImGui::SetKeyboardFocusHere(-1);  // Enter removed the focus from the field
    const auto move = [&](std::ptrdiff_t by) {
      const auto count = static_cast<std::ptrdiff_t>(found_.size());
      if (count > 0) chosen_ = static_cast<std::size_t>((static_cast<std::ptrdiff_t>(chosen_) + by + count) % count);
      moved_ = true;
    };
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) move(1);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) move(-1);
    ImGui::Dummy({0, ui.px(8)});
    if (entered && !found_.empty()) {
      ui.window.afterwards(found_[chosen_].run);
      ImGui::CloseCurrentPopup();
    }
    rows(ui, width);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace lanescope::gui
