// Tasks: the text, hints one by one, and the check of the code on screen against the task's rules.

#include <algorithm>
#include <initializer_list>

#include "gui/lesson/exercises.h"
#include "gui/parts/markdown.h"
#include "gui/parts/problems.h"

namespace lanescope::gui {

void TaskCards::draw(const Ui& ui) {
  for (const lesson::Task& task : ui.session.selection.lesson().tasks) card(ui, task);
}

namespace {

void say_task(const Ui& ui, const lesson::Task& task, std::size_t hints) {
  const Palette& p = ui.colours();
  paragraph(ui.look, type::small_strong, p.text, ui.say_plain(task.title));
  ImGui::Dummy({0, ui.px(2)});
  paragraph_with_code(ui, type::small, p.text, ui.say(task.say));
  for (std::size_t i = 0; i < std::min(hints, task.hints.size()); ++i) {
    ImGui::Dummy({0, ui.px(6)});
    paragraph_with_code(ui, type::small, p.dim, std::to_string(i + 1) + ")  " + ui.say(task.hints[i]));
  }
}

// Places the next button beside the last one, or below it if there is no room.
void beside(const Ui& ui, const std::string& label) {
  ImGui::SameLine(0, ui.px(6));
  if (ImGui::GetContentRegionAvail().x < button_width(ui.look, label, {}, false)) ImGui::NewLine();
}

// The sign in front of an indented row of a grade.
void draw_sign(const Ui& ui, bool holds) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), middle{at.x + ui.px(6), at.y + ui.px(9)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (holds)
    draw_icon(list, ui.look, Icon::check, middle, ui.colours().better, 9);
  else
    draw_text(list, ui.look, type::small_strong, ui.colours().conflict, middle, "×", HAlign::centre);
}

void draw_check(const Ui& ui, const job::CheckResult& check) {
  const Palette& p = ui.colours();
  draw_sign(ui, check.holds);
  ImGui::Indent(ui.px(20));
  paragraph(ui.look, type::number, check.holds ? p.text : p.conflict, check.description);
  if (!check.holds && !check.detail.empty()) paragraph(ui.look, type::caption, p.dim, ui.told(check.detail));
  ImGui::Unindent(ui.px(20));
}

void draw_race(const Ui& ui, const job::RaceText& race) {
  draw_sign(ui, false);
  ImGui::Indent(ui.px(20));
  paragraph(ui.look, type::small, ui.colours().conflict, race.title);
  paragraph(ui.look, type::caption, ui.colours().dim, race.first + "\n" + race.second + "\n" + race.cure);
  ImGui::Unindent(ui.px(20));
}

void draw_grade(const Ui& ui, const Exercises::Grade& grade) {
  const Palette& p = ui.colours();
  ImGui::Dummy({0, ui.px(10)});
  if (!grade.known) {
    paragraph(ui.look, type::caption, p.dim, ui.tr(Label::answer_checking));
    return;
  }
  const bool outdated = ui.session.exercises.outdated(grade);
  if (outdated) {
    paragraph(ui.look, type::small_strong, p.wasted_text, ui.tr(Label::problems_outdated));
    ImGui::Dummy({0, ui.px(4)});
  }
  const Faded faded(outdated ? 0.5f : 1.0f);
  for (const Diagnostic& d : grade.problems)
    draw_problem(ui, d, d.severity == Severity::error ? p.conflict : p.wasted_text);
  for (const job::CheckResult& check : grade.checks) draw_check(ui, check);
  const bool chinese = ui.window.settings.language == Language::chinese;
  for (const job::RaceText& race : chinese ? grade.races_chinese : grade.races) draw_race(ui, race);
  ImGui::Dummy({0, ui.px(4)});
  paragraph(ui.look, type::small_strong, grade.passed ? p.better : p.text,
            ui.tr(grade.passed ? Label::task_passed : Label::task_not_yet));
}

// "block 32 × 8": what the task's launch has instead of the variant's.
std::string own_launch_text(const Ui& ui, const lesson::Task& task) {
  const lesson::Launch &own = task.launch,
                       &usual = ui.session.selection.lesson().find_variant(task.variant)->first().shape;
  std::string said;
  const auto add = [&](const std::string& name, std::initializer_list<lesson::Expression lesson::Launch::*> parts) {
    if (std::ranges::all_of(parts, [&](const auto& part) { return (own.*part).text == (usual.*part).text; })) return;
    std::string sizes;
    for (const auto& part : parts)
      if (const std::string& size = (own.*part).text; !size.empty() && (sizes.empty() || size != "1"))
        sizes += (sizes.empty() ? "" : " × ") + size;
    said += (said.empty() ? "" : ", ") + name + " " + sizes;
  };
  using Launch = lesson::Launch;
  add(ui.tr(Label::form_grid), {&Launch::grid_x, &Launch::grid_y, &Launch::grid_z});
  add(ui.tr(Label::form_block), {&Launch::block_x, &Launch::block_y, &Launch::block_z});
  add(ui.tr(Label::form_shared), {&Launch::shared_bytes});
  return said;
}

void draw_check_buttons(const Ui& ui, const lesson::Task& task) {
  Session& s = ui.session;
  if (button(ui.look, "check task", ui.tr(Label::task_check), ButtonKind::plain)) s.exercises.grade(task);
  hint(ui.look, ui.tr(Label::task_check_hint));
  const std::string start = s.exercises.start_of(task);
  if (start == s.selection.original_source() || s.selection.source() == start) return;
  beside(ui, ui.tr(Label::task_start));
  if (button(ui.look, "start code", ui.tr(Label::task_start), ButtonKind::quiet)) ui.window.load_code = start;
  hint(ui.look, ui.tr(Label::task_start_hint));
}

}  // namespace

void TaskCards::card(const Ui& ui, const lesson::Task& task) {
  Session& s = ui.session;
  const std::string key = s.selection.lesson().id + "/" + task.id;
  std::size_t& hints = hints_[key];
  // A task with code of its own only starts when that code was opened, because the variant's code may already solve it.
  // After that it stays open: the solution may be the variant's own code.
  // One with a launch of its own only starts when Run uses that launch.
  const bool own_launch = s.selection.has_own_launch(task), launched = own_launch && s.selection.task() == &task;
  const bool here =
      s.selection.variant().id == task.variant && launched == own_launch &&
      (s.selection.edited() || s.exercises.start_of(task) == s.selection.original_source() || opened_.contains(key));
  ImGui::PushID(task.id.c_str());
  ImGui::Dummy({0, ui.px(12)});
  begin_card(ui.look, "task", ui.colours().raised);
  ImGui::PushID(task.id.c_str());  // a card has its own ID scope
  say_task(ui, task, hints);
  if (own_launch) {
    ImGui::Dummy({0, ui.px(6)});
    paragraph(ui.look, type::small, launched ? ui.colours().text : ui.colours().dim,
              fill_in(ui.tr(launched ? Label::task_runs_with : Label::task_has_launch), own_launch_text(ui, task)));
  }
  ImGui::Dummy({0, ui.px(10)});
  if (here) {
    draw_check_buttons(ui, task);
  } else if (button(ui.look, "open task", ui.tr(Label::task_open), ButtonKind::plain)) {
    opened_.insert(key);
    ui.window.afterwards([&s, &window = ui.window, &task] {
      s.open_task(task);
      if (!s.selection.edited() && s.exercises.start_of(task) != s.selection.original_source())
        window.load_code = s.exercises.start_of(task);
    });
  }
  if (launched) {
    beside(ui, ui.tr(Label::task_leave));
    if (button(ui.look, "leave task", ui.tr(Label::task_leave), ButtonKind::quiet))
      ui.window.afterwards([&s] { s.leave_task(); });
    hint(ui.look, ui.tr(Label::task_leave_hint));
  }
  if (hints < task.hints.size()) {
    const std::string label =
        fill_in(ui.tr(Label::task_hint), std::to_string(hints + 1), std::to_string(task.hints.size()));
    beside(ui, label);
    if (button(ui.look, "hint", label, ButtonKind::quiet)) ++hints;
  }
  const Exercises::Grade* grade = s.exercises.grade_of(task);
  if (grade != nullptr && grade->known && grade->passed) ui.window.passed.insert(key);
  if (grade != nullptr && here) {
    draw_grade(ui, *grade);
  } else if (ui.window.passed.contains(key)) {
    ImGui::Dummy({0, ui.px(10)});
    draw_sign(ui, true);
    ImGui::Indent(ui.px(20));
    paragraph(ui.look, type::small, ui.colours().dim, ui.tr(Label::task_passed_before));
    ImGui::Unindent(ui.px(20));
  }
  ImGui::PopID();
  end_card(ui.look);
  ImGui::PopID();
}

}  // namespace lanescope::gui
