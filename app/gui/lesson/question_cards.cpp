// Questions: marked lanes, a number, or a choice. The answer comes from the run on screen.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "gui/kit/scene_painter.h"
#include "gui/lesson/exercises.h"
#include "gui/parts/covers.h"
#include "gui/parts/markdown.h"
#include "gui/parts/markdown_found.h"
#include "gui/parts/presenting.h"
#include "gui/parts/problems.h"
#include "lesson/text.h"

namespace lanescope::gui {
namespace {

job::Answer answer_of(const lesson::Question& question, const char* number, LaneMask lanes, const std::string& option) {
  job::Answer given;
  given.kind = question.kind;
  given.number = std::strtod(number, nullptr);
  given.lanes = lanes;
  if (!option.empty()) given.options = {option};
  return given;
}

// An answer as it is kept: the number as typed, the lanes' bits, or the option's id.
std::string given_text(const lesson::Question& question, const char* number, LaneMask lanes,
                       const std::string& option) {
  return question.kind == lesson::Question::Kind::number  ? number
         : question.kind == lesson::Question::Kind::lanes ? std::to_string(lanes.bits)
                                                          : option;
}

// True if the answer is a percentage.
bool asks_for_share(const lesson::Question& question) {
  const auto& numbers = question.answer.references();
  return numbers.size() == 1 && numbers.front().number.ends_with("efficiency");
}

// "8", "50 %", "lanes 0–15 (16)", or the option's text.
std::string said(const Ui& ui, const lesson::Question& question, const job::Answer& answer) {
  if (question.kind == lesson::Question::Kind::number)
    return asks_for_share(question) ? lesson::format_number(answer.number, "percent") : number_text(answer.number, "");
  if (question.kind == lesson::Question::Kind::lanes)
    return answer.lanes.empty() ? ui.tr(Label::lanes_none_of_all)
                                : fill_in(ui.tr(Label::lanes_and_count), job::lanes_text(answer.lanes),
                                          std::to_string(answer.lanes.count()));
  std::string all;
  for (const std::string& id : answer.options) {
    const auto* option = question.find_option(id);
    const std::string name = id == lesson::cannot_tell ? ui.say_plain(lesson::cannot_tell_say)
                             : option != nullptr       ? ui.say_plain(option->say)
                                                       : id;
    all += (all.empty() ? "" : " · ") + name;
  }
  return all;
}

// Aligns the text of a quiet button, rather than its edge, with the text above.
void begin_quiet_row(const Ui& ui) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - ui.px(14));
}

void go_to_place(const Ui& ui, const lesson::Question& question) {
  going(ui);
  ui.window.afterwards(
      [&s = ui.session, &window = ui.window, &question, key = answer_key(key_of(ui, question), values_on_screen(ui))] {
        window.revealed = key;
        s.go_to(question);
        const std::string& view = question.look.mark.empty() ? s.selection.variant().look.view : question.look.view;
        if (!find_code(view, window.warp_tab)) window.warp_tab = WarpTab::sectors;  // no longer values or memory
      });
}

}  // namespace

namespace {

// The same answer, whatever else was typed for it.
bool same_answer(const job::Answer& a, const job::Answer& b) {
  using Kind = lesson::Question::Kind;
  if (a.kind != b.kind) return false;
  return a.kind == Kind::number  ? a.number == b.number
         : a.kind == Kind::lanes ? a.lanes == b.lanes
                                 : a.options == b.options;
}

// The options of a choice: id and text.
std::vector<std::pair<std::string, std::string>> offered(const Ui& ui, const lesson::Question& question) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const lesson::Question::Option& option : question.options) all.emplace_back(option.id, ui.say_plain(option.say));
  if (question.asks_for_time()) all.emplace_back(lesson::cannot_tell, ui.say_plain(lesson::cannot_tell_say));
  return all;
}

bool can_be_answered(const Ui& ui, const lesson::Question& question) {
  return ui.session.exercises.askable(question) == Exercises::Askable::yes;
}

}  // namespace

std::vector<std::string> QuestionCards::texts(const Ui& ui) {
  const Session& s = ui.session;
  std::vector<std::string> all;
  for (const lesson::Question& question : s.selection.lesson().questions) {
    if (!question.applies_to(s.selection.variant().id)) continue;
    all.push_back(ui.say_plain(question.ask));
    if (question.kind == lesson::Question::Kind::choice && can_be_answered(ui, question))
      for (auto& [id, name] : offered(ui, question)) all.push_back(std::move(name));
  }
  return all;
}

void QuestionCards::draw(const Ui& ui, std::size_t first_text) {
  const Session& s = ui.session;
  FoundHere found{.page = static_cast<int>(Page::predict), .unit = first_text};
  for (const lesson::Question& question : s.selection.lesson().questions)
    if (question.applies_to(s.selection.variant().id)) card(ui, question, found);
  ui.window.to_question = false;
  show_match(ui, found);
  other_variants(ui);
}

// Links to the variants in which the lesson's other questions are asked.
void QuestionCards::other_variants(const Ui& ui) {
  Session& s = ui.session;
  const auto& variants = s.selection.lesson().variants;
  bool first = true;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto asks = [&](const lesson::Question& question) { return question.variant == variants[i].id; };
    if (i == s.selection.variant_index() || std::ranges::none_of(s.selection.lesson().questions, asks)) continue;
    if (first) {
      ImGui::Dummy({0, ui.px(12)});
      paragraph(ui.look, type::small, ui.colours().dim, ui.tr(Label::other_variants_ask));
    }
    const std::string name = ui.say(variants[i].title);
    if (!first) {
      ImGui::SameLine(0, 0);
      if (ImGui::GetContentRegionAvail().x < button_width(ui.look, name, {}, false)) ImGui::NewLine();
    }
    if (ImGui::GetCursorPosX() <= ImGui::GetStyle().WindowPadding.x + 1) begin_quiet_row(ui);
    if (button(ui.look, ("ask " + variants[i].id).c_str(), name, ButtonKind::quiet))
      ui.window.afterwards([&s, i] { s.choose_variant(i); });
    first = false;
  }
}

void QuestionCards::card(const Ui& ui, const lesson::Question& question, FoundHere& found) {
  using Kind = lesson::Question::Kind;
  Session& s = ui.session;
  Draft& draft = drafts_[key_of(ui, question)];
  follow_values(ui, question, draft);
  restore(ui, question, draft);
  ImGui::PushID(question.id.c_str());
  ImGui::Dummy({0, ui.px(12)});
  const bool led_here = ui.window.to_question && is_open(ui, question) && can_be_answered(ui, question);
  if (led_here) {
    ui.window.to_question = false, ui.window.moving = true;
    ImGui::SetScrollHereY(0);
    into_field_ = {key_of(ui, question), question.kind == Kind::number ? frames_to_settle : 0};
  }
  begin_card(ui.look, "question", ui.colours().raised);
  bool into_field = false;
  if (!led_here && into_field_.frames > 0 && into_field_.question == key_of(ui, question)) {
    into_field = ImGui::IsRectVisible({1, 1});
    into_field_.frames = into_field ? 0 : into_field_.frames - 1;
    ui.window.moving = true;
  }
  ImGui::PushID(question.id.c_str());  // a card has its own ID scope
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const auto end = [&] {
    ImGui::PopStyleVar();
    ImGui::PopID();
    end_card(ui.look);
    ImGui::PopID();
  };
  paragraph_with_code(ui, type::small_medium, ui.colours().text, ui.say(question.ask), &found);
  ++found.unit;
  ImGui::Dummy({0, ui.px(10)});
  if (const Exercises::Askable askable = s.exercises.askable(question); askable != Exercises::Askable::yes) {
    paragraph(ui.look, type::small, ui.colours().dim,
              ui.tr(askable == Exercises::Askable::edited ? Label::answer_edited : Label::answer_not_measured));
    return end();
  }
  bool entered = false;
  const Draft before = draft;
  const bool ready = question.kind == Kind::number
                         ? number_entry(ui, draft, asks_for_share(question), into_field, entered)
                     : question.kind == Kind::lanes ? lane_cells(ui, draft)
                                                    : options(ui, question, draft, found);
  // Starting the next question hides the place of the previous one.
  if (draft != before && is_open(ui, question)) ui.window.revealed.clear();
  ImGui::Dummy({0, ui.px(10)});
  const bool can = ready && s.runs.shows_whole();
  const bool pressed = button(ui.look, "check answer", ui.tr(Label::check_answer), ButtonKind::plain, {}, -1, 0, can);
  if (can && (pressed || entered)) {
    s.exercises.answer(question, answer_of(question, draft.number.data(), draft.lanes, draft.option));
    ui.window.answers[answer_key(key_of(ui, question), s.runs.shown()->key.controls)] =
        given_text(question, draft.number.data(), draft.lanes, draft.option);
    to_show_ = {key_of(ui, question), frames_to_settle};
  }
  if (!can && ready) hint(ui.look, ui.tr(Label::answer_needs_run));
  if (const Exercises::Verdict* verdict_now = s.exercises.verdict(question)) {
    if (verdict_now->known) reveal(ui, question);
    const float top = ImGui::GetCursorScreenPos().y;
    const bool outdated = verdict_now->known &&
                          (!ready || !same_answer(verdict_now->given,
                                                  answer_of(question, draft.number.data(), draft.lanes, draft.option)));
    if (outdated) {
      ImGui::Dummy({0, ui.px(12)});
      paragraph(ui.look, type::small_strong, ui.colours().wasted_text,
                fill_in(ui.tr(Label::answer_outdated), said(ui, question, verdict_now->given)));
    }
    {
      const Faded faded(outdated ? 0.5f : 1.0f);
      verdict(ui, question, *verdict_now);
    }
    end();
    if (verdict_now->known && to_show_.frames > 0 && to_show_.question == key_of(ui, question)) {
      --to_show_.frames;
      show_whole(ui, top);
    }
    return;
  }
  end();
}

// An answer for other values says nothing of those on screen; what was typed but not checked stays.
void QuestionCards::follow_values(const Ui& ui, const lesson::Question& question, Draft& draft) {
  const lesson::ControlValues here = values_on_screen(ui);
  const std::string key = key_of(ui, question), of_draft = answer_key(key, draft.values);
  if (is_answer_to(of_draft, key, here)) return draft.values.insert(here.begin(), here.end());
  const bool given = std::ranges::any_of(ui.window.answers,
                                         [&](const auto& one) { return is_answer_to(one.first, key, draft.values); });
  if (given) {
    draft = {};
    std::erase_if(restored_, [&](const std::string& one) { return is_answer_to(one, key, {}); });
  }
  draft.values = here;
}

// Restores an answer from an earlier session or from before the values changed. A run with its values judges it again.
void QuestionCards::restore(const Ui& ui, const lesson::Question& question, Draft& draft) {
  Session& s = ui.session;
  const auto kept = ui.window.answers.find(answer_key(key_of(ui, question), values_on_screen(ui)));
  if (kept == ui.window.answers.end()) return;
  const std::string& given = kept->second;
  if (restored_.insert(kept->first).second && draft.empty()) {
    const auto fits = std::min(given.size(), draft.number.size() - 1);
    if (question.kind == lesson::Question::Kind::number) std::copy_n(given.begin(), fits, draft.number.begin());
    if (question.kind == lesson::Question::Kind::lanes)
      std::from_chars(given.data(), given.data() + given.size(), draft.lanes.bits);
    const bool known = question.find_option(given) != nullptr || given == lesson::cannot_tell;
    if (question.kind == lesson::Question::Kind::choice && known) draft.option = given;
  }
  const RunResult* shown = s.runs.shown();
  if (s.exercises.verdict(question) != nullptr || shown == nullptr || !s.runs.shows_whole() ||
      s.selection.differs(s.selection.variant()) || s.exercises.askable(question) != Exercises::Askable::yes ||
      draft.empty())
    return;
  if (given_text(question, draft.number.data(), draft.lanes, draft.option) == given)
    s.exercises.answer(question, answer_of(question, draft.number.data(), draft.lanes, draft.option));
}

// Scrolls until the response to an answer is visible, but not past its start at `top`.
void QuestionCards::show_whole(const Ui& ui, float top) {
  const float below = ImGui::GetCursorScreenPos().y - (ImGui::GetWindowPos().y + ImGui::GetWindowHeight()) + ui.px(8);
  const float above = top - ImGui::GetWindowPos().y;
  if (const float by = std::min(below, above); by > 0) ImGui::SetScrollY(ImGui::GetScrollY() + by);
  ui.window.moving = true;  // requests the next frame at once
}

// Once per question: shows the picture at the question's place.
void QuestionCards::reveal(const Ui& ui, const lesson::Question& question) {
  if (!ui.window.answered.insert(answer_key(key_of(ui, question), values_on_screen(ui))).second) return;
  if (!question.look.mark.empty()) go_to_place(ui, question);
}

bool QuestionCards::number_entry(const Ui& ui, Draft& draft, bool percent, bool into_field, bool& entered) {
  const Palette& p = ui.colours();
  {
    const FieldStyle style(ui.look, ui.colours().panel, {10, 6});
    ImGui::SetNextItemWidth(ui.px(140));
    if (into_field) focus_next_item();
    entered = ImGui::InputText("##number", draft.number.data(), draft.number.size(),
                               ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_EnterReturnsTrue);
  }
  if (percent) {
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::number, p.dim, {b.x + ui.px(8), (a.y + b.y) / 2}, "%");
  }
  double value = 0;
  const char* const begin = draft.number.data();
  const char* const end = begin + std::strlen(begin);
  const auto read = std::from_chars(begin, end, value);
  return read.ec == std::errc() && read.ptr == end && end != begin;
}

// A click marks or clears a lane.
bool QuestionCards::lane_cells(const Ui& ui, Draft& draft) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gap = ui.px(2), room = ImGui::GetContentRegionAvail().x;
  // Two rows of sixteen, or four of eight if those cells would be too small to click.
  const int across = (room - 15 * gap) / 16 >= ui.px(15) ? 16 : 8, rows = 32 / across;
  const float cell =
      std::floor(std::min(ui.px(26), (room - static_cast<float>(across - 1) * gap) / static_cast<float>(across)));
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (int lane = 0; lane < 32; ++lane) {
    const ImVec2 a{at.x + static_cast<float>(lane % across) * (cell + gap),
                   at.y + static_cast<float>(lane / across) * (cell + ui.px(6))};
    const ImVec2 b{a.x + cell, a.y + cell};
    ImGui::SetCursorScreenPos(a);
    ImGui::PushID(lane);
    if (pressable("lane", {cell, cell})) draft.lanes.bits ^= 1u << lane;
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    const bool on = draft.lanes.test(lane);
    const Role role = on ? Role::executed : Role::inactive;
    paint_cell(list, ui.look, role, diagram::Pattern::solid, a, b, ui.px(3));
    if (hovered) list->AddRect(a, b, ui.colours().accent, ui.px(3), std::max(1.0f, ui.px(1.5f)));
    draw_text(list, ui.look, {Face::semibold, cell >= ui.px(15) ? 10.0f : 8.0f},
              on ? ui.look.ink(role) : ui.colours().dim, {(a.x + b.x) / 2, (a.y + b.y) / 2}, std::to_string(lane),
              HAlign::centre);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + static_cast<float>(rows) * (cell + ui.px(6)) - ui.px(4)});
  ImGui::Dummy({room, ui.px(2)});
  if (button(ui.look, "all", ui.tr(Label::lanes_all), ButtonKind::quiet)) draft.lanes = LaneMask::all();
  ImGui::SameLine(0, ui.px(6));
  if (button(ui.look, "none", ui.tr(Label::lanes_none), ButtonKind::quiet)) draft.lanes = LaneMask::none();
  ImGui::PopStyleVar();
  return true;
}

bool QuestionCards::options(const Ui& ui, const lesson::Question& question, Draft& draft, FoundHere& found) {
  const Palette& p = ui.colours();
  const auto row = [&](const std::string& id, const std::string& name) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, indent = ui.px(24);
    const float height = std::max(ui.px(26), ui.look.measure(type::small, name, width - indent).y + ui.px(8));
    if (pressable(id.c_str(), {width, height})) draft.option = id;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      list->AddRectFilled(at, {at.x + width, at.y + height}, p.hover, ui.px(6));
    }
    if (ui.look.measure(type::small, name).x <= width - indent)
      mark_matches(ui, &found, type::small, name, 0, at.x + indent, at.y + ui.px(4), at.y + height - ui.px(4));
    else  // several lines: marked as a whole
      ui.window.find.of(found.page, found.unit, [&](const FoundText&, bool current) {
        draw_found(ui, list, {at.x + indent - ui.px(2), at.y}, {at.x + width, at.y + height}, current);
        if (current) found.chosen_y = at.y + height / 2;
      });
    ++found.unit;
    const bool on = draft.option == id;
    const ImVec2 centre{at.x + ui.px(10), at.y + ui.px(13)};
    list->AddCircle(centre, ui.px(6), on ? p.accent : p.dim, 0, std::max(1.0f, ui.px(1.5f)));
    if (on) list->AddCircleFilled(centre, ui.px(3), p.accent);
    draw_paragraph(list, ui.look, type::small, p.text, {at.x + indent, at.y + ui.px(5)}, name, width - indent);
  };
  for (const auto& [id, name] : offered(ui, question)) row(id, name);
  return !draft.option.empty();
}

namespace {

// The times that decide the question, with their origin.
void evidence(const Ui& ui, const lesson::Question& question, const Exercises::Verdict& verdict) {
  if (verdict.times.empty()) return;
  std::string times;
  std::vector<Wording> labels;
  for (const Exercises::Verdict::Time& time : verdict.times) {
    const auto* option = question.find_option(time.option);
    times += (times.empty() ? "" : " · ") + (option == nullptr ? time.option : ui.say_plain(option->say)) + " " +
             lesson::format_number(time.seconds.median, "us");
    if (std::ranges::find(labels, time.label) == labels.end()) labels.push_back(time.label);
  }
  ImGui::Dummy({0, ui.px(4)});
  paragraph(ui.look, type::small, ui.colours().text, fill_in(ui.tr(Label::answer_by), times));
  for (const Wording& label : labels)
    paragraph(ui.look, type::caption, ui.colours().dim, fill_in(ui.tr(Label::recorded_on), ui.told(label)));
}

}  // namespace

void QuestionCards::verdict(const Ui& ui, const lesson::Question& question, const Exercises::Verdict& verdict) {
  const Palette& p = ui.colours();
  const Session& s = ui.session;
  ImGui::Dummy({0, ui.px(12)});
  if (!verdict.known) {
    paragraph(ui.look, type::caption, p.dim, ui.tr(Label::answer_checking));
    return;
  }
  if (verdict.cannot) return draw_problem(ui, *verdict.cannot, p.text);
  if (verdict.nothing) {
    paragraph(ui.look, type::small, p.dim, ui.tr(Label::answer_nothing));
    return;
  }
  const std::string right = said(ui, question, verdict.correct);
  if (verdict.right) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_icon(ImGui::GetWindowDrawList(), ui.look, Icon::check, {at.x + ui.px(6), at.y + ui.px(10)}, p.better, 10);
    ImGui::Indent(ui.px(20));
    paragraph(ui.look, type::small_strong, p.better, fill_in(ui.tr(Label::answer_right), right));
    ImGui::Unindent(ui.px(20));
  } else {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, p.conflict,
              {at.x + ui.px(6), at.y + ui.look.size(type::small_strong) / 2}, "×", HAlign::centre);
    ImGui::Indent(ui.px(20));
    paragraph(ui.look, type::small_strong, p.conflict,
              verdict.why == nullptr ? std::string(ui.tr(Label::answer_wrong))
                                     : fill_in(ui.tr(Label::answer_wrong_named), ui.say_plain(verdict.why->name)));
    ImGui::Unindent(ui.px(20));
    if (verdict.why != nullptr) {
      ImGui::Dummy({0, ui.px(6)});
      paragraph_with_code(ui, type::small, p.text, ui.say(verdict.why->say));
    }
    ImGui::Dummy({0, ui.px(6)});
    // Recorded times decide, not this run.
    const Label by = question.asks_for_time() ? Label::answer_is_by_clock : Label::answer_is;
    paragraph(ui.look, type::small, p.text, fill_in(ui.tr(by), right));
  }
  evidence(ui, question, verdict);
  if (!s.exercises.shows_place(question)) return;
  ImGui::Dummy({0, ui.px(4)});
  begin_quiet_row(ui);
  // Another variant than the one on screen is named before it is gone to.
  const auto variant = question.look.mark.empty() ? s.exercises.chosen_in(question) : std::nullopt;
  const std::string name =
      variant && *variant != s.selection.variant_index()
          ? fill_in(ui.tr(Label::see_in_picture_of), ui.say_plain(s.selection.lesson().variants[*variant].title))
          : std::string(ui.tr(Label::see_in_picture));
  if (!button(ui.look, "see place", name, ButtonKind::quiet)) return;
  ui.window.presenting->asked.clear();
  go_to_place(ui, question);
}

}  // namespace lanescope::gui
