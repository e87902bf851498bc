#include "gui/parts/said_first.h"

#include <algorithm>

#include "core/worded.h"
#include "gui/kit/widgets.h"
#include "gui/parts/covers.h"
#include "gui/parts/views.h"

namespace lanescope::gui {

namespace {

const std::string nothing;

}  // namespace

const std::string& PointSentence::of(const Ui& ui) {
  Session& s = ui.session;
  const lesson::Lesson& lesson = s.selection.lesson();
  // Its numbers are those of the interpreter's first launch.
  if (lesson.point.sentence.empty() || covers(ui).counts || s.runs.shown() == nullptr || s.runs.shows_recorded() ||
      s.runs.launch() != 1)
    return nothing;
  const Shown wanted{lesson.id, s.selection.variant().id, s.revision(), ui.window.settings.language};
  return say(ui, wanted, s.runs.shown()->key.controls,
             [&](const lesson::NumberReference& reference) { return s.details.number(reference); });
}

const std::string& PointSentence::of(const Ui& ui, const RunResult* run, int launch) {
  const lesson::Lesson& lesson = ui.session.selection.lesson();
  if (lesson.point.sentence.empty() || run == nullptr || run->key.lesson != lesson.id || !run->outcome.completed ||
      run->outcome.first().trace.origin != trace::Origin::interpreted || launch != 1)
    return nothing;
  const Shown wanted{lesson.id, run->key.variant, run->serial, ui.window.settings.language};
  return say(ui, wanted, run->key.controls, [&](const lesson::NumberReference& reference) {
    // Numbers for other values, and measured ones, do not come from this run.
    return reference.controls.empty() && !lesson::is_measured(reference) ? quoted_number(*run, reference)
                                                                         : std::nullopt;
  });
}

const std::string& PointSentence::say(const Ui& ui, const Shown& wanted, const lesson::ControlValues& controls,
                                      const lesson::NumberSource& numbers) {
  if (wanted == shown_) return said_;
  shown_ = wanted, said_.clear();
  const char* language = code_of(wanted.language);
  const Result<lesson::Section> sentence = lesson::parse_sentence(ui.session.selection.lesson(), language);
  if (!sentence) return said_;
  bool known = true, something = false;
  const auto number = [&](const lesson::NumberReference& reference) {
    const std::optional<double> value = numbers(reference);
    known = known && value.has_value();
    something = something || value.value_or(0) != 0;
    return value;
  };
  std::string said = lesson::render(*sentence, number, controls, {}, language);
  if (known && something) said_ = std::move(said);
  return said_;
}

std::string of_launch(const Ui& ui, const std::string& point) {
  return point.empty() ? point : ui.told(worded("The whole launch: {}", point));
}

Heat heat_of_point(const lesson::Lesson& lesson, const lesson::Variant& variant) {
  const auto& names = lesson::heat_names();
  const auto named = std::ranges::find(names, lesson.point.heat);
  if (named != names.end()) return static_cast<Heat>(named - names.begin());
  return variant.look.view == code_of(WarpTab::banks) ? Heat::wavefronts_per_request : Heat::sectors_per_request;
}

const job::WrongResult* wrong_result(const Session& session, std::size_t variant) {
  return wrong_result(session.runs.shown(variant), session.runs.stale(variant));
}

const job::WrongResult* wrong_result(const RunResult* run, bool stale) {
  return run == nullptr || run->wrong.empty() || stale ? nullptr : run->wrong.data();
}

void draw_wrong_result(const Ui& ui, const job::WrongResult& wrong, TypeStyle style, float x0, float x1, float y) {
  std::string said = ui.told(wrong.said.message), cure = ui.told(wrong.said.cure);
  for (std::string* one : {&said, &cure}) std::erase(*one, '`');
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float r = ui.px(4), height = ui.look.size(style) * 1.4f;
  list->AddCircleFilled({x0 + r, y}, r, ui.colours().conflict);
  draw_text(list, ui.look, style, ui.colours().text, {x0 + ui.px(18), y}, said, HAlign::left, x1 - x0 - ui.px(18));
  if (ImGui::IsMouseHoveringRect({x0, y - height / 2}, {x1, y + height / 2})) show_hint(ui.look, cure, said);
}

}  // namespace lanescope::gui
