#include "gui/find/find_bar.h"

#include <algorithm>
#include <utility>

#include "core/worded.h"
#include "gui/code/code_panel.h"
#include "gui/lesson/lesson_panel.h"

namespace lanescope::gui {
namespace {

constexpr int frames_to_settle = 4;  // a page that was just opened must be laid out first

}  // namespace

void FindBar::close(const Ui& ui) {
  FindState& find = ui.window.find;
  find.open = find.unseen = false;
  find.all.clear();
}

void FindBar::update(const Ui& ui, LessonPanel& lesson, CodePanel& code, bool possible) {
  FindState& find = ui.window.find;
  if (find.asked && possible) find.open = focus_ = true;
  find.asked = false;
  if (!possible) close(ui);
  if (!find.open) return;
  if (find.show > 0) --find.show, ui.window.moving = true;
  const std::string wanted = typed_.data();
  const bool typed = wanted != find.wanted;
  const FoundText* const chosen = find.chosen();
  const FoundText before = chosen == nullptr ? FoundText{} : *chosen;
  const bool had = chosen != nullptr;
  find.wanted = wanted;
  find.all.clear();
  if (!wanted.empty()) {
    lesson.find(ui, wanted, find.all);
    code.find(ui, wanted, find.all);
  }
  const auto& selection = ui.session.selection;
  const CodeTab tab = ui.window.code_tab == CodeTab::linked ? CodeTab::cuda : ui.window.code_tab;  // as find() has it
  Searched searched{selection.lesson().id, selection.variant().id, tab};
  const bool same_texts = searched == searched_, same_lesson = searched.lesson == searched_.lesson;
  searched_ = std::move(searched);
  // The first match on the page on screen or after it.
  const auto next_from_here = [&] {
    const auto here = std::ranges::find_if(
        find.all, [&](const FoundText& one) { return one.page < 0 || one.page >= static_cast<int>(ui.window.page); });
    return here == find.all.end() ? 0 : static_cast<std::size_t>(here - find.all.begin());
  };
  if (typed) {
    find.current = next_from_here();
    find.unseen = false;
    if (!find.all.empty()) go(ui);
    return;
  }
  // Stays at the same match even if the number of matches before it changed. Another text has no such match.
  const auto same = std::ranges::find(find.all, before);
  if (had && same != find.all.end() && same_lesson && (same_texts || before.page >= 0)) {
    find.current = static_cast<std::size_t>(same - find.all.begin());
    return;
  }
  if (find.all.empty()) {
    find.current = 0, find.show = 0;
    return;
  }
  find.show = 0, find.unseen = true;
  // After an edit, the next one in the same text; in another text, the next one from what is on screen.
  const auto after = std::ranges::find_if(find.all, [&](const FoundText& one) {
    return one.page == before.page &&
           (one.unit > before.unit || (one.unit == before.unit && one.begin >= before.begin));
  });
  find.current = had && same_texts && after != find.all.end() ? static_cast<std::size_t>(after - find.all.begin())
                                                              : next_from_here();
}

void FindBar::go(const Ui& ui) {
  FindState& find = ui.window.find;
  const FoundText* chosen = find.chosen();
  if (chosen == nullptr) return;
  if (chosen->page >= 0) ui.window.page = static_cast<Page>(chosen->page);
  // Side by side there is no lesson, and the text cannot be selected.
  if (ui.window.code_tab == CodeTab::linked) ui.window.code_tab = CodeTab::cuda;
  find.show = frames_to_settle;
  ui.window.moving = true;
}

void FindBar::step(const Ui& ui, int way) {
  FindState& find = ui.window.find;
  if (find.all.empty()) return;
  if (std::exchange(find.unseen, false)) return go(ui);
  const auto count = static_cast<std::ptrdiff_t>(find.all.size());
  find.current = static_cast<std::size_t>((static_cast<std::ptrdiff_t>(find.current) + way + count) % count);
  go(ui);
}

// The place of the current match: "Explain", "CUDA, line 6".
std::string FindBar::place(const Ui& ui) const {
  const FoundText* chosen = ui.window.find.chosen();
  if (chosen == nullptr || ui.window.find.unseen) return {};
  if (chosen->page >= 0) return ui.tr(page_label(static_cast<Page>(chosen->page)));
  constexpr const char* names[] = {"CUDA", "PTX", "SASS", "CUDA"};
  return ui.told(worded("{}, line {}", names[static_cast<std::size_t>(ui.window.code_tab)], chosen->unit + 1));
}

void FindBar::draw(const Ui& ui, const PanelRect& rect) {
  FindState& find = ui.window.find;
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({rect.x, rect.y}, {rect.x + rect.width, rect.y + rect.height}, p.panel);
  list->AddRectFilled({rect.x, rect.y + rect.height - ui.px(1)}, {rect.x + rect.width, rect.y + rect.height}, p.line);
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::BeginChild("find", {rect.width, rect.height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  list = ImGui::GetWindowDrawList();
  const float centre = rect.y + rect.height / 2;
  float x = rect.x + ui.px(20);
  const float width = std::min(ui.px(320), rect.width * 0.35f);
  {
    const UseFont font(ui.look, type::small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(10), ui.px(6)));
    ImGui::SetCursorScreenPos({x, centre - ImGui::GetFrameHeight() / 2});
    ImGui::SetNextItemWidth(width);
    if (focus_) focus_next_item();
    focus_ = false;
    const bool entered = ImGui::InputTextWithHint(
        "##wanted", ui.told(worded("Find in text and code")).c_str(), typed_.data(), typed_.size(),
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopStyleVar();
    if (entered) step(ui, ImGui::GetIO().KeyShift ? -1 : 1), focus_ = true;
  }
  x += width + ui.px(8);
  const bool any = !find.all.empty();
  ImGui::SetCursorScreenPos({x, centre - ui.px(13)});
  if (icon_button(ui.look, "find before", Icon::previous, ui.told(worded("Previous match (Shift + Enter)")), any))
    step(ui, -1);
  ImGui::SetCursorScreenPos({x + ui.px(28), centre - ui.px(13)});
  if (icon_button(ui.look, "find next", Icon::next, ui.told(worded("Next match (Enter)")), any)) step(ui, 1);
  x += ui.px(28 + 26 + 12);
  const float close_x = rect.x + rect.width - ui.px(12 + 34) + ui.px(4);
  const std::string counted = find.wanted.empty() ? ""
                              : any
                                  ? fill_in(ui.tr(Label::step_of), find.unseen ? "–" : std::to_string(find.current + 1),
                                            std::to_string(find.all.size()))
                                  : ui.told(worded("not found"));
  x += draw_text(list, ui.look, type::number, any ? p.text : p.dim, {x, centre}, counted) + ui.px(16);
  draw_text(list, ui.look, type::small, p.dim, {x, centre}, place(ui), HAlign::left, std::max(1.0f, close_x - x));
  ImGui::SetCursorScreenPos({close_x, centre - ui.px(13)});
  if (icon_button(ui.look, "find close", Icon::close, ui.told(worded("Close (Esc)")))) close(ui);
  ImGui::EndChild();
}

}  // namespace lanescope::gui
