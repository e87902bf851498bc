#include "gui/parts/ui.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagram/words.h"
#include "gui/parts/problems.h"
#include "gui/parts/tabs.h"
#include "words/phrases.h"

namespace lanescope::gui {

const char* code_of(Page page) {
  constexpr const char* names[] = {"read", "predict", "run", "see", "explain", "try"};
  return names[static_cast<std::size_t>(page)];
}
Label page_label(Page page) {
  constexpr Label labels[] = {Label::page_read, Label::page_predict, Label::page_run,
                              Label::page_see,  Label::page_explain, Label::page_try};
  return labels[static_cast<std::size_t>(page)];
}

namespace {

// A tab's code, and its title. One row per enumerator, in their order.
struct TabRow {
  const char* code;
  Label title;
};
constexpr TabRow warp_tabs[] = {{"sectors", Label::tab_sectors}, {"banks", Label::tab_banks},
                                {"shuffle", Label::tab_shuffle}, {"groups", Label::tab_groups},
                                {"atomics", Label::tab_atomics}, {"matrices", Label::tab_matrices},
                                {"phases", Label::tab_phases},   {"running", Label::tab_running}};
constexpr TabRow steps_tabs[] = {{"steps", Label::steps}, {"schedules", Label::schedules}};
static_assert(std::size(warp_tabs) == static_cast<std::size_t>(WarpTab::count_));
static_assert(std::size(steps_tabs) == static_cast<std::size_t>(StepsTab::count_));

}  // namespace

const char* code_of(WarpTab tab) {
  return warp_tabs[static_cast<std::size_t>(tab)].code;
}
Label tab_label(WarpTab tab) {
  return warp_tabs[static_cast<std::size_t>(tab)].title;
}
const char* code_of(StepsTab tab) {
  return steps_tabs[static_cast<std::size_t>(tab)].code;
}
Label tab_label(StepsTab tab) {
  return steps_tabs[static_cast<std::size_t>(tab)].title;
}
const char* code_of(CodeTab tab) {
  constexpr const char* names[] = {"cuda", "ptx", "sass", "linked"};
  return names[static_cast<std::size_t>(tab)];
}

const char* code_of(TotalsTab tab) {
  constexpr const char* names[] = {"block", "launch", "all"};
  return names[static_cast<std::size_t>(tab)];
}

std::string fill_in(const char* pattern, const std::string& a, const std::string& b, const std::string& c) {
  return diagram::filled(pattern, {a, b, c});
}

namespace {

float badge_width(const Ui& ui, std::string_view text) {
  return ui.look.measure(type::caption_strong, text).x + ui.px(16);
}

// A capsule with the longer text if it fits, else with the word; the tooltip has the explanation.
float draw_badge(const Ui& ui, float right, float centre, float room, const std::string& said, const char* in_a_word,
                 const std::string& explained, ImU32 ground, ImU32 edge) {
  const bool fits = badge_width(ui, said) <= room;
  const std::string_view shown = fits ? std::string_view(said) : in_a_word;
  const float width = badge_width(ui, shown), half = ui.px(10);
  const ImVec2 a{right - width, centre - half}, b{right, centre + half};
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(a);
  ImGui::InvisibleButton("badge", {width, 2 * half});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::SetCursorScreenPos(cursor);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(a, b, ground, half);
  list->AddRect(a, b, edge, half, std::max(1.0f, ui.px(1)));
  draw_text(list, ui.look, type::caption_strong, ui.colours().text, {(a.x + b.x) / 2, centre}, shown, HAlign::centre);
  if (hovered) show_hint(ui.look, explained, fits ? std::string_view() : said);
  return width;
}

// What stands for the whole text of a badge.
Label badge_word(const Ui& ui, bool stale, const RunResult* run) {
  if (!stale) return run->stopped ? Label::stop_short : Label::fault_short;
  return ui.session.runs.running().busy ? Label::stale_running : Label::stale_short;
}

}  // namespace

float least_stale_badge(const Ui& ui) {
  const RunResult* shown = ui.session.runs.shown();
  const bool stale = ui.session.runs.stale(), faulty = shown != nullptr && shown->fault() != nullptr;
  return stale || faulty ? badge_width(ui, ui.tr(badge_word(ui, stale, shown))) : 0;
}

float stale_badge(const Ui& ui, float right, float centre_y, float room) {
  const Session& s = ui.session;
  if (s.runs.stale() || !s.runs.shows_recorded())
    return stale_badge(ui, right, centre_y, s.selection.variant_index(), room);
  const Palette& p = ui.colours();
  return draw_badge(ui, right, centre_y, room, fill_in(ui.tr(Label::recorded_on_gpu), s.runs.gpu()->device.name),
                    ui.tr(Label::witness_recorded),
                    fill_in(ui.tr(Label::show_recorded_hint), ui.told(label_of(s.runs.gpu()->device))), p.raised,
                    p.line);
}

float stale_badge(const Ui& ui, float right, float centre_y, std::size_t variant, float room) {
  const Runs& runs = ui.session.runs;
  return stale_badge(ui, right, centre_y, runs.shown(variant, runs.launch(variant)), runs.stale(variant),
                     runs.problems(variant), room);
}

float stale_badge(const Ui& ui, float right, float centre_y, const RunResult* run, bool stale,
                  const Diagnostics& problems, float room) {
  const bool faulty = run != nullptr && run->fault() != nullptr;
  if (!stale && !faulty) return 0;
  const bool stopped = faulty && run->stopped;
  const Palette& p = ui.colours();
  const bool busy = stale && ui.session.runs.running().busy, failed = !problems.empty() && !busy;
  const Label said = busy     ? Label::stale_running
                     : !stale ? (stopped ? Label::stop_up_to : Label::fault_up_to)
                     : faulty ? (stopped ? Label::stop_up_to_old : Label::fault_up_to_old)
                     : failed ? Label::stale_failed
                              : Label::stale_edited;
  const char* const ended = ui.tr(stopped ? Label::stop_hint : Label::fault_hint);
  std::string explained = stale ? ui.tr(Label::stale_hint) : ended;
  if (stale && faulty) explained += std::string("\n") + ended;
  if (failed) {  // the list under the code is not visible everywhere
    const ProblemTexts why = plain_texts(ui, problems.front());
    explained += "\n" + why.what + "\n" + why.cure;
  }
  const ImU32 tint = stale ? p.wasted : p.conflict;
  return draw_badge(ui, right, centre_y, room, ui.tr(said), ui.tr(badge_word(ui, stale, run)), explained,
                    mix(p.panel, tint, 0.2f), stale ? p.wasted_text : p.conflict);
}

std::string title_on_screen(const Ui& ui) {
  const Selection& selection = ui.session.selection;
  const bool differs = !selection.is_lesson() && selection.can_edit() && selection.edited();
  return ui.say(selection.lesson().title) + (differs ? " •" : "");
}

std::string running_text(const Ui& ui) {
  const Worker::Status status = ui.session.runs.running();
  if (status.blocks_total == 0) return ui.tr(Label::running);
  return ui.tr(Label::running) +
         (" " + fill_in(ui.tr(Label::blocks_done), grouped(status.blocks_done), grouped(status.blocks_total)));
}

std::string why_nothing(const Ui& ui) {
  const Session& s = ui.session;
  if (s.selection.variant().gpu_only) return ui.tr(Label::gpu_only);
  if (s.runs.running().busy) return running_text(ui);
  return ui.tr(s.runs.problems().empty() ? Label::no_run_yet : Label::no_picture_failed);
}

std::string number_text(double value, const std::string& unit) {
  std::string digits;
  if (unit == "%") {
    digits = fmt::format("{:.1f}", diagram::rounded_percent(value));
  } else if (value == std::floor(value) && std::abs(value) < 1e15) {
    digits = grouped(static_cast<std::int64_t>(value));
  } else {
    digits = fmt::format("{:.2f}", value);
  }
  return unit == "%" || unit == "B" ? digits + " " + unit : digits;
}

std::string number_text(const metrics::Measurement& n) {
  return n.applicable ? number_text(n.value, n.unit) : "–";
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} s", seconds);
}

}  // namespace lanescope::gui
