#include "gui/parts/covers.h"

// A learner who is asked to predict must not see the answer elsewhere: what is covered, and what is drawn instead.

#include <algorithm>
#include <string_view>

#include "core/text.h"
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

std::string answer_key(const std::string& question, const lesson::ControlValues& values) {
  std::string key = question;
  for (const auto& [name, value] : values) key += (key == question ? "@" : ",") + name + "=" + std::to_string(value);
  return key;
}

bool is_answer_to(const std::string& answer, const std::string& question, const lesson::ControlValues& values) {
  if (!answer.starts_with(question)) return false;
  if (answer.size() == question.size()) return true;
  if (answer[question.size()] != '@') return false;
  for (const std::string_view one : split(std::string_view(answer).substr(question.size() + 1), ',')) {
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) return false;
    const auto value = values.find(std::string(one.substr(0, equals)));
    if (value != values.end() && one.substr(equals + 1) != std::to_string(value->second)) return false;
  }
  return true;
}

lesson::ControlValues values_on_screen(const Ui& ui) {
  const RunResult* shown = ui.session.runs.shown();
  return shown == nullptr ? ui.session.selection.wanted().controls : shown->key.controls;
}

namespace {

bool is_answered(const Ui& ui, const std::string& question, const lesson::ControlValues& values) {
  const std::set<std::string>& answered = ui.window.answered;
  for (auto one = answered.lower_bound(question); one != answered.end() && one->starts_with(question); ++one)
    if (is_answer_to(*one, question, values)) return true;
  return false;
}

}  // namespace

bool is_open(const Ui& ui, const Question& question) {
  return question.applies_to(ui.session.selection.variant().id) && !question.look.mark.empty() &&
         !is_answered(ui, key_of(ui, question), values_on_screen(ui));
}

Covers covers(const Ui& ui) {
  return covers(ui, ui.session.selection.variant_index());
}

Covers covers(const Ui& ui, std::size_t variant_index) {
  const WindowState& window = ui.window;
  Session& s = ui.session;
  const RunResult* shown = s.runs.shown(variant_index);
  if (window.page != Page::predict || window.uncovered || shown == nullptr) return {};
  const lesson::ControlValues& values = shown->key.controls;
  const std::string& variant = s.selection.lesson().variants[variant_index].id;
  Covers covered;
  bool shows_place = false;
  for (const Question& question : s.selection.lesson().questions) {
    if (!question.applies_to(variant)) continue;
    const std::string key = key_of(ui, question);
    shows_place |= is_answer_to(window.revealed, key, values);
    if (is_answered(ui, key, values) || s.exercises.askable(question) != Exercises::Askable::yes) continue;
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
