// Below the two variants: both films, and what they add up to.

#include <fmt/format.h>

#include <algorithm>

#include "gui/compare_parts.h"
#include "gui/compare_view.h"
#include "gui/panels.h"
#include "gui/sweep_plot.h"

namespace lanescope::gui {
namespace {

void total_row(const Ui& ui, const CompareRow& row, bool stale_a, bool stale_b) {
  const Palette& p = ui.colours();
  const Ratio ratio = ratio_of(row.a, row.b);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(27), y = at.y + height / 2;
  const float x_ratio = at.x + width, x_b = x_ratio - ui.px(58),
              x_a = x_b - ui.px(width > ui.px(420) ? 96.0f : 78.0f);
  const ImU32 verdict = ratio.verdict == Ratio::Verdict::better  ? p.better
                        : ratio.verdict == Ratio::Verdict::worse ? p.conflict
                                                                 : p.dim;
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::number_strong, verdict, {x_ratio, y},
            ratio.only == Ratio::Only::a   ? ui.tr(Label::only_in_a)
            : ratio.only == Ratio::Only::b ? ui.tr(Label::only_in_b)
                                           : ratio.text.c_str(),
            HAlign::right);
  draw_text(list, ui.look, type::number,
            with_alpha(ui.look.role(Role::variant_b), stale_b ? 0.5f : 1.0f), {x_b, y},
            number_text(row.b), HAlign::right);
  const float a_width =
      draw_text(list, ui.look, type::number,
                with_alpha(ui.look.role(Role::variant_a), stale_a ? 0.5f : 1.0f), {x_a, y},
                number_text(row.a), HAlign::right);
  const std::string label = metric_label(row.a.name, row.a.label, ui.window.settings.language);
  draw_text(list, ui.look, type::small, p.text, {at.x, y}, label, HAlign::left,
            x_a - a_width - at.x - ui.px(10));
  ImGui::PushID(row.a.name.c_str());
  ImGui::InvisibleButton("total", {width, height});
  ImGui::PopID();
  const std::string& nsight = row.a.nsight_name;
  const std::string& note = row.a.nsight_note;
  hint(ui.look,
       nsight.empty() ? note : "Nsight Compute: " + nsight + (note.empty() ? "" : "\n" + note),
       label);
}

// The times of both, from the learner's GPU or else from the recording; nothing unless both were measured the same way.
void time_row(const Ui& ui, std::size_t b) {
  Session& s = ui.session;
  const GpuResult *own_a = s.gpu_stale() ? nullptr : s.gpu(), *own_b = s.gpu_stale(b) ? nullptr : s.gpu(b);
  const gpu::Timing *time_a = nullptr, *time_b = nullptr;
  std::string name, label;
  bool recorded = false;
  if (own_a && own_b && own_a->timing && own_b->timing) {
    time_a = &*own_a->timing, time_b = &*own_b->timing;
    name = own_a->device.name, label = label_of(own_a->device);
  } else if (s.gpus().chosen() == nullptr) {
    const job::RecordedRun *run_a = s.recorded_run(), *run_b = s.recorded_run(b);
    if (!run_a || !run_b || !run_a->timing || !run_b->timing) return;
    time_a = &*run_a->timing, time_b = &*run_b->timing;
    name = s.recording()->device.name, label = s.recording()->label(), recorded = true;
  }
  if (time_a == nullptr || time_a->cache != time_b->cache) return;
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(27), y = at.y + height / 2;
  const float x_ratio = at.x + width, x_b = x_ratio - ui.px(58), x_a = x_b - ui.px(width > ui.px(420) ? 96.0f : 78.0f);
  const metrics::Comparison both = metrics::compare(time_a->seconds, time_b->seconds);
  const bool apart = both.verdict != metrics::Verdict::cannot_be_told_apart;
  const Label what = recorded ? (apart ? Label::time_recorded_both : Label::time_recorded_unclear)
                              : (apart ? Label::time_on : Label::time_on_unclear);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::number_strong,
            !apart ? p.dim : both.verdict == metrics::Verdict::b_faster ? p.better : p.conflict, {x_ratio, y},
            apart ? fmt::format("{:.2f}", both.ratio) : "–", HAlign::right);
  draw_text(list, ui.look, type::number, ui.look.role(Role::variant_b), {x_b, y}, time_text(time_b->seconds.median), HAlign::right);
  const float used = draw_text(list, ui.look, type::number, ui.look.role(Role::variant_a), {x_a, y},
                               time_text(time_a->seconds.median), HAlign::right);
  draw_text(list, ui.look, type::small, p.text, {at.x, y}, fill_in(ui.tr(what), name), HAlign::left,
            x_a - used - at.x - ui.px(10));
  ImGui::InvisibleButton("time of both", {width, height});
  const auto interval = [&](const char* letter, const gpu::Timing& timing) {
    return fmt::format("{}: {} – {}, {}", letter, time_text(timing.seconds.low), time_text(timing.seconds.high),
                       fill_in(ui.tr(Label::time_kept), grouped(timing.seconds.samples), grouped(timing.discarded)));
  };
  const std::string verdict = apart ? ui.tr(Label::times_apart)
                              : both.samples_needed == 0 ? ui.tr(Label::times_together)
                                                         : fill_in(ui.tr(Label::times_until), grouped(both.samples_needed));
  hint(ui.look, verdict + "\n" + interval("A", *time_a) + "\n" + interval("B", *time_b), label);
}

}  // namespace

// Both films, one column a joint step: how many warps work, and how many lanes of each.
void CompareView::together(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "together", rect);
  const Palette& p = ui.colours();
  const Strip strip = panel_strip(ui.look);
  ImDrawList* list = ImGui::GetWindowDrawList();
  float left = strip.x0 +
               draw_text(list, ui.look, type::small_strong, p.dim, {strip.x0, strip.centre},
                         ui.tr(Label::where_they_part)) +
               ui.px(12);
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
    if (icon_button(ui.look, c.id, c.icon, ui.tr(c.what), enabled)) step_by(c.delta);
  }
  ImGui::PopID();
  if (steps_.empty()) return end_panel();
  right -= ui.px(10);
  const JointStep& now = steps_[step_];
  const char* who = ui.tr(now.a && now.b ? Label::both_at
                          : now.a        ? Label::only_a_at
                                         : Label::only_b_at);
  right -= draw_text(list, ui.look, type::small, p.dim, {right, strip.centre},
                     fill_in(who, pass_name(ui, now.name, now.number, now.count)), HAlign::right,
                     std::max(1.0f, (right - left) * 0.6f)) +
           ui.px(12);
  const char* go = ui.tr(parting_ ? Label::go_to_parting : Label::they_never_part);
  const float go_width = ui.look.measure(type::caption_strong, go).x + ui.px(12);
  if (right - left > go_width) {
    ImGui::SetCursorScreenPos({left, strip.centre - ui.px(12)});
    if (ImGui::InvisibleButton("parting", {go_width, ui.px(24)}) && parting_) step_ = *parting_;
    if (parting_ && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw_text(list, ui.look, type::caption_strong, parting_ ? p.accent : p.faint,
              {left + ui.px(6), strip.centre}, go);
  }

  // As many columns as fit, those around the current one.
  const float x0 = strip.x0 + ui.px(30), room = strip.x1 - x0;
  const float pitch = std::clamp(room / static_cast<float>(steps_.size()), ui.px(56), ui.px(116));
  const auto visible = std::max<std::size_t>(1, static_cast<std::size_t>(room / pitch));
  std::size_t first = 0;
  if (steps_.size() > visible)
    first = std::min(step_ > visible / 2 ? step_ - visible / 2 : 0, steps_.size() - visible);
  const float top = strip.y1 + ui.px(10), bottom = rect.y + rect.height - ui.px(10);
  const float name_height = ui.px(18), row_height = (bottom - top - name_height) / 2;
  badge(ui, true, {strip.x0 + ui.px(10), top + row_height * 0.42f});
  badge(ui, false, {strip.x0 + ui.px(10), top + row_height * 1.42f});
  for (std::size_t i = first; i < std::min(steps_.size(), first + visible); ++i) {
    const float x = x0 + pitch * static_cast<float>(i - first), cell = pitch - ui.px(12);
    ImGui::SetCursorScreenPos({x - ui.px(4), top});
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("pass", {pitch - ui.px(4), bottom - top})) step_ = i;
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
        draw_text(list, ui.look, type::number, p.faint, {x + cell / 2, y + row_height * 0.4f}, "–",
                  HAlign::centre);
        continue;
      }
      const BlockWork& work = side.work[*pass];
      const auto warps = std::max<std::size_t>(1, work.lanes.size());
      const float bar_pitch = cell / static_cast<float>(warps),
                  bar_gap = bar_pitch > ui.px(5) ? ui.px(2) : 0;
      const float bar_height = row_height - ui.px(22), alpha = side.stale ? 0.5f : 1.0f;
      for (std::size_t w = 0; w < work.lanes.size(); ++w) {
        const float bx = x + bar_pitch * static_cast<float>(w);
        const ImVec2 a{bx, y}, b{bx + bar_pitch - bar_gap, y + bar_height};
        list->AddRectFilled(a, b, with_alpha(ui.look.role(Role::inactive), alpha), ui.px(2));
        const float share = static_cast<float>(work.lanes[w]) / 32;
        list->AddRectFilled({a.x, b.y - bar_height * share}, b,
                            with_alpha(ui.look.role(role_of(is_a)), alpha),
                            share < 1 ? 0 : ui.px(2));
      }
      draw_text(list, ui.look, type::number, p.dim, {x, y + bar_height + ui.px(10)},
                fmt::format("{} × {}", work.busy_warps(), work.most_lanes()), HAlign::left, cell);
    }
    const JointStep& step = steps_[i];
    std::string name = step.name.empty() ? ui.tr(Label::whole_kernel)
                       : step.count > 1  ? fmt::format("{} {}", step.name, step.number)
                                         : step.name;
    // Where only the number tells passes apart, it is what must be seen.
    if (step.count > 1 && ui.look.measure(type::number, name).x > cell + ui.px(6))
      name = std::to_string(step.number);
    draw_text(list, ui.look, type::number, i == step_ ? p.text : p.faint,
              {x, bottom - name_height / 2}, name, HAlign::left, cell + ui.px(6));
    if (hovered) {
      const auto said = [&](const Side& side, const std::optional<std::size_t>& pass,
                            const char* letter) {
        return pass ? fill_in(ui.tr(Label::warps_by_lanes), letter,
                              std::to_string(side.work[*pass].busy_warps()),
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
  const std::string so_far = fill_in(ui.tr(Label::totals_so_far),
                                     std::to_string(ui.session.position().block));
  const TabItem tabs[] = {{"so far", so_far, true}, {"launch", ui.tr(Label::totals), true}};
  const char* said = ui.tr(Label::interpreted_ratio);
  const float said_width = ui.look.measure(type::caption, said).x;
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  total_ = static_cast<Total>(tab_strip(ui.look, "which totals", tabs, static_cast<int>(total_), 42,
                                        strip.x1 - said_width - ui.px(12)));
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, p.dim, {strip.x1, strip.centre},
            said, HAlign::right);
  if (!ready) return end_panel();
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(6)));
  ImGui::BeginChild("rows", {rect.width - ui.px(1), rect.y + rect.height - strip.y1 - ui.px(2)},
                    ImGuiChildFlags_AlwaysUseWindowPadding);
  if (total_ == Total::launch && ui.session.compared()) time_row(ui, *ui.session.compared());
  for (const CompareRow& row :
       compare_rows(total_ == Total::so_far ? a_.so_far : a_.result->numbers,
                    total_ == Total::so_far ? b_.so_far : b_.result->numbers))
    total_row(ui, row, a_.stale, b_.stale);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_panel();
}

}  // namespace lanescope::gui
