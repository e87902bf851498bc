#include "gui/parts/covers.h"

// A learner who is asked to predict must not see the answer elsewhere: what is covered, and what is drawn instead.

#include <algorithm>

#include "core/worded.h"
#include "gui/kit/scene_painter.h"
#include "gui/parts/presenting.h"

namespace lanescope::gui {
namespace {

using lesson::NumberReference;
using lesson::Question;

// What a question without a place asks for, as far as it concerns this variant.
void add_asked(const Question& question, const std::string& variant, Covers& covered) {
  const auto add = [&](const std::vector<NumberReference>& numbers) {
    for (const NumberReference& number : numbers) {
      const bool of_another = !number.variant.empty() && number.variant != "current" && number.variant != variant;
      if (lesson::is_measured(number))
        covered.times = true;  // times of all variants stand side by side
      else if (!of_another)
        (number.number == "occupancy" ? covered.occupancy : covered.counts) = true;
    }
  };
  add(question.answer.references());
  for (const Question::Option& option : question.options) add(option.value.references());
}

bool lesson_on_screen(const Ui& ui) {
  const WindowState& window = ui.window;
  return !window.present && !ui.session.selection.compared() && window.code_tab != CodeTab::linked &&
         !(window.presenting && window.presenting->grown);
}

}  // namespace

std::string key_of(const Ui& ui, const Question& question) {
  return ui.session.selection.lesson().id + "/" + question.id;
}

bool is_open(const Ui& ui, const Question& question) {
  return question.applies_to(ui.session.selection.variant().id) && !question.look.mark.empty() &&
         !ui.window.answered.contains(key_of(ui, question));
}

Covers covers(const Ui& ui) {
  return covers(ui, ui.session.selection.variant_index());
}

Covers covers(const Ui& ui, std::size_t variant_index) {
  const WindowState& window = ui.window;
  Session& s = ui.session;
  if (window.page != Page::predict || window.uncovered || s.runs.shown(variant_index) == nullptr) return {};
  const std::string& variant = s.selection.lesson().variants[variant_index].id;
  Covers covered;
  bool shows_place = false;
  for (const Question& question : s.selection.lesson().questions) {
    if (!question.applies_to(variant)) continue;
    const std::string key = key_of(ui, question);
    shows_place |= window.revealed == key;
    if (window.answered.contains(key) || s.exercises.askable(question) != Exercises::Askable::yes) continue;
    if (question.look.mark.empty())
      add_asked(question, variant, covered);
    else
      covered.picture = true;
  }
  covered.picture &= !shows_place;
  covered.counts |= covered.picture;
  return covered;
}

void uncover_button(const Ui& ui) {
  if (button(ui.look, "uncover", ui.tr(Label::cover_show_anyway), ButtonKind::plain)) ui.window.uncovered = true;
  hint(ui.look, ui.tr(Label::cover_show_anyway_hint));
}

void draw_cover(const Ui& ui, const char* id, const PanelRect& rect, const char* why, const char* note,
                bool with_button) {
  const float pad = ui.px(16);
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::BeginChild(id, {rect.width, rect.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  paint_cell(ImGui::GetWindowDrawList(), ui.look, Role::inactive, diagram::Pattern::hatched,
             {rect.x + pad, rect.y + ui.px(10)}, {rect.x + rect.width - pad, rect.y + rect.height - ui.px(10)},
             ui.px(6));
  if (note != nullptr) {
    const ImVec2 size = ui.look.measure(type::small, note),
                 middle{rect.x + rect.width / 2, rect.y + rect.height / 2 - (with_button ? ui.px(20) : 0)};
    const float x = std::min(size.x / 2 + pad, rect.width / 2 - pad), y = size.y / 2 + ui.px(8);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({middle.x - x, middle.y - y}, {middle.x + x, middle.y + y}, ui.colours().raised, ui.px(8));
    draw_text(list, ui.look, type::small, ui.colours().dim, middle, note, HAlign::centre, 2 * x - pad);
    if (with_button) {
      const float wide = button_width(ui.look, ui.tr(Label::cover_show_anyway), {}, false);
      ImGui::SetCursorScreenPos({middle.x - wide / 2, middle.y + y + ui.px(8)});
      if (button(ui.look, "show times", ui.tr(Label::cover_show_anyway), ButtonKind::plain)) ui.window.uncovered = true;
      hint(ui.look, ui.tr(Label::cover_show_anyway_hint));
    }
  }
  if (why != nullptr) {
    const float width = ImGui::GetContentRegionAvail().x, card = std::min(width - ui.px(24), ui.px(380));
    ImGui::SetCursorPos({pad + (width - card) / 2, std::max(pad, rect.height * 0.3f - ui.px(40))});
    ImGui::BeginChild("cover card", {card, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
    begin_card(ui.look, "covered", ui.colours().raised);
    paragraph(ui.look, type::small_strong, ui.colours().text, ui.tr(Label::cover_title));
    ImGui::Dummy({0, ui.px(4)});
    paragraph(ui.look, type::small, ui.colours().dim, why);
    ImGui::Dummy({0, ui.px(8)});
    if (lesson_on_screen(ui)) {
      if (button(ui.look, "to question", ui.told(worded("Go to the question")), ButtonKind::primary))
        ui.window.to_question = true;
      ImGui::SameLine(0, ui.px(8));
      if (ImGui::GetContentRegionAvail().x < button_width(ui.look, ui.tr(Label::cover_show_anyway), {}, false)) {
        ImGui::NewLine();
        ImGui::Dummy({0, ui.px(8)});
      }
    }
    uncover_button(ui);
    end_card(ui.look);
    ImGui::EndChild();
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::gui
