#include "gui/numbers/numbers.h"

// Below the code: the lesson's controls, and the numbers of the run on screen.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "diagram/words.h"
#include "gui/numbers/slider.h"
#include "gui/parts/covers.h"
#include "gui/parts/exports.h"
#include "gui/parts/launch_choice.h"
#include "gui/parts/markdown.h"

namespace lanescope::gui {

namespace {

// Rows are closer together in a low window.
struct Rows {
  float head, control, number;
};
Rows rows_of(bool low) {
  return low ? Rows{28, 26, 22} : Rows{36, 34, 27};
}

// The row above the numbers outside the lesson's point: unfolds them and tells how many are worse than ideal.
void fold_row(const Ui& ui, const std::vector<NumberRow>& rows, float row_height) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, y = at.y + ui.px(row_height) / 2;
  if (pressable("all numbers", {width, ui.px(row_height)})) ui.window.all_numbers = !ui.window.all_numbers;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const auto folded = [](const NumberRow& row) { return !row.of_point; };
  const auto worse = std::ranges::count_if(rows, [&](const NumberRow& row) { return folded(row) && row.worse; });
  const std::string count = std::to_string(std::ranges::count_if(rows, folded));
  const bool open = ui.window.all_numbers;
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_icon(list, ui.look, open ? Icon::down : Icon::next, {at.x + ui.px(5), y}, hovered ? p.text : p.dim, 7);
  const float drawn = draw_text(list, ui.look, type::small, hovered ? p.text : p.dim, {at.x + ui.px(16), y},
                                fill_in(ui.tr(Label::other_numbers), count), HAlign::left, width - ui.px(16));
  if (worse > 0 && !open)
    draw_text(list, ui.look, type::caption, p.wasted_text, {at.x + width, y},
              fill_in(ui.tr(Label::other_numbers_worse), std::to_string(worse)), HAlign::right,
              std::max(1.0f, width - drawn - ui.px(32)));
}

float witness_switch(const Ui& ui, float right, float centre);

// Room for "interpreted", also with "recorded", and for the button of corner_beside().
float beside_badge(const Ui& ui) {
  const bool both = ui.session.runs.gpu_recording() != nullptr && !ui.session.runs.gpu_stale();
  const auto wide = [&](Label label) { return ui.look.measure(type::caption_strong, ui.tr(label)).x; };
  return wide(Label::interpreted) + (both ? wide(Label::witness_recorded) + ui.px(16) : 0) + ui.px(8 + 24 + 16);
}

// A section title on the left, and dim text on the right.
void section(const Ui& ui, const char* title, const std::string& right, bool badge, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, centre = at.y + ui.px(height / 2);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float used = draw_text(list, ui.look, type::small_strong, ui.colours().dim, {at.x, centre}, title);
  float edge = at.x + width;
  if (badge)
    if (const float badge_width =
            stale_badge(ui, edge, centre, ui.session.selection.variant_index(), edge - at.x - used - beside_badge(ui));
        badge_width > 0)
      edge -= badge_width + ui.px(8);
  if (badge)
    witness_switch(ui, edge, centre);
  else
    draw_text(list, ui.look, type::caption, ui.colours().dim, {edge, centre}, right, HAlign::right,
              std::max(1.0f, edge - at.x - used - ui.px(12)));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, ui.px(height)});
}

// Draws a dot per witness of this number and a mark for the verdict, from `x` on if there is room. Returns the same as
// text.
std::string witnesses(const Ui& ui, const std::string& name, float x, float y, float limit, float alpha) {
  const job::Agreement* agreement = ui.session.runs.agreement();
  if (agreement == nullptr || ui.session.runs.gpu_stale()) return {};
  // Only the first repeat is compared, but the interpreter's numbers are those of all repeats.
  if (agreement->which.repeats > 1 && !ui.session.runs.shows_recorded()) return {};
  const auto& rows = agreement->rows;
  const auto row = std::ranges::find(rows, name, &job::AgreementRow::number);
  if (row == rows.end() || row->agreed == job::Agreed::not_counted) return {};
  const Palette& p = ui.colours();
  const std::pair<std::optional<std::uint64_t>, Label> said[] = {{row->interpreted, Label::witness_interpreted},
                                                                 {row->recorded, Label::witness_recorded},
                                                                 {row->counted, Label::witness_counted}};
  const bool good = row->agreed == job::Agreed::equal;
  const ImU32 colour = with_alpha(good                                    ? p.better
                                  : row->agreed == job::Agreed::explained ? p.wasted
                                                                          : p.conflict,
                                  alpha);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float pitch = ui.px(11), r = ui.px(3);
  const bool room = x + 3 * pitch + ui.px(12) <= limit;
  std::string words;
  for (int i = 0; i < 3; ++i) {
    const ImVec2 c{x + static_cast<float>(i) * pitch + r, y};
    if (room && said[i].first) list->AddCircleFilled(c, r, colour);
    if (room && !said[i].first) list->AddCircle(c, r, with_alpha(p.faint, alpha), 0, std::max(1.0f, ui.px(1)));
    words += std::string(words.empty() ? "" : " · ") + ui.tr(said[i].second) + " " +
             (said[i].first ? grouped(*said[i].first) : "–");
  }
  if (room && good) draw_icon(list, ui.look, Icon::check, {x + 3 * pitch + ui.px(5), y}, colour, 8);
  return words + (row->evidence.empty() ? "" : "\n" + row->evidence);
}

// "interpreted | recorded": selects which pictures and numbers are shown. Its right edge is at `right`; returns its
// width.
float witness_switch(const Ui& ui, float right, float centre) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const GpuResult* of_gpu = s.runs.gpu();
  const bool can = s.runs.gpu_recording() != nullptr && !s.runs.gpu_stale();
  const std::string words[2] = {ui.tr(Label::interpreted), can ? ui.tr(Label::witness_recorded) : ""};
  if (!can)
    return draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, p.dim, {right, centre}, words[0],
                     HAlign::right);
  float x = right;
  const bool recorded = s.runs.shows_recorded();
  for (int i = 1; i >= 0; --i) {
    const float width = ui.look.measure(type::caption_strong, words[i]).x;
    ImGui::SetCursorScreenPos({x - width - ui.px(4), centre - ui.px(10)});
    if (pressable(i == 0 ? "show interpreted" : "show recorded", {width + ui.px(8), ui.px(20)}))
      ui.window.afterwards([&s, i] { s.runs.show_recorded(i == 1); });
    const bool hovered = ImGui::IsItemHovered(), on = recorded == (i == 1);
    if (hovered && !on) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    hint(ui.look, i == 0 ? std::string(ui.tr(Label::show_interpreted_hint))
                         : fill_in(ui.tr(Label::show_recorded_hint), ui.told(label_of(of_gpu->device))));
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw_text(list, ui.look, on ? type::caption_strong : type::caption, on || hovered ? p.text : p.dim, {x, centre},
              words[i], HAlign::right);
    if (on) list->AddRectFilled({x - width, centre + ui.px(8)}, {x, centre + ui.px(9.5f)}, p.accent);
    x -= width + ui.px(16);
  }
  return right - x - ui.px(16);
}

void number_row(const Ui& ui, const NumberRow& row, float row_height) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float height = ui.px(row_height);
  const float width = ImGui::GetContentRegionAvail().x, y = at.y + height / 2;
  const float alpha = picture_alpha(ui);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool wide = width > ui.px(400);
  // Without the ideal beside it, the ratio says what it is of.
  const std::string ratio = row.ratio.empty() || wide ? row.ratio : row.ratio + " " + ui.tr(Label::ideal);
  const float ratio_width =
      wide ? ui.px(52) : ui.look.measure(type::number, "8.00 × " + std::string(ui.tr(Label::ideal))).x + ui.px(12);
  const std::string ideal = row.ideal.empty() ? "" : std::string(ui.tr(Label::ideal)) + " " + row.ideal;
  const float ideal_width = wide ? std::max(ui.px(112), ui.look.measure(type::number, ideal).x + ui.px(12)) : 0.0f;
  const float ratio_x = at.x + width, ideal_x = ratio_x - ratio_width, value_x = ideal_x - ideal_width;
  const ImU32 ink = with_alpha(row.worse ? p.wasted_text : p.text, alpha);
  const float value_width = draw_text(list, ui.look, type::number_strong, ink, {value_x, y}, row.value, HAlign::right);
  if (wide && !row.ideal.empty())
    draw_text(list, ui.look, type::number, with_alpha(p.dim, alpha), {ideal_x, y}, ideal, HAlign::right);
  if (!row.ratio.empty())
    draw_text(list, ui.look, type::number, with_alpha(row.worse ? p.wasted_text : p.dim, alpha), {ratio_x, y}, ratio,
              HAlign::right);
  const std::string label = ui.told(row.label);
  const float room = std::max(1.0f, value_x - value_width - at.x - ui.px(12));
  const TypeStyle style = ui.look.measure(type::small, label).x > room ? type::caption : type::small;
  const float label_width = std::min(ui.look.measure(style, label).x, room);
  // A name that does not fit its line continues below.
  const float size = ui.look.size(style);
  height += draw_paragraph(list, ui.look, style, with_alpha(p.text, alpha), {at.x, y - size / 2}, label, room) - size;
  const std::string heard = witnesses(ui, row.name, at.x + label_width + ui.px(12), y, at.x + room, alpha);
  ImGui::PushID(row.name.c_str());
  const bool leads = Place::has_most(row.name);
  if (leads ? pressable("number", {width, height}) : ImGui::InvisibleButton("number", {width, height}))
    ui.window.afterwards([&place = ui.session.place, leads, name = row.name] {
      if (leads) place.go_to_most(name);
    });
  ImGui::PopID();
  if (leads && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  std::string said;
  if (!wide && !row.ideal.empty()) said += ideal + "\n";
  if (!row.nsight.empty()) said += "Nsight Compute: " + row.nsight;
  if (!row.note.empty()) said += (said.empty() || said.back() == '\n' ? "" : "\n") + ui.told(row.note);
  if (!heard.empty()) said += (said.empty() || said.back() == '\n' ? "" : "\n") + heard;
  if (leads) said += (said.empty() || said.back() == '\n' ? "" : "\n") + std::string(ui.tr(Label::number_go));
  hint(ui.look, said, label);
}

// A rule about a line that the edited kernel does not have was not judged at all.
// An edited kernel need not have the marks and the numbers of the lesson's own.
bool is_about_other_kernel(const Ui& ui, const job::CheckResult& check) {
  const Selection& selection = ui.session.selection;
  return !check.holds && !check.of_result && selection.edited(selection.variant());
}

void check_row(const Ui& ui, const job::CheckResult& check, float row_height) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, y = at.y + ui.px(row_height) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float alpha = picture_alpha(ui);
  const bool judged = !is_about_other_kernel(ui, check);
  const std::string verdict =
      !judged ? ui.told(worded("not judged")) : std::string(ui.tr(check.holds ? Label::holds : Label::does_not_hold));
  const ImU32 colour = with_alpha(check.holds ? p.better : judged ? p.conflict : p.dim, alpha);
  const float right = at.x + width;
  const float used = draw_text(list, ui.look, type::small_strong, colour, {right, y}, verdict, HAlign::right);
  if (check.holds) draw_icon(list, ui.look, Icon::check, {right - used - ui.px(12), y}, colour, 9);
  // A rule that does not fit its line continues below.
  const float size = ui.look.size(type::number);
  const float drawn = draw_paragraph(list, ui.look, type::number, with_alpha(p.text, alpha), {at.x, y - size / 2},
                                     check.description, width - used - ui.px(36));
  ImGui::Dummy({width, ui.px(row_height) + drawn - size});
  hint(ui.look,
       !judged                ? ui.told(worded("It describes the lesson's own kernel."))
       : check.detail.empty() ? ui.tr(Label::check_hint)
                              : ui.told(check.detail),
       check.description);
  if (check.holds || check.detail.empty() || !judged) return;
  paragraph_with_code(ui, type::caption, with_alpha(p.conflict, alpha), ui.told(check.detail));
  ImGui::Dummy({0, ui.px(4)});
}

}  // namespace

namespace {

NumberRow row_of(const metrics::Measurement& n) {
  NumberRow row{n.name, n.label, number_text(n), {}, {}, false, n.nsight_name, n.nsight_note};
  if (n.ideal < 0) return row;
  row.ideal = number_text(n.ideal, n.unit);
  row.worse = n.better == metrics::Better::more ? n.value < n.ideal * 0.9995 : n.value > n.ideal * 1.0005;
  if (n.ideal > 0 && n.unit != "%") row.ratio = diagram::ratio_text(n.value / n.ideal);
  return row;
}

}  // namespace

std::vector<NumberRow> number_rows(const RunResult& result, const std::vector<std::string>& always) {
  const trace::Totals& totals = result.outcome.first().trace.totals;
  std::vector<const metrics::Measurement*> listed;
  for (const metrics::Measurement& n : result.numbers) {
    const bool named = std::ranges::find(always, n.name) != always.end();
    const bool happened = n.memory_class
                              ? totals.of(*n.memory_class).requests > 0
                              : n.value != 0 || named || (n.name == "divergent_branches" && totals.branches > 0);
    if (n.applicable && happened && (named || n.panel != metrics::unlisted)) listed.push_back(&n);
  }
  std::ranges::stable_sort(listed, {}, [](const metrics::Measurement* n) {
    return std::tuple(n->memory_class.value_or(trace::MemoryClass::count_), n->panel);
  });
  std::vector<NumberRow> rows;
  for (const metrics::Measurement* n : listed) rows.push_back(row_of(*n));
  return rows;
}

float controls_height(const Ui& ui, bool low) {
  const auto count = ui.session.selection.controls().size();
  const Rows rows = rows_of(low);
  return count == 0 ? 0 : rows.head + rows.control * static_cast<float>(count) + 8;
}

float number_rows_height(bool low, int count) {
  return rows_of(low).head + rows_of(low).number * static_cast<float>(count);
}

int rows_of_nothing(const Ui& ui, float width, bool low) {
  const float told = ui.look.measure(type::small, why_nothing(ui), width - 2 * ui.px(16)).y;
  int rows = 1;
  while (rows < 4 && ui.px(rows_of(low).number) * static_cast<float>(rows) < told + ui.px(6)) ++rows;
  return rows;
}

float whole_number_rows(const Ui& ui, float below, float around, float cap, bool low, int count) {
  const auto with = [&](int rows) { return around + ui.px(number_rows_height(low, rows)); };
  if (count < 1 || below >= with(count)) return below;
  while (count > 1 && with(count) > below + 1) --count;
  return with(count) <= std::max(cap, below + 1) ? with(count) : below;
}

std::string unit_of(const Ui& ui, const lesson::Control& control, std::int64_t value) {
  std::string unit = ui.say(control.unit);
  if (value == 1 && ui.window.settings.language == Language::english && unit.ends_with('s')) unit.pop_back();
  return unit;
}

namespace {

// In the width that there is.
void draw_control(const Ui& ui, const lesson::Control& control, const SliderColumns& columns, float row_height) {
  Session& s = ui.session;
  std::int64_t value = s.selection.control(control.name);
  const Slide happened = control_slider(ui.look, control, value, ui.name_of(control), unit_of(ui, control, value),
                                        ui.say(control.explain), columns, row_height);
  if (happened == Slide::nothing) return;
  s.selection.set_control(control.name, value);
  if (happened == Slide::released || s.runs.fast()) s.runs.run_if_needed();
}

SliderColumns columns_of(const Ui& ui, float width) {
  SliderColumns columns{std::min(ui.px(112), width * 0.3f), ui.px(48)};
  for (const lesson::Control* control : ui.session.selection.controls())
    columns.fit(ui.look, *control, ui.name_of(*control), ui.say(control->unit), width);
  return columns;
}

}  // namespace

float controls_in_columns_height(const Ui& ui, int columns) {
  const int count = static_cast<int>(ui.session.selection.controls().size());
  return rows_of(false).control * static_cast<float>((count + columns - 1) / columns);
}

void draw_controls_in_columns(const Ui& ui, int columns) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gap = ui.px(32), row = rows_of(false).control;
  const float width = (ImGui::GetContentRegionAvail().x + gap) / static_cast<float>(columns) - gap;
  const SliderColumns sliders = columns_of(ui, width);
  int index = 0;
  for (const lesson::Control* control : ui.session.selection.controls()) {
    const int x = index % columns, y = index / columns;
    ImGui::SetCursorScreenPos(
        {at.x + static_cast<float>(x) * (width + gap), at.y + static_cast<float>(y) * ui.px(row)});
    ImGui::BeginChild(control->name.c_str(), {width, ui.px(row)}, ImGuiChildFlags_NavFlattened);
    draw_control(ui, *control, sliders, row);
    ImGui::EndChild();
    ++index;
  }
}

void draw_controls(const Ui& ui, bool low) {
  const auto controls = ui.session.selection.controls();
  if (controls.empty()) return;
  const Rows rows = rows_of(low);
  section(ui, ui.tr(Label::controls), {}, false, rows.head);
  const SliderColumns columns = columns_of(ui, ImGui::GetContentRegionAvail().x);
  for (const lesson::Control* control : controls) draw_control(ui, *control, columns, rows.control);
  ImGui::Dummy({0, ui.px(8)});
}

namespace {

// Where no figure stands: at the panel's own corner the menu would cover the last one.
void corner_beside(const Ui& ui, ImVec2 at, const std::string& title, float height) {
  const float centre = at.y + ui.px(height / 2), half = ui.px(12);
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  ui.window.exports->beside_numbers.reset();
  if (centre - half >= top && centre + half <= bottom)
    ui.window.exports->beside_numbers = {at.x + ui.look.measure(type::small_strong, title).x + ui.px(8), centre};
}

}  // namespace

void draw_numbers(const Ui& ui, const std::vector<NumberRow>& numbers, bool low) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 window = ImGui::GetWindowPos();
  const Rows rows = rows_of(low);
  if (!ui.session.selection.controls().empty())
    ImGui::GetWindowDrawList()->AddRectFilled({window.x, at.y}, {window.x + ImGui::GetWindowWidth(), at.y + ui.px(1)},
                                              ui.colours().line);
  const RunResult* result = ui.session.runs.shown();
  const std::string launch = launch_text(ui);
  const std::string title = ui.tr(Label::this_run) + (launch.empty() ? "" : " · " + launch);
  section(ui, title.c_str(), {}, result != nullptr, rows.head);
  corner_beside(ui, at, title, rows.head);
  if (result == nullptr) {
    paragraph(ui.look, type::small, ui.colours().dim, why_nothing(ui));
    return;
  }
  if (covers(ui).counts) {
    paragraph(ui.look, type::small, ui.colours().dim, ui.tr(Label::cover_numbers));
    ImGui::Dummy({0, ui.px(8)});
    if (!covers(ui).picture) uncover_button(ui);  // otherwise the picture's cover has the button
    return;
  }
  const auto checks = [&](bool last) {
    for (const job::CheckResult& check : result->outcome.checks)
      if ((check.holds || is_about_other_kernel(ui, check)) == last) check_row(ui, check, rows.number);
  };
  checks(false);
  const auto folded = std::ranges::find(numbers, false, &NumberRow::of_point);
  for (auto row = numbers.begin(); row != folded; ++row) number_row(ui, *row, rows.number);
  if (folded != numbers.end()) fold_row(ui, numbers, rows.number);
  if (ui.window.all_numbers)
    for (auto row = folded; row != numbers.end(); ++row) number_row(ui, *row, rows.number);
  checks(true);
  if (const std::uint64_t dropped = result->outcome.first().trace.events_dropped; dropped > 0)
    paragraph(ui.look, type::caption, ui.colours().dim, fill_in(ui.tr(Label::events_dropped), grouped(dropped)));
}

std::vector<NumberRow> by_point(std::vector<NumberRow> rows, const lesson::Point& point) {
  const auto rank = [&](const NumberRow& row) {
    return std::ranges::find(point.numbers, row.name) - point.numbers.begin();
  };
  for (NumberRow& row : rows) row.of_point = point.numbers.empty() || rank(row) < std::ssize(point.numbers);
  std::ranges::stable_sort(rows, {}, rank);
  return rows;
}

std::size_t rows_on_screen(const std::vector<NumberRow>& rows, bool unfolded) {
  const auto first = static_cast<std::size_t>(std::ranges::count_if(rows, &NumberRow::of_point));
  return first == rows.size() ? first : (unfolded ? rows.size() : first) + 1;
}

}  // namespace lanescope::gui
