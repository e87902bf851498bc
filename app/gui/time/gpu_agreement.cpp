#include "gui/time/gpu_agreement.h"

// Three witnesses of the run on screen: the interpreter's counts, the kernel's own record on the GPU, and the hardware
// counters. Shows whether they agree, and if not, why.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "gui/forms/cures.h"
#include "gui/parts/problems.h"

namespace lanescope::gui {
namespace {

using job::Agreed;
using job::AgreementRow;

struct Columns {
  float name = 0, number[3] = {}, verdict = 0, end = 0;  // numbers: right edges
};

Columns columns_of(const Ui& ui, float x, float width) {
  const bool wide = width > ui.px(470);
  const float number = ui.px(wide ? 84.0f : 66.0f), verdict = ui.px(wide ? 92.0f : 24.0f);
  Columns c;
  c.name = x, c.end = x + width, c.verdict = c.end - verdict + ui.px(12);
  for (int i = 0; i < 3; ++i) c.number[i] = c.end - verdict - static_cast<float>(2 - i) * number;
  return c;
}

Label verdict_label(Agreed agreed) {
  switch (agreed) {
    case Agreed::equal:
      return Label::verdict_equal;
    case Agreed::explained:
      return Label::verdict_explained;
    case Agreed::unexplained:
      return Label::verdict_unexplained;
    case Agreed::not_counted:
      return Label::verdict_alone;
  }
  return Label::verdict_alone;
}

// Shape and colour: a tick, a ring with a dot, a cross, a dash.
void verdict_mark(const Ui& ui, Agreed agreed, ImVec2 c, float alpha) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float r = ui.px(4), thick = std::max(1.0f, ui.px(1.5f));
  switch (agreed) {
    case Agreed::equal:
      draw_icon(list, ui.look, Icon::check, c, with_alpha(p.better, alpha), 9);
      break;
    case Agreed::explained:
      list->AddCircle(c, r, with_alpha(p.wasted, alpha), 0, thick);
      list->AddCircleFilled(c, r * 0.4f, with_alpha(p.wasted, alpha));
      break;
    case Agreed::unexplained:
      list->AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, with_alpha(p.conflict, alpha), thick);
      list->AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, with_alpha(p.conflict, alpha), thick);
      break;
    case Agreed::not_counted:
      list->AddLine({c.x - r, c.y}, {c.x + r, c.y}, with_alpha(p.faint, alpha), thick);
      break;
  }
}

void heading(const Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, y = at.y + ui.px(9);
  const Columns c = columns_of(ui, at.x, width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Label names[3] = {Label::witness_interpreted, Label::witness_recorded, Label::witness_counted};
  for (int i = 0; i < 3; ++i)
    draw_text(list, ui.look, type::caption, ui.colours().dim, {c.number[i], y}, ui.tr(names[i]), HAlign::right);
  ImGui::Dummy({width, ui.px(18)});
}

std::string number_label(const Ui& ui, const std::string& name, const RunResult& result) {
  const auto found = std::ranges::find(result.numbers, name, &metrics::Measurement::name);
  return found == result.numbers.end() ? name : ui.told(found->label);
}

void number_row(const Ui& ui, const AgreementRow& row, const RunResult& result, float alpha) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(21), y = at.y + height / 2;
  const Columns c = columns_of(ui, at.x, width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::optional<std::uint64_t> values[3] = {row.interpreted, row.recorded, row.counted};
  const bool parts = row.agreed == Agreed::explained || row.agreed == Agreed::unexplained;
  float left = c.number[0];
  for (int i = 0; i < 3; ++i) {
    const bool other = parts && values[i] && row.interpreted && *values[i] != *row.interpreted;
    const ImU32 ink = !values[i] ? p.faint : other ? p.wasted_text : p.text;
    const float used = draw_text(list, ui.look, values[i] ? type::number_strong : type::number, with_alpha(ink, alpha),
                                 {c.number[i], y}, values[i] ? grouped(*values[i]) : "–", HAlign::right);
    if (i == 0) left -= used;
  }
  verdict_mark(ui, row.agreed, {c.verdict + ui.px(2), y}, alpha);
  const char* said = ui.tr(verdict_label(row.agreed));
  if (c.end - c.verdict > ui.px(40))
    draw_text(list, ui.look, type::caption, with_alpha(p.dim, alpha), {c.verdict + ui.px(14), y}, said);
  const std::string label = number_label(ui, row.number, result);
  draw_text(list, ui.look, type::small, with_alpha(p.text, alpha), {c.name, y}, label, HAlign::left,
            left - c.name - ui.px(10));
  ImGui::PushID(row.number.c_str());
  ImGui::InvisibleButton("agreement row", {width, height});
  ImGui::PopID();
  hint(ui.look,
       std::string(said) + (row.evidence.empty() ? "" : ": " + ui.told(row.evidence)) +
           "\nNsight Compute: " + row.nsight_name,
       label);
  if (!row.evidence.empty()) {
    ImGui::Indent(ui.px(12));
    paragraph(ui.look, type::caption, with_alpha(p.dim, alpha), ui.told(row.evidence));
    ImGui::Unindent(ui.px(12));
    ImGui::Dummy({0, ui.px(3)});
  }
}

// The panel's answer: one sentence about all rows.
std::string answer(const Ui& ui, std::span<const AgreementRow> rows) {
  std::uint64_t equal = 0, explained = 0, unexplained = 0, alone = 0;
  for (const AgreementRow& row : rows) {
    equal += row.agreed == Agreed::equal;
    explained += row.agreed == Agreed::explained;
    unexplained += row.agreed == Agreed::unexplained;
    alone += row.agreed == Agreed::not_counted;
  }
  const std::uint64_t spoken = rows.size() - alone;
  if (spoken == 0) return ui.tr(Label::only_interpreter);
  if (unexplained > 0) return fill_in(ui.tr(Label::some_unexplained), grouped(unexplained), grouped(spoken));
  if (explained > 0) return fill_in(ui.tr(Label::some_explained), grouped(equal), grouped(spoken), grouped(explained));
  return fill_in(ui.tr(Label::all_agree), grouped(spoken));
}

void small_line(const Ui& ui, bool good, const std::string& text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Palette& p = ui.colours();
  if (good)
    draw_icon(ImGui::GetWindowDrawList(), ui.look, Icon::check, {at.x + ui.px(5), at.y + ui.px(8)}, p.better, 8);
  else
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + ui.px(5), at.y + ui.px(8)}, ui.px(3.5f), p.wasted);
  ImGui::Indent(ui.px(18));
  paragraph(ui.look, type::caption, p.dim, text);
  ImGui::Unindent(ui.px(18));
  ImGui::Dummy({0, ui.px(2)});
}

// True if a launch after the first leaves a result that depends on the order of its atomics.
bool later_rounds(const Session& s) {
  const RunResult* whole = s.runs.shown(s.selection.variant_index());
  return whole != nullptr && std::ranges::any_of(std::span(whole->outcome.launches).subspan(1), job::rounds_by_order,
                                                 &job::LaunchOutcome::trace);
}

// The result itself: whether it equals the interpreter's, and whether it satisfies the lesson's rules.
void results(const Ui& ui, const GpuResult& said) {
  const bool rounds =
      !said.same_result &&
      ((said.first().agreement ? !said.first().agreement->repeatable : !said.repeatable) || later_rounds(ui.session));
  if (said.same_result)
    small_line(ui, true, ui.tr(Label::result_same));
  else if (rounds)
    small_line(ui, true, ui.tr(Label::result_rounds));
  else
    small_line(ui, false, fill_in(ui.tr(Label::result_differs), ui.told(said.first_difference)));
  if (const auto& agreement = said.first().agreement; agreement && !agreement->why_result_differs.empty())
    small_line(ui, false, ui.told(agreement->why_result_differs));
  const auto holding = static_cast<std::uint64_t>(std::ranges::count_if(said.checks, &job::CheckResult::holds));
  if (!said.checks.empty())
    small_line(ui, holding == said.checks.size(),
               fill_in(ui.tr(Label::result_checks), grouped(holding), grouped(std::uint64_t{said.checks.size()})));
}

void records(const Ui& ui, const job::Agreement& agreement, bool whole) {
  const Label passes[] = {Label::pass_memory, Label::pass_block_entries, Label::pass_operations};
  for (const job::RecordComparison& one : agreement.records) {
    const Label name = one.pass == instrument::Pass::memory          ? passes[0]
                       : one.pass == instrument::Pass::block_entries ? passes[1]
                                                                     : passes[2];
    std::string said = fill_in(ui.tr(Label::records_equal), ui.tr(name), grouped(one.equal),
                               grouped(std::max(one.interpreted, one.recorded)));
    if (one.launches > 1) said += " · " + fill_in(ui.tr(Label::records_launches), grouped(std::uint64_t{one.launches}));
    if (one.dropped > 0) said += " · " + fill_in(ui.tr(Label::records_dropped), grouped(one.dropped));
    for (const Wording& difference : one.differences) said += "\n" + ui.told(difference);
    if (one.interpreted > 0 || one.recorded > 0) small_line(ui, one.agrees(), said);
  }
  if (!whole && !agreement.records.empty()) small_line(ui, false, ui.tr(Label::recording_left_out));
  if (!agreement.recording_kept_result && agreement.repeatable) small_line(ui, false, ui.tr(Label::recording_changed));
}

void problem_line(const Ui& ui, const Diagnostic& why) {
  const std::string cure = ui.told(why.cure);
  small_line(ui, false, problem_text(ui, why) + (cure.empty() ? "" : "\n" + cure));
}

// Why a witness gives no value, and what would help.
void silence(const Ui& ui, const job::Agreement& agreement) {
  for (const Diagnostic& why : as_window_cures(agreement.diagnostics, ui.session.selection.variant()))
    problem_line(ui, why);
}

std::string why_alone(const Ui& ui) {
  const Session& s = ui.session;
  if (s.runs.gpus().chosen() == nullptr) {
    // The shipped counts are for launch 1, so the recording says nothing about another launch.
    if (const job::RecordedRun* run = s.recordings.run();
        s.runs.launch() > 1 && run != nullptr && !run->counters.empty())
      return fill_in(ui.tr(Label::counted_recorded_other), std::to_string(s.runs.launch()));
    if (!s.runs.gpus().devices().empty()) return ui.tr(Label::gpu_no_choice);
    const Diagnostics& missing = s.runs.gpus().missing();
    return s.runs.gpus().looking()
               ? ui.tr(Label::device_looking)
               : fill_in(ui.tr(Label::gpu_none_here), missing.empty() ? "" : ui.told(missing.front(), " "));
  }
  if (!s.runs.problems().empty()) return ui.tr(Label::gpu_interpreter_first);
  return ui.tr(s.runs.gpu_running().busy ? Label::stage_waiting : Label::gpu_not_yet);
}

// The launch on screen has no agreement yet: says what is in progress.
void not_yet(const Ui& ui, const GpuResult& said) {
  const Session& s = ui.session;
  const bool busy = s.runs.gpu_running().busy;
  const std::string launch = std::to_string(s.runs.launch());
  const GpuLaunch* later = s.runs.launch() > 1 ? said.launch(s.runs.launch()) : nullptr;
  if (later != nullptr)
    for (const Diagnostic& d : later->problems) problem_line(ui, d);
  const bool failed = later != nullptr ? !later->problems.empty() : !said.problems.empty();
  if (failed) return;
  const bool stopped = later != nullptr ? later->stopped : said.stopped;
  std::string text = ui.tr(busy ? Label::stage_recording : stopped ? Label::gpu_stopped : Label::gpu_not_yet);
  if (busy && s.runs.launch() > 1)
    text = fill_in(ui.tr(s.runs.gpu_launch_under_way() == s.runs.launch() ? Label::agreement_launch_comes
                                                                          : Label::agreement_launch_waits),
                   launch);
  paragraph(ui.look, type::small, ui.colours().dim, text);
}

// Without a GPU here, the shipped recording has a GPU's counts of this run, for launch 1.
bool recorded_counts(const Ui& ui) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  if (s.runs.gpus().chosen() != nullptr || s.runs.gpu() != nullptr || s.runs.gpus().looking() || s.runs.launch() != 1)
    return false;
  const std::vector<AgreementRow>& rows = s.recordings.agreement();
  if (rows.empty()) return false;
  const float alpha = picture_alpha(ui);
  std::string whose = fill_in(ui.tr(Label::counted_recorded), ui.told(s.recordings.recording()->label()));
  if (s.runs.launch_count() > 1)
    whose += " " + fill_in(ui.tr(Label::counted_recorded_launch), std::to_string(s.runs.launch_count()));
  paragraph(ui.look, type::caption, with_alpha(p.dim, alpha), whose);
  paragraph(ui.look, type::small_medium, with_alpha(p.text, alpha), answer(ui, rows));
  heading(ui);
  for (const AgreementRow& row : rows) number_row(ui, row, *s.runs.shown(), alpha);
  return true;
}

}  // namespace

void draw_agreement(const Ui& ui) {
  if (recorded_counts(ui)) return;
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const GpuResult* said = s.runs.gpu();
  if (said == nullptr || s.runs.shown() == nullptr) return paragraph(ui.look, type::small, p.dim, why_alone(ui));
  const float alpha = s.runs.gpu_stale() ? 0.5f : picture_alpha(ui);
  for (const Diagnostic& d : said->problems) problem_line(ui, d);
  if (s.runs.agreement() == nullptr) {
    not_yet(ui, *said);
    if (said->ran) results(ui, *said);
    return;
  }
  const job::Agreement& agreement = *s.runs.agreement();
  if (const job::WhichLaunch& which = agreement.which; which.launches > 1) {
    std::string of =
        fill_in(ui.tr(Label::agreement_of_launch), std::to_string(which.number), std::to_string(which.launches));
    if (which.repeats > 1) of += " " + fill_in(ui.tr(Label::agreement_of_repeat), std::to_string(which.repeats));
    paragraph(ui.look, type::caption, with_alpha(p.dim, alpha), of);
  }
  paragraph(ui.look, type::small_medium, with_alpha(p.text, alpha), answer(ui, agreement.rows));
  silence(ui, agreement);
  heading(ui);
  for (const AgreementRow& row : agreement.rows) number_row(ui, row, *s.runs.shown(), alpha);
  ImGui::Dummy({0, ui.px(4)});
  results(ui, *said);
  records(ui, agreement, s.runs.gpu_recording() != nullptr);
}

}  // namespace lanescope::gui
