// Tasks: the text, hints one by one, and the check of the code on screen against the task's rules.

#include "gui/lesson/exercises.h"
#include "gui/parts/markdown.h"
#include "gui/parts/problems.h"

namespace lanescope::gui {

void TaskCards::draw(const Ui& ui) {
  for (const lesson::Task& task : ui.session.selection.lesson().tasks) card(ui, task);
}

void TaskCards::card(const Ui& ui, const lesson::Task& task) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const std::string key = s.selection.lesson().id + "/" + task.id;
  std::size_t& hints = hints_[key];
  // A task with code of its own only starts when that code was opened, because the variant's code may already solve it.
  // After that it stays open: the solution may be the variant's own code.
  const bool here =
      s.selection.variant().id == task.variant &&
      (s.selection.edited() || s.exercises.start_of(task) == s.selection.original_source() || opened_.contains(key));
  ImGui::PushID(task.id.c_str());
  ImGui::Dummy({0, ui.px(12)});
  begin_card(ui.look, "task", p.raised);
  ImGui::PushID(task.id.c_str());  // a card has its own ID scope
  paragraph(ui.look, type::small_strong, p.text, ui.say_plain(task.title));
  ImGui::Dummy({0, ui.px(2)});
  paragraph_with_code(ui, type::small, p.text, ui.say(task.say));
  for (std::size_t i = 0; i < std::min(hints, task.hints.size()); ++i) {
    ImGui::Dummy({0, ui.px(6)});
    paragraph_with_code(ui, type::small, p.dim, std::to_string(i + 1) + ")  " + ui.say(task.hints[i]));
  }
  ImGui::Dummy({0, ui.px(10)});
  // Places the next button beside the last one, or below it if there is no room.
  const auto beside = [&](const std::string& label) {
    ImGui::SameLine(0, ui.px(6));
    if (ImGui::GetContentRegionAvail().x < button_width(ui.look, label, {}, false)) ImGui::NewLine();
  };
  if (!here) {
    if (button(ui.look, "open task", ui.tr(Label::task_open), ButtonKind::plain)) {
      opened_.insert(key);
      ui.window.afterwards([&s, &window = ui.window, &task] {
        s.open_task(task);
        if (!s.selection.edited() && s.exercises.start_of(task) != s.selection.original_source())
          window.load_code = s.exercises.start_of(task);
      });
    }
  } else {
    if (button(ui.look, "check task", ui.tr(Label::task_check), ButtonKind::plain)) s.exercises.grade(task);
    hint(ui.look, ui.tr(Label::task_check_hint));
    const std::string start = s.exercises.start_of(task);
    if (start != s.selection.original_source() && s.selection.source() != start) {
      beside(ui.tr(Label::task_start));
      if (button(ui.look, "start code", ui.tr(Label::task_start), ButtonKind::quiet)) ui.window.load_code = start;
      hint(ui.look, ui.tr(Label::task_start_hint));
    }
  }
  if (hints < task.hints.size()) {
    const std::string label =
        fill_in(ui.tr(Label::task_hint), std::to_string(hints + 1), std::to_string(task.hints.size()));
    beside(label);
    if (button(ui.look, "hint", label, ButtonKind::quiet)) ++hints;
  }
  if (const Exercises::Grade* grade = s.exercises.grade_of(task); grade != nullptr && here) {
    ImGui::Dummy({0, ui.px(10)});
    if (!grade->known) {
      paragraph(ui.look, type::caption, p.dim, ui.tr(Label::answer_checking));
    } else {
      for (const Diagnostic& d : grade->problems)
        draw_problem(ui, d, d.severity == Severity::error ? p.conflict : p.wasted);
      for (const job::CheckResult& check : grade->checks) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList* list = ImGui::GetWindowDrawList();
        if (check.holds)
          draw_icon(list, ui.look, Icon::check, {at.x + ui.px(6), at.y + ui.px(9)}, p.better, 9);
        else
          draw_text(list, ui.look, type::small_strong, p.conflict, {at.x + ui.px(6), at.y + ui.px(9)}, "×",
                    HAlign::centre);
        ImGui::Indent(ui.px(20));
        paragraph(ui.look, type::number, check.holds ? p.text : p.conflict, check.description);
        if (!check.holds && !check.detail.empty()) paragraph(ui.look, type::caption, p.dim, ui.told(check.detail));
        ImGui::Unindent(ui.px(20));
      }
      const bool chinese = ui.window.settings.language == Language::chinese;
      for (const job::RaceText& race : chinese ? grade->races_chinese : grade->races) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, p.conflict,
                  {at.x + ui.px(6), at.y + ui.px(9)}, "×", HAlign::centre);
        ImGui::Indent(ui.px(20));
        paragraph(ui.look, type::small, p.conflict, race.title);
        paragraph(ui.look, type::caption, p.dim, race.first + "\n" + race.second + "\n" + race.cure);
        ImGui::Unindent(ui.px(20));
      }
      ImGui::Dummy({0, ui.px(4)});
      paragraph(ui.look, type::small_strong, grade->passed ? p.better : p.text,
                ui.tr(grade->passed ? Label::task_passed : Label::task_not_yet));
      if (grade->key != s.selection.wanted()) paragraph(ui.look, type::caption, p.dim, ui.tr(Label::problems_outdated));
    }
  }
  ImGui::PopID();
  end_card(ui.look);
  ImGui::PopID();
}

}  // namespace lanescope::gui
