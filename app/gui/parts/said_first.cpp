#include "gui/parts/said_first.h"

#include <algorithm>

#include "gui/kit/widgets.h"
#include "gui/parts/covers.h"
#include "gui/parts/views.h"
#include "lesson/text.h"

namespace lanescope::gui {

const std::string& PointSentence::of(const Ui& ui) {
  static const std::string nothing;
  Session& s = ui.session;
  const lesson::Lesson& lesson = s.selection.lesson();
  // Its numbers are the interpreter's, of the first launch.
  if (lesson.point.sentence.empty() || covers(ui).counts || s.runs.shown() == nullptr || s.runs.shows_recorded() ||
      s.runs.launch() != 1)
    return nothing;
  const Shown wanted{lesson.id, s.selection.variant().id, s.revision(), ui.window.settings.language};
  if (wanted == shown_) return said_;
  shown_ = wanted, said_.clear();
  const char* language = code_of(wanted.language);
  const Result<lesson::Section> sentence = lesson::parse_sentence(lesson, language);
  if (!sentence) return said_;
  bool known = true;
  const auto number = [&](const lesson::NumberReference& reference) {
    const std::optional<double> value = s.details.number(reference);
    known = known && value.has_value();
    return value;
  };
  std::string said = lesson::render(*sentence, number, s.runs.shown()->key.controls, {}, language);
  if (known) said_ = std::move(said);
  return said_;
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
