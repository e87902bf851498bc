#include "gui/lesson/launches_panel.h"

#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/text.h"
#include "gui/kit/scene_painter.h"

namespace lanescope::gui {
namespace {

constexpr float launch_row_height = 46;

std::string place_of(const Ui& ui, const device::LaunchEntry& entry) {
  if (entry.line <= 0) return {};
  return fill_in(ui.tr(entry.in_ptx ? Label::saved_ptx_line : Label::saved_line), std::to_string(entry.line));
}

}  // namespace

void LaunchesPanel::count(const OpenRun& run) {
  if (counted_ == run.lesson.id) return;
  counted_ = run.lesson.id;
  nth_.clear();
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < run.lesson.variants.size(); ++i) {
    std::vector<std::size_t>& all = alike[run.lesson.variants[i].summary.en];
    all.push_back(i);
    nth_.push_back({all.size(), 1});
  }
  for (const auto& [shape, all] : alike)
    for (const std::size_t i : all) nth_[i].of = all.size();
  shown_ = run.lesson.variants.size();
}

namespace {

// What the learner's GPU took for the launch; null where it did not run it. The interpreter's own time is none.
const GpuResult* timed(const Ui& ui, std::size_t index) {
  const Runs& runs = ui.session.runs;
  const GpuResult* of = runs.gpu(index);
  const bool other_text = of != nullptr && runs.shown(index) != nullptr && runs.gpu_stale(index);
  return of != nullptr && of->timing && !other_text ? of : nullptr;
}

std::string time_hint(const Ui& ui, std::size_t index) {
  const GpuResult* of = timed(ui, index);
  if (of == nullptr) return {};
  return "\n" + time_text(of->timing->seconds.median) + ", " +
         fill_in(ui.tr(Label::timed_on), ui.told(label_of(of->device)));
}

// How many times the ideal the launch's worst requests cost, in the middle of the row's right end. Returns its width.
float draw_cost(const Ui& ui, const LaunchCosts& costs, std::size_t index, float right, float y) {
  const LaunchCost* of = costs.cost(index);
  if (of == nullptr || of->excess == 0) return 0;
  const Palette& p = ui.colours();
  const bool worst = costs.is_worst(index);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string text = fill_in(ui.tr(of->of_sectors ? Label::launch_cost_sectors : Label::launch_cost_wavefronts),
                                   fmt::format("{:.2f}", of->ratio()));
  const float width = ui.look.measure(worst ? type::number_strong : type::number, text).x, pad = ui.px(6);
  const ImVec2 a{right - width - 2 * pad, y - ui.px(9)}, b{right, y + ui.px(9)};
  if (worst) paint_cell(list, ui.look, Role::wasted, diagram::Pattern::hatched, a, b, ui.px(4));
  draw_text(list, ui.look, worst ? type::number_strong : type::number, worst ? p.text : p.wasted_text, {b.x - pad, y},
            text, HAlign::right);
  return b.x - a.x + ui.px(8);
}

std::string cost_hint(const Ui& ui, const LaunchCosts& costs, std::size_t index) {
  const LaunchCost* of = costs.cost(index);
  if (of == nullptr) return {};
  std::string said = "\n" + ui.told(of->label) + ": " + number_text(of->value, "") + ", " +
                     fill_in(ui.tr(Label::launch_ideal), number_text(of->ideal, ""));
  if (costs.is_worst(index))
    said += std::string("\n") + ui.tr(of->of_sectors ? Label::launch_most_sectors : Label::launch_most_wavefronts);
  return said;
}

}  // namespace

// Number and kernel; below them the shape, its position among launches of that shape, and its line.
void LaunchesPanel::row(const Ui& ui, std::size_t index, float width, float height) {
  Session& s = ui.session;
  const device::LaunchEntry& entry = s.selection.run()->entry(index);
  const Palette& p = ui.colours();
  const bool current = index == s.selection.variant_index();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string number = std::to_string(entry.number);
  if (pressable(("launch " + number).c_str(), {width, height}) && !current)
    ui.window.afterwards([&s, index] { s.choose_variant(index); });
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  hint(ui.look, ui.tr(Label::saved_run_hint) + cost_hint(ui, costs_, index) + time_hint(ui, index),
       entry.kernel + shape_text(entry.launch));
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (current || hovered)
    list->AddRectFilled(at, {at.x + width, at.y + height}, current ? p.accent_soft : p.hover, ui.px(6));
  if (current) list->AddRectFilled(at, {at.x + ui.px(3), at.y + height}, p.accent, ui.px(2));
  const std::string& last = s.selection.run()->lesson.variants.back().id;
  const float gutter = ui.look.measure(type::number, last).x + ui.px(10);
  const float right =
      at.x + width - ui.px(8) - draw_cost(ui, costs_, index, at.x + width - ui.px(8), at.y + height / 2);
  const float x = at.x + gutter + ui.px(12), y1 = at.y + ui.px(15), y2 = at.y + ui.px(33);
  draw_text(list, ui.look, type::number, current ? p.text : p.faint, {at.x + gutter, y1}, number, HAlign::right);
  const Nth& nth = nth_[index];
  float room = right - x;
  if (nth.of > 1)
    room -=
        draw_text(list, ui.look, type::caption, p.dim, {right, y1},
                  fill_in(ui.tr(Label::saved_nth), std::to_string(nth.nth), std::to_string(nth.of)), HAlign::right) +
        ui.px(10);
  draw_text(list, ui.look, current ? type::small_strong : type::small_medium, p.text, {x, y1}, entry.kernel,
            HAlign::left, room);
  const std::string place = place_of(ui, entry);
  room = right - x;
  if (!place.empty())
    room -= draw_text(list, ui.look, type::caption, p.dim, {right, y2}, place, HAlign::right) + ui.px(10);
  if (const GpuResult* of = timed(ui, index)) {
    const std::string time = fill_in(ui.tr(Label::launch_time), time_text(of->timing->seconds.median));
    const float wide = ui.look.measure(type::caption, time).x + ui.px(10);
    if (wide + ui.look.measure(type::number, short_shape(entry.launch)).x <= room) {
      draw_text(list, ui.look, type::caption, p.dim, {x + room, y2}, time, HAlign::right);
      room -= wide;
    }
  }
  draw_text(list, ui.look, type::number, p.dim, {x, y2}, short_shape(entry.launch), HAlign::left, room);
}

namespace {

// The exit code, and the last line that was printed; the tooltip has the lines before it.
void how_it_ended(const Ui& ui, const EndedProgram& program, const PanelRect& rect) {
  if (rect.width < ui.px(40)) return;
  constexpr std::size_t most_lines = 16;
  std::string said = program.stopped ? ui.tr(Label::program_stopped)
                                     : fill_in(ui.tr(Label::program_exit), std::to_string(program.end.exit_status));
  std::string_view printed = trimmed(program.printed);
  if (const std::size_t last = printed.find_last_of('\n'); !printed.empty())
    said += "  ·  " + std::string(last == std::string_view::npos ? printed : printed.substr(last + 1));
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::InvisibleButton("program ended", {rect.width, rect.height});
  const bool wrong = program.stopped || program.end.exit_status != 0;
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, wrong ? ui.colours().wasted_text : ui.colours().dim,
            {rect.x, rect.y + rect.height / 2}, said, HAlign::left, rect.width);
  if (!ImGui::IsItemHovered() || printed.empty()) return;
  std::size_t from = printed.size();
  for (std::size_t lines = 0; lines < most_lines && from != std::string_view::npos && from > 0; ++lines)
    from = printed.find_last_of('\n', from - 1);
  show_hint(ui.look, from == std::string_view::npos || from == 0 ? printed : printed.substr(from + 1),
            ui.tr(Label::program_printed));
}

// "add (2), scale (1)".
std::string more_launches_text(const std::vector<MoreLaunches>& more) {
  std::string text;
  for (const MoreLaunches& one : more)
    text += (text.empty() ? "" : ", ") + fmt::format("{} ({})", one.kernel, one.count);
  return text;
}

// The launches that only one of the two last versions has.
void only_in_one(const Ui& ui, const OpenRun& now, float width) {
  const auto before = ui.session.selection.run_before();
  if (before == nullptr) return;
  const Selection::Versions both = *ui.session.selection.versions(ui.session.selection.variant_index());
  const auto say = [&](int version, const std::vector<MoreLaunches>& more) {
    if (more.empty()) return;
    ImGui::Dummy({0, ui.px(8)});
    ImGui::Indent(ui.px(8));
    paragraph(ui.look, type::caption, ui.colours().dim,
              fill_in(ui.tr(Label::version_only), std::to_string(version), more_launches_text(more)),
              width - ui.px(16));
    ImGui::Unindent(ui.px(8));
  };
  say(both.before, more_launches(*before, now));
  say(both.now, more_launches(now, *before));
}

}  // namespace

void LaunchesPanel::draw(const Ui& ui, const PanelRect& rect) {
  const OpenRun& run = *ui.session.selection.run();
  const std::size_t chosen = ui.session.selection.variant_index(), all = run.lesson.variants.size();
  count(run);
  costs_.update(ui.session);
  begin_panel(ui.look, "launches", rect);
  const Strip strip = panel_strip(ui.look);
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::string about = fill_in(ui.tr(Label::saved_launches), grouped(std::uint64_t{all}));
  if (const auto versions = ui.session.selection.versions(chosen))
    about = fill_in(ui.tr(Label::version), std::to_string(versions->now)) + " · " + about;
  const float used =
      draw_text(list, ui.look, type::caption, ui.colours().dim, {strip.x1, strip.centre}, about, HAlign::right);
  draw_text(list, ui.look, type::small_strong, ui.colours().text, {strip.x0, strip.centre}, title_on_screen(ui),
            HAlign::left, strip.x1 - strip.x0 - used - ui.px(12));
  const float height = ui.px(launch_row_height), foot = ui.px(34);
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("list", {rect.width - ui.px(1), rect.y + rect.height - strip.y1 - foot},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const float width = ImGui::GetContentRegionAvail().x, top = ImGui::GetCursorPosY();
  if (shown_ != chosen) {  // chosen by a key or by another part of the window
    const float above = top + static_cast<float>(chosen) * height, room = ImGui::GetWindowHeight();
    if (above < ImGui::GetScrollY() || above + height > ImGui::GetScrollY() + room)
      ImGui::SetScrollY(std::max(0.0f, above - room / 2));
    shown_ = chosen;
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(all), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) row(ui, static_cast<std::size_t>(i), width, height);
  only_in_one(ui, run, width);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  const float centre = rect.y + rect.height - foot / 2;
  const float badge = stale_badge(ui, strip.x1, centre, chosen, strip.x1 - strip.x0);
  if (run.program != nullptr)
    how_it_ended(ui, *run.program, {strip.x0, centre - ui.px(12), strip.x1 - strip.x0 - badge - ui.px(8), ui.px(24)});
  end_panel();
}

}  // namespace lanescope::gui
