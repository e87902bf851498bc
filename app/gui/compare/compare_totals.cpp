// Below the two variants: both films, and what they add up to.

#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"
#include "gui/time/time_lines.h"
#include "gui/time/time_sizes.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::gui {
namespace {

// A row of the table: a number of A and of B, and what their ratio says.
struct TotalRow {
  std::string id, a, b, ratio;
  std::vector<std::string> labels;  // the longest that fits is taken
  ImU32 verdict;
  std::string title, hint;
};

struct TotalColumns {
  float a = 0, b = 0, ratio = 0;  // widths, pixels
  float gap = 0;
  float label(float width) const { return width - a - b - ratio - 3 * gap; }
};

TotalColumns total_columns(const Ui& ui, const std::vector<TotalRow>& rows) {
  TotalColumns columns{ui.px(16), ui.px(16), ui.look.measure(type::number_strong, "B ÷ A").x, ui.px(12)};
  for (const TotalRow& row : rows) {
    columns.a = std::max(columns.a, ui.look.measure(type::number, row.a).x);
    columns.b = std::max(columns.b, ui.look.measure(type::number, row.b).x);
    columns.ratio = std::max(columns.ratio, ui.look.measure(type::number_strong, row.ratio).x);
  }
  return columns;
}

void draw_cells(const Ui& ui, const TotalRow& row, const TotalColumns& columns, float height, ImU32 of_a, ImU32 of_b) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetWindowWidth() - ui.px(32), y = at.y + height / 2;
  const float x_ratio = at.x + width, x_b = x_ratio - columns.ratio - columns.gap, x_a = x_b - columns.b - columns.gap;
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::number_strong, row.verdict, {x_ratio, y}, row.ratio, HAlign::right);
  draw_text(list, ui.look, type::number, of_b, {x_b, y}, row.b, HAlign::right);
  draw_text(list, ui.look, type::number, of_a, {x_a, y}, row.a, HAlign::right);
  const float room = columns.label(width);
  const std::string& label = longest_fitting(ui.look, type::small, row.labels, room);
  const TypeStyle style = ui.look.measure(type::small, label).x > room ? type::caption : type::small;
  // What is long goes on below its line.
  const float more =
      ui.look.line_pitch(style) * static_cast<float>(ui.look.lines(style, label, std::max(1.0f, room)).size() - 1);
  draw_paragraph(list, ui.look, style, ui.colours().text, {at.x, y - ui.look.size(style) / 2}, label,
                 std::max(1.0f, room));
  height += more;
  ImGui::PushID(row.id.c_str());
  ImGui::InvisibleButton("total", {width, height});
  ImGui::PopID();
  hint(ui.look, row.hint, row.title);
}

TotalRow total_row(const Ui& ui, const CompareRow& row) {
  const Palette& p = ui.colours();
  const Ratio ratio = ratio_of(row.a, row.b);
  TotalRow made;
  made.id = row.a.name;
  made.a = number_text(row.a), made.b = number_text(row.b);
  made.ratio = ratio.only == Ratio::Only::a   ? ui.tr(Label::only_in_a)
               : ratio.only == Ratio::Only::b ? ui.tr(Label::only_in_b)
                                              : ratio.text;
  made.verdict = ratio.verdict == Ratio::Verdict::better  ? p.better
                 : ratio.verdict == Ratio::Verdict::worse ? p.conflict
                                                          : p.dim;
  made.title = ui.told(row.a.label);
  made.labels = {made.title};
  const std::string &nsight = row.a.nsight_name, note = ui.told(row.a.nsight_note);
  made.hint = nsight.empty() ? note : "Nsight Compute: " + nsight + (note.empty() ? "" : "\n" + note);
  return made;
}

// The times of both, from the learner's GPU or else from the recording; nothing unless both were measured the same way.
struct BothTimes {
  const gpu::Timing *a = nullptr, *b = nullptr;
  std::string device;
  Wording label;
  bool recorded = false;
  std::string size;  // that they belong to
};
// Recorded times are those of the size that the lesson measures, where the launch itself is not most of them.
std::optional<BothTimes> times_of_both(const Ui& ui, std::size_t b) {
  Session& s = ui.session;
  const auto sizes = [&](const lesson::ControlValues& of_a, const lesson::ControlValues& of_b) {
    const std::string size_a = size_text(ui, of_a), size_b = size_text(ui, s.selection.lesson().variants[b], of_b);
    return size_a == size_b ? size_a : size_a + " / " + size_b;
  };
  const bool b_has_own = s.selection.comparison()->has_own();  // then no GPU here was asked for it
  const GpuResult *own_a = s.runs.gpu_stale() ? nullptr : s.runs.gpu(),
                  *own_b = b_has_own || s.runs.gpu_stale(b) ? nullptr : s.runs.gpu(b);
  BothTimes both;
  if (own_a && own_b && own_a->timing && own_b->timing) {
    both = {&*own_a->timing,         &*own_b->timing, own_a->device.name,
            label_of(own_a->device), false,           sizes(own_a->key.controls, own_b->key.controls)};
  } else if (s.runs.gpus().chosen() == nullptr) {
    const auto [run_a, run_b] = recorded_of_both(s);
    if (!run_a || !run_b || !run_a->timing || !run_b->timing) return std::nullopt;
    both = {&*run_a->timing,
            &*run_b->timing,
            s.recordings.recording()->device.name,
            s.recordings.recording()->label(),
            true,
            sizes(run_a->controls, run_b->controls)};
  }
  if (both.a == nullptr || both.a->cache != both.b->cache) return std::nullopt;
  return both;
}

TotalRow time_row(const Ui& ui, const BothTimes& times, bool with_spread) {
  const Palette& p = ui.colours();
  const metrics::Comparison both = metrics::compare(times.a->seconds, times.b->seconds);
  const bool apart = both.verdict != metrics::Verdict::cannot_be_told_apart;
  const auto cell = [&](const gpu::Timing& timing) {
    return with_spread ? time_with_spread(timing.seconds) : time_text(timing.seconds.median);
  };
  const auto interval = [&](const char* letter, const gpu::Timing& timing) {
    return fmt::format("{}: {}, {}", letter, time_range(timing.seconds.low, timing.seconds.high),
                       fill_in(ui.tr(Label::time_kept), grouped(timing.seconds.samples), grouped(timing.discarded)));
  };
  TotalRow row;
  row.id = "time of both";
  row.a = cell(*times.a), row.b = cell(*times.b);
  row.ratio = apart ? ratio_text(both.ratio) : "–";
  row.verdict = !apart ? p.dim : both.verdict == metrics::Verdict::b_faster ? p.better : p.conflict;
  const std::string& size = times.size;
  const auto sized = [&](const std::string& label) {
    return size.empty() ? label : fill_in(ui.tr(Label::time_at), label, size);
  };
  if (!apart)
    row.labels.push_back(
        sized(fill_in(ui.tr(times.recorded ? Label::time_recorded_unclear : Label::time_on_unclear), times.device)));
  row.labels.push_back(
      sized(fill_in(ui.tr(times.recorded ? Label::time_recorded_both : Label::time_on), times.device)));
  row.labels.push_back(sized(ui.tr(Label::time_short)));
  row.title = ui.told(times.label);
  const std::string verdict = apart ? ui.tr(Label::times_apart)
                              : both.samples_needed == 0
                                  ? ui.tr(Label::times_together)
                                  : fill_in(ui.tr(Label::times_until), grouped(both.samples_needed));
  row.hint =
      (size.empty() ? "" : size + "\n") + verdict + "\n" + interval("A", *times.a) + "\n" + interval("B", *times.b);
  return row;
}

}  // namespace

// Which block and warp both sides show, or what the panel is about where there is one of each; returns what it took.
float CompareView::places(const Ui& ui, const Strip& strip) {
  Session& s = ui.session;
  std::uint32_t blocks = 1, warps = 1;
  for (const Side* side : {&a_, &b_}) {
    if (side->result == nullptr) continue;
    const trace::Launch& launch = side->result->outcome.first().trace.launch;
    blocks = std::max(blocks, static_cast<std::uint32_t>(launch.grid.count()));
    warps = std::max(warps, launch.warps_per_block());
  }
  if (blocks < 2 && warps < 2)
    return draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, ui.colours().dim,
                     {strip.x0, strip.centre}, ui.tr(Label::where_they_part)) +
           ui.px(12);
  const Position at = place(s);
  float x = strip.x0;
  const auto choose = [&](const char* id, Label what, std::uint32_t now, std::uint32_t count, auto&& set) {
    if (count < 2) return;
    ImGui::SetCursorScreenPos({x, strip.centre - ui.px(13)});
    if (stepper(ui.look, id, ui.tr(what), now, count)) set(now);
    x = ImGui::GetCursorScreenPos().x + ui.px(12);
  };
  choose("both block", Label::block, at.block, blocks,
         [&](std::uint32_t block) { ui.window.afterwards([this, &s, block, at] { go_to_warp(s, block, at.warp); }); });
  choose("both warp", Label::warp, at.warp, warps,
         [&](std::uint32_t warp) { ui.window.afterwards([this, &s, warp, at] { go_to_warp(s, at.block, warp); }); });
  return x - strip.x0;
}

// Both films, one column a joint step: how many warps work, and how many lanes of each.
void CompareView::together(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "together", rect);
  const Palette& p = ui.colours();
  const Strip strip = panel_strip(ui.look);
  ImDrawList* list = ImGui::GetWindowDrawList();
  float left = strip.x0 + places(ui, strip);
  struct Control {
    const char* id;
    Icon icon;
    Label what;
    std::ptrdiff_t delta;
  };
  const auto n = static_cast<std::ptrdiff_t>(steps_.size());
  const Control controls[] = {{"last", Icon::last, Label::step_last, n},
                              {"next", Icon::next, Label::step_next, 1},
                              {"previous", Icon::previous, Label::step_previous, -1},
                              {"first", Icon::first, Label::step_first, -n}};
  float right = strip.x1 + ui.px(6);
  ImGui::PushID("both");
  for (const Control& c : controls) {
    right -= ui.px(28);
    ImGui::SetCursorScreenPos({right, strip.centre - ui.px(13)});
    const bool enabled = !steps_.empty() && (c.delta < 0 ? step_ > 0 : step_ + 1 < steps_.size());
    if (icon_button(ui.look, c.id, c.icon, ui.tr(c.what), enabled))
      ui.window.afterwards([this, delta = c.delta] { step_by(delta); });
  }
  ImGui::PopID();
  if (steps_.empty()) return end_panel();
  right -= ui.px(10);
  const JointStep& now = steps_[step_];
  const char* who = ui.tr(now.a && now.b ? Label::both_at : now.a ? Label::only_a_at : Label::only_b_at);
  // "only A has halving 4 of 8", or, where that does not fit, "only A has halving 4".
  const std::string where[] = {fill_in(who, pass_name(ui, now.name, now.number, now.count)),
                               fill_in(who, short_pass_name(ui, now))};
  const float wide = std::max(1.0f, (right - left) * 0.6f);
  right -= draw_text(list, ui.look, type::small, p.dim, {right, strip.centre},
                     longest_fitting(ui.look, type::small, where, wide), HAlign::right, wide) +
           ui.px(12);
  const char* go = ui.tr(parting_ ? Label::go_to_parting : Label::they_never_part);
  const float go_width = ui.look.measure(type::caption_strong, go).x + ui.px(12);
  if (right - left > go_width) {
    ImGui::SetCursorScreenPos({left, strip.centre - ui.px(12)});
    if (pressable("parting", {go_width, ui.px(24)}) && parting_)
      ui.window.afterwards([this, to = *parting_] { go_to(to); });
    if (parting_ && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw_text(list, ui.look, type::caption_strong, parting_ ? p.accent : p.faint, {left + ui.px(6), strip.centre}, go);
    left += go_width + ui.px(8);
  }
  const char* texts = ui.tr(ui.window.compare_code ? Label::compare_pictures : Label::compare_code);
  const float texts_width = ui.look.measure(type::caption_strong, texts).x + ui.px(12);
  if (right - left > texts_width) {
    ImGui::SetCursorScreenPos({left, strip.centre - ui.px(12)});
    if (pressable("texts", {texts_width, ui.px(24)})) ui.window.compare_code = !ui.window.compare_code;
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    hint(ui.look, "C");
    draw_text(list, ui.look, type::caption_strong, p.accent, {left + ui.px(6), strip.centre}, texts);
  }

  // As many columns as fit, those around the current one.
  const float x0 = strip.x0 + ui.px(30), room = strip.x1 - x0;
  const float pitch = std::clamp(room / static_cast<float>(steps_.size()), ui.px(56), ui.px(116));
  const auto visible = std::max<std::size_t>(1, static_cast<std::size_t>(room / pitch));
  std::size_t first = 0;
  if (steps_.size() > visible) first = std::min(step_ > visible / 2 ? step_ - visible / 2 : 0, steps_.size() - visible);
  const float top = strip.y1 + ui.px(10), bottom = rect.y + rect.height - ui.px(10);
  const float name_height = ui.px(18), row_height = (bottom - top - name_height) / 2;
  badge(ui, true, {strip.x0 + ui.px(10), top + row_height * 0.42f});
  badge(ui, false, {strip.x0 + ui.px(10), top + row_height * 1.42f});
  const auto last = std::min(steps_.size(), first + visible);
  const bool crowded = std::any_of(steps_.begin() + static_cast<std::ptrdiff_t>(first),
                                   steps_.begin() + static_cast<std::ptrdiff_t>(last), [&](const JointStep& step) {
                                     const std::string name = short_pass_name(ui, step);
                                     return step.count > 1 && ui.look.measure(type::number, name).x > pitch - ui.px(14);
                                   });
  for (std::size_t i = first; i < last; ++i) {
    const float x = x0 + pitch * static_cast<float>(i - first), cell = pitch - ui.px(12);
    ImGui::SetCursorScreenPos({x - ui.px(4), top});
    ImGui::PushID(static_cast<int>(i));
    if (pressable("pass", {pitch - ui.px(4), bottom - top})) ui.window.afterwards([this, i] { go_to(i); });
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    if (i == step_ || hovered)
      list->AddRectFilled({x - ui.px(6), top - ui.px(4)}, {x + cell + ui.px(6), bottom + ui.px(4)},
                          i == step_ ? p.accent_soft : p.hover, ui.px(6));
    for (const bool is_a : {true, false}) {
      const Side& side = is_a ? a_ : b_;
      const auto pass = is_a ? steps_[i].a : steps_[i].b;
      const float y = is_a ? top : top + row_height;
      if (!pass) {
        draw_text(list, ui.look, type::number, p.faint, {x + cell / 2, y + row_height * 0.4f}, "–", HAlign::centre);
        continue;
      }
      const BlockWork& work = side.work[*pass];
      const auto warps = std::max<std::size_t>(1, work.lanes.size());
      const float bar_pitch = cell / static_cast<float>(warps), bar_gap = bar_pitch > ui.px(5) ? ui.px(2) : 0;
      const float bar_height = row_height - ui.px(22), alpha = side.stale ? 0.5f : 1.0f;
      for (std::size_t w = 0; w < work.lanes.size(); ++w) {
        const float bx = x + bar_pitch * static_cast<float>(w);
        const ImVec2 a{bx, y}, b{bx + bar_pitch - bar_gap, y + bar_height};
        list->AddRectFilled(a, b, with_alpha(ui.look.role(Role::inactive), alpha), ui.px(2));
        const float share = static_cast<float>(work.lanes[w]) / 32;
        list->AddRectFilled({a.x, b.y - bar_height * share}, b, with_alpha(ui.look.role(role_of(is_a)), alpha),
                            share < 1 ? 0 : ui.px(2));
      }
      draw_text(list, ui.look, type::number, p.dim, {x, y + bar_height + ui.px(10)},
                fmt::format("{} × {}", work.busy_warps(), work.most_lanes()), HAlign::left, cell);
    }
    const JointStep& step = steps_[i];
    std::string name = short_pass_name(ui, step);
    // Where the names do not fit beside one another, only the first of a row of passes bears its own.
    const bool goes_on = i > first && steps_[i - 1].name == step.name;
    if (step.count > 1 && (crowded && goes_on)) name = std::to_string(step.number);
    // The first of a row is named in any case: a bare number would seem to go on from the phase before.
    if (step.count > 1 && ui.look.measure(type::number, name).x > cell + ui.px(6))
      name = goes_on ? std::to_string(step.number) : phase_name(ui, step.name);
    draw_text(list, ui.look, type::number, i == step_ ? p.text : p.faint, {x, bottom - name_height / 2}, name,
              HAlign::left, cell + ui.px(6));
    if (hovered) {
      const auto said = [&](const Side& side, const std::optional<std::size_t>& pass, const char* letter) {
        return pass ? fill_in(ui.tr(Label::warps_by_lanes), letter, std::to_string(side.work[*pass].busy_warps()),
                              std::to_string(side.work[*pass].most_lanes()))
                    : std::string(letter) + ": –";
      };
      show_hint(ui.look, said(a_, step.a, "A") + "\n" + said(b_, step.b, "B"),
                pass_name(ui, step.name, step.number, step.count));
    }
  }
  end_panel();
}

void CompareView::totals(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "totals", rect);
  const Palette& p = ui.colours();
  const Strip strip = panel_strip(ui.look);
  const bool ready = a_.result != nullptr && b_.result != nullptr;
  const std::string a_block = std::to_string(a_.block), b_block = std::to_string(b_.block);
  const std::string so_far = a_.block == b_.block ? fill_in(ui.tr(Label::totals_so_far), a_block)
                                                  : fill_in(ui.tr(Label::totals_so_far_two), a_block, b_block);
  const bool several = several_launches();
  const TabItem tabs[] = {{"so far", so_far, true},
                          {"launch", ui.tr(several ? Label::totals_this : Label::totals), true},
                          {"all launches", ui.tr(Label::totals_all), true}};
  TotalsTab tab = ui.window.totals;
  if (!several && tab == TotalsTab::all) tab = TotalsTab::launch;
  const TotalsTab before = tab;
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  const std::size_t count = several ? std::size(tabs) : std::size(tabs) - 1;
  tab = static_cast<TotalsTab>(tab_strip(ui.look, "which totals", {tabs, count}, static_cast<int>(tab), 42, strip.x1));
  if (tab != before) ui.window.totals = tab;
  if (!ready) return end_panel();
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(6)));
  ImGui::BeginChild("rows", {rect.width - ui.px(1), rect.y + rect.height - strip.y1 - ui.px(2)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const auto of = [&](const Side& side) -> const std::vector<metrics::Measurement>& {
    return tab == TotalsTab::block ? side.so_far : tab == TotalsTab::launch ? side.of_launch : side.of_all;
  };
  std::vector<TotalRow> rows;
  // A time is that of everything a variant launches.
  const bool whole = tab == (several ? TotalsTab::all : TotalsTab::launch);
  const auto times =
      whole && ui.session.selection.compared() ? times_of_both(ui, *ui.session.selection.compared()) : std::nullopt;
  if (times) rows.push_back(time_row(ui, *times, true));
  for (const CompareRow& row : compare_rows(of(a_), of(b_))) rows.push_back(total_row(ui, row));
  TotalColumns columns = total_columns(ui, rows);
  const float room = ImGui::GetWindowWidth() - ui.px(32);
  if (times && columns.label(room) < ui.px(150)) {
    rows.front() = time_row(ui, *times, false);
    columns = total_columns(ui, rows);
  }
  const float alpha_a = a_.stale ? 0.5f : 1.0f, alpha_b = b_.stale ? 0.5f : 1.0f;
  const ImU32 of_a = with_alpha(ui.look.role(Role::variant_a), alpha_a),
              of_b = with_alpha(ui.look.role(Role::variant_b), alpha_b);
  const bool recorded = ui.session.selection.comparison() != nullptr && ui.session.selection.comparison()->recorded;
  const std::string origin =
      recorded ? std::string("A ") + ui.tr(Label::witness_interpreted) + " · B " + ui.tr(Label::witness_recorded)
               : ui.tr(Label::interpreted);
  const float head = ui.px(20);
  const auto caption = [&](const std::string& said) {
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, p.dim,
              {ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + head / 2}, said);
  };
  if (!times) caption(origin);
  draw_cells(ui, {"head", "A", "B", "B ÷ A", {""}, p.dim, "", ""}, columns, head, of_a, of_b);
  for (const TotalRow& row : rows) {
    draw_cells(ui, row, columns, ui.px(rect.height < ui.px(200) ? 22.0f : 26.0f), of_a, of_b);
    if (times && &row == &rows.front()) {
      caption(origin);
      ImGui::Dummy({room, head});
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_panel();
}

}  // namespace lanescope::gui
