#include "gui/warp/schedules_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "gui/parts/problems.h"
#include "gui/parts/said_first.h"

namespace lanescope::gui {
namespace {

using job::ScheduleReport;
using job::ScheduleResult;
using job::ScheduleVerdict;

std::string value_text(double value) {
  return fmt::format("{:.9g}", value);
}

const job::BufferSummary* buffer_of(const ScheduleResult& result, int argument) {
  const auto found = std::ranges::find(result.buffers, argument, &job::BufferSummary::argument);
  return found == result.buffers.end() ? nullptr : &*found;
}

std::string name_of(const std::string& name, int argument) {
  return name.empty() ? fmt::format("#{}", argument) : name;
}

// "block_sums[0]", or only the name of a buffer of one element.
std::string element_name(const ScheduleResult& result, const std::string& name, int argument, std::int64_t index) {
  const job::BufferSummary* buffer = buffer_of(result, argument);
  return name_of(name, argument) + (buffer != nullptr && buffer->count == 1 ? "" : fmt::format("[{}]", index));
}

// What the lesson's rules found wrong after the run on screen, which is in the standard order; null: nothing, or the
// orders are of another text or other values.
const job::WrongElement* wrong_in_standard(const Ui& ui) {
  const Session& s = ui.session;
  const job::WrongResult* wrong = s.schedules.stale() ? nullptr : wrong_result(s, s.selection.variant_index());
  return wrong == nullptr ? nullptr : &wrong->element;
}

ImU32 colour_of(const Palette& p, ScheduleVerdict verdict) {
  switch (verdict) {
    case ScheduleVerdict::ordered:
    case ScheduleVerdict::atomics:
      return p.better;
    case ScheduleVerdict::lucky:
    case ScheduleVerdict::racing:
      return p.conflict;
    default:
      return p.wasted_text;
  }
}

void heading(const Ui& ui, const char* title) {
  line_of_text(ui.look, type::caption_strong, ui.colours().dim, title, 0, 22);
}

constexpr float share_bar = 36, runs_column = 70, results_gap = 14;

// The width at which each result fits one line.
float wanted_by_results(const Ui& ui, const ScheduleReport& report) {
  float most = 0;
  for (const ScheduleResult& result : report.results)
    most = std::max(most, ui.look.measure(type::number, result_text(ui, report, result)).x);
  return most + ui.px(share_bar + runs_column + results_gap + 2);
}

// The results, most frequent first: the number of runs as a bar and a number, and what they left in memory.
void results(const Ui& ui, const ScheduleReport& report) {
  const Palette& p = ui.colours();
  heading(ui, ui.tr(Label::schedules_results));
  const std::uint32_t runs = report.done + 1;
  int number = 0;
  for (const ScheduleResult& result : report.results) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, y = at.y + ui.px(22) / 2;
    const float before = ui.px(share_bar + runs_column + results_gap), room = std::max(1.0f, width - before);
    const std::string said = result_text(ui, report, result);
    // A result that does not fit its line continues below.
    const float height = ui.px(22) + ui.look.line_pitch(type::number) *
                                         static_cast<float>(ui.look.lines(type::number, said, room).size() - 1);
    const std::string cure = result.error ? ui.told(result.error->cure) : std::string();
    ImGui::PushID(number++);
    const bool pressed = pressable("result", {width, height});
    ImGui::PopID();
    const int line = result.error ? line_in_code(ui, *result.error) : 0;
    if (pressed && line > 0) ui.window.show_line = line;
    if (line > 0 && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float bar = ui.px(share_bar), share = static_cast<float>(result.runs) / static_cast<float>(runs);
    const ImU32 colour = result.error ? p.conflict : p.executed;
    list->AddRectFilled({at.x, y - ui.px(4)}, {at.x + bar, y + ui.px(4)}, p.line, ui.px(2));
    list->AddRectFilled({at.x, y - ui.px(4)}, {at.x + std::max(ui.px(2), bar * share), y + ui.px(4)}, colour, ui.px(2));
    const float numbers = at.x + bar + ui.px(runs_column);
    draw_text(
        list, ui.look, type::number_strong, p.text, {numbers, y},
        fill_in(ui.tr(Label::schedules_runs_of), grouped(std::uint64_t{result.runs}), grouped(std::uint64_t{runs})),
        HAlign::right);
    draw_paragraph(list, ui.look, type::number, p.text, {at.x + before, y - ui.look.size(type::number) / 2}, said,
                   room);
    const std::string seed = result.first_seed == 0
                                 ? ui.tr(Label::schedules_standard)
                                 : fill_in(ui.tr(Label::schedules_first_seed), std::to_string(result.first_seed));
    hint(ui.look, seed);
    if (cure.empty()) continue;
    ImGui::Indent(before);
    paragraph(ui.look, type::caption, p.dim, cure);
    ImGui::Unindent(before);
    ImGui::Dummy({0, ui.px(4)});
  }
}

// One of the two accesses; a click goes there.
void access(const Ui& ui, const char* id, const std::string& said, int launch, const job::RacePlace& place,
            bool enabled) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = ui.px(16), width = ImGui::GetContentRegionAvail().x;
  const float height = ui.px(20) + ui.look.line_pitch(type::small) *
                                       static_cast<float>(ui.look.lines(type::small, said, width - indent).size() - 1);
  ImGui::BeginDisabled(!enabled);
  const bool pressed = pressable(id, {width, height});
  ImGui::EndDisabled();
  const bool hovered = enabled && ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled(at, {at.x + width, at.y + height}, p.hover, ui.px(4));
  }
  const float y = at.y + ui.px(10);
  draw_icon(list, ui.look, Icon::next, {at.x + ui.px(6), y}, enabled ? p.accent : p.faint, 7);
  draw_paragraph(list, ui.look, type::small, p.text, {at.x + indent, y - ui.look.size(type::small) / 2}, said,
                 width - indent);
  if (enabled) hint(ui.look, ui.tr(Label::schedules_go), said);
  if (!pressed) return;
  // If its step was not kept, only the line is shown.
  ui.session.place.go_to_access(launch, place);
  if (place.line > 0) ui.window.show_line = place.line;
  ui.window.warp_tab = WarpTab::sectors;
}

void races(const Ui& ui, const ScheduleReport& report, bool current) {
  const Palette& p = ui.colours();
  heading(ui, ui.tr(Label::schedules_races));
  const bool chinese = ui.window.settings.language == Language::chinese;
  int number = 0;
  for (const job::ScheduleRace& one : report.races) {
    const job::RaceText& text = chinese ? one.chinese : one.text;
    ImGui::PushID(number++);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool accuses = sim::accuses(one.race.kind);
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + ui.px(6), at.y + ui.px(8)}, ui.px(4),
                                                accuses ? p.conflict : p.dim);
    ImGui::Indent(ui.px(16));
    std::string title = text.title;
    if (one.launch > 1)
      title = fill_in(
          ui.tr(Label::schedules_of_launch),
          fill_in(ui.tr(Label::launch_of), std::to_string(one.launch), std::to_string(ui.session.runs.launch_count())),
          title);
    paragraph(ui.look, type::small_strong, p.text, title);
    ImGui::Unindent(ui.px(16));
    access(ui, "first", text.first, one.launch, text.first_place, current);
    access(ui, "second", text.second, one.launch, text.second_place, current);
    ImGui::Indent(ui.px(16));
    if (!text.cure.empty()) paragraph(ui.look, type::small_medium, accuses ? p.better : p.dim, text.cure);
    paragraph(ui.look, type::caption, p.dim,
              fill_in(ui.tr(Label::schedules_found_in), text.where, std::to_string(one.runs),
                      std::to_string(report.done + 1)));
    ImGui::Unindent(ui.px(16));
    ImGui::Dummy({0, ui.px(8)});
    ImGui::PopID();
  }
}

// Why no race is reported, and how far the results differ.
void watched(const Ui& ui, const ScheduleReport& report) {
  const Palette& p = ui.colours();
  const ScheduleVerdict verdict = report.verdict();
  if (verdict != ScheduleVerdict::ordered && verdict != ScheduleVerdict::atomics) return;
  heading(ui, ui.tr(Label::schedules_watched));
  paragraph(ui.look, type::small, p.text,
            ui.tr(verdict == ScheduleVerdict::ordered ? Label::schedules_ordered_why : Label::schedules_atomics_why));
  for (const job::BufferSpread& spread : report.spreads) {
    if (spread.distinct < 2 || spread.count != 1) continue;
    ImGui::Dummy({0, ui.px(4)});
    const std::string name = name_of(spread.name, spread.argument);
    paragraph(ui.look, type::number, p.text,
              fill_in(ui.tr(Label::schedules_spread), name, value_text(spread.lowest), value_text(spread.highest)));
    if (spread.reference)
      paragraph(
          ui.look, type::number, p.dim,
          fill_in(ui.tr(Label::schedules_reference), spread.reference_name, fmt::format("{}", *spread.reference)));
  }
}

void problems(const Ui& ui, const Diagnostics& all) {
  for (const Diagnostic& d : all) {
    if (d.severity != Severity::error) continue;
    draw_problem(ui, d, ui.colours().conflict);
  }
}

void report_body(const Ui& ui, const Schedules::Orders& orders, bool stale) {
  const Palette& p = ui.colours();
  const ScheduleReport& report = *orders.report;
  if (report.results.empty()) {
    problems(ui, report.problems);
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ScheduleVerdict verdict = report.verdict();
  const float icon = ui.px(20);
  if (verdict == ScheduleVerdict::ordered || verdict == ScheduleVerdict::atomics)
    draw_icon(ImGui::GetWindowDrawList(), ui.look, Icon::check, {at.x + ui.px(7), at.y + ui.px(9)},
              colour_of(p, verdict), 11);
  else
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::body_strong, colour_of(p, verdict),
              {at.x + ui.px(7), at.y + ui.px(9)}, "×", HAlign::centre);
  ImGui::Indent(icon);
  std::string said = verdict_text(ui, report);
  if (report.done < report.asked)
    said += " (" + fill_in(ui.tr(Label::schedules_stopped), std::to_string(report.done + 1)) + ")";
  paragraph(ui.look, type::small_strong, stale ? p.dim : p.text, said);
  if (stale) paragraph(ui.look, type::caption, p.wasted_text, ui.tr(Label::schedules_stale));
  ImGui::Unindent(icon);
  ImGui::Dummy({0, ui.px(4)});

  // Side by side if there is room.
  const float width = ImGui::GetContentRegionAvail().x, gap = ui.px(24);
  const bool two = !report.races.empty() || verdict == ScheduleVerdict::ordered || verdict == ScheduleVerdict::atomics;
  const bool wide = two && width > ui.px(480);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  // The races need most space, but a truncated result would be useless.
  const float column = wide ? std::clamp(wanted_by_results(ui, report), std::min((width - gap) * 0.34f, ui.px(420)),
                                         (width - gap) * 0.5f)
                            : width;
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, stale ? 0.55f : 1.0f);
  ImGui::BeginChild("results", {column, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
  results(ui, report);
  ImGui::EndChild();
  if (wide)
    ImGui::SetCursorScreenPos({top.x + column + gap, top.y});
  else
    ImGui::Dummy({0, ui.px(6)});
  ImGui::BeginChild("races", {wide ? width - gap - column : width, 0},
                    ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
  if (report.races.empty())
    watched(ui, report);
  else
    races(ui, report, !stale);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

std::string verdict_text(const Ui& ui, const ScheduleReport& report) {
  const std::string runs = grouped(std::uint64_t{report.done} + 1),
                    results = grouped(std::uint64_t{report.results.size()});
  switch (report.verdict()) {
    case ScheduleVerdict::ordered:
      return fill_in(ui.tr(Label::schedules_ordered), runs);
    case ScheduleVerdict::atomics:
      return fill_in(ui.tr(Label::schedules_atomics), runs, results);
    case ScheduleVerdict::lucky:
      return fill_in(ui.tr(Label::schedules_lucky), runs);
    case ScheduleVerdict::racing:
      return fill_in(ui.tr(Label::schedules_racing), runs, results);
    case ScheduleVerdict::failing:
      return fill_in(ui.tr(Label::schedules_failing), runs);
    case ScheduleVerdict::unwatched:
      return fill_in(ui.tr(Label::schedules_unwatched), runs);
    case ScheduleVerdict::nothing:
      break;
  }
  return {};
}

std::string result_text(const Ui& ui, const ScheduleReport& report, const ScheduleResult& result) {
  if (result.error) return fill_in(ui.tr(Label::schedules_failed), problem_text(ui, *result.error));
  if (!result.differences.empty()) {
    const job::ScheduleDifference& one = result.differences.front();
    // The standard order is no yardstick: its result may be the wrong one.
    const job::WrongElement* wrong = wrong_in_standard(ui);
    const bool right = wrong != nullptr && wrong->argument == one.argument &&
                       wrong->index == static_cast<std::int64_t>(one.first) && wrong->expected == value_text(one.value);
    std::string said = fill_in(ui.tr(right ? Label::schedules_other_expected : Label::schedules_other),
                               element_name(result, one.name, one.argument, static_cast<std::int64_t>(one.first)),
                               value_text(one.value), value_text(one.standard));
    std::uint64_t more = 0;
    for (const job::ScheduleDifference& difference : result.differences) more += difference.elements;
    if (more > 1) said += fill_in(ui.tr(Label::schedules_more_differ), grouped(more - 1));
    return said;
  }
  std::string said;
  for (const job::BufferSpread& spread : report.spreads)
    if (const job::BufferSummary* buffer = buffer_of(result, spread.argument))
      said += (said.empty() ? "" : " · ") +
              fill_in(ui.tr(spread.count == 1 ? Label::schedules_value : Label::schedules_sum),
                      name_of(spread.name, spread.argument), value_text(buffer->sum));
  if (said.empty()) said = ui.tr(Label::schedules_unchanged);
  if (result.first_seed != 0 || report.results.size() < 2) return said;
  if (const job::WrongElement* wrong = wrong_in_standard(ui))
    return fill_in(ui.tr(Label::schedules_standard_wrong), said,
                   element_name(result, wrong->buffer, wrong->argument, wrong->index), wrong->expected);
  return fill_in(ui.tr(Label::schedules_of_standard), said);
}

void SchedulesPanel::controls(const Ui& ui, const Strip& strip) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const Schedules::Orders* orders = s.schedules.orders();
  const bool running = orders != nullptr && !orders->known;
  float right = strip.x1;
  const std::string run = ui.tr(Label::schedules_run), stop = ui.tr(Label::stop);
  const float width = std::max(button_width(ui.look, run, {}, false), button_width(ui.look, stop, {}, false));
  right -= width;
  ImGui::SetCursorScreenPos({right, strip.centre - ui.px(17)});
  const float done =
      running ? static_cast<float>(orders->done->load()) / static_cast<float>(std::max(1u, orders->asked)) : -1;
  if (button(ui.look, "run schedules", running ? stop : run, ButtonKind::plain, {}, done, width,
             !s.selection.variant().gpu_only)) {
    if (running)
      s.schedules.stop();
    else
      s.schedules.run(count_);
  }
  right -= ui.px(14);
  if (running) {
    draw_text(
        ImGui::GetWindowDrawList(), ui.look, type::caption, p.dim, {right, strip.centre},
        fill_in(ui.tr(Label::schedules_done), std::to_string(orders->done->load()), std::to_string(orders->asked)),
        HAlign::right);
    return;
  }
  const std::string said = fill_in(ui.tr(Label::schedules_count), std::to_string(count_));
  const float picker = ui.look.measure(type::caption, said).x + ui.px(18);
  ImGui::SetCursorScreenPos({right - picker, strip.centre - ui.px(13)});
  if (pressable("how many", {picker, ui.px(26)})) ImGui::OpenPopup("how many list");
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::caption, hovered ? p.text : p.dim, {right - picker, strip.centre}, said);
  draw_icon(list, ui.look, Icon::down, {right - ui.px(5), strip.centre}, p.dim, 6);
  place_list_at_item(ui.look);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  if (ImGui::BeginPopup("how many list")) {
    for (const std::uint32_t count : {8u, 32u, 128u})
      if (ImGui::Selectable(fill_in(ui.tr(Label::schedules_count), std::to_string(count)).c_str(), count == count_, 0,
                            {ui.px(140), ui.px(22)}))
        count_ = count;
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void SchedulesPanel::draw(const Ui& ui, const PanelRect& body) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  ImGui::SetCursorScreenPos({body.x, body.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
  ImGui::BeginChild("schedules", {body.width, body.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const Schedules::Orders* orders = s.schedules.orders();
  if (s.selection.variant().gpu_only)
    paragraph(ui.look, type::small, p.dim, ui.tr(Label::gpu_only));
  else if (orders == nullptr || !orders->known)
    paragraph(ui.look, type::small, p.dim, ui.tr(Label::schedules_what),
              std::min(ImGui::GetContentRegionAvail().x, ui.px(640)));
  else
    report_body(ui, *orders, s.schedules.stale());
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

}  // namespace lanescope::gui
