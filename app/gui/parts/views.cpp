#include "gui/parts/views.h"

#include <algorithm>

#include "gui/kit/scene_painter.h"
#include "gui/parts/tabs.h"
#include "job/report/pictures.h"

namespace lanescope::gui {

bool tab_listed(WarpTab tab, const RunResult& result) {
  if (tab == WarpTab::phases) return !result.phase_work.blocks.empty();
  if (tab == WarpTab::running) return !result.running_sum.values.empty();
  const trace::Trace& trace = result.outcome.first().trace;
  if (tab == WarpTab::matrices)
    return std::ranges::any_of(trace.sites, [](const auto& one) { return one.kind == trace::EventKind::matrix; });
  return true;
}

bool tab_applies(WarpTab tab, const RunResult& result, const trace::WarpEvent& event) {
  if (tab == WarpTab::count_) return false;
  if (tab >= WarpTab::phases) return tab_listed(tab, result);
  return diagram::is_subject(code_of(tab), result.outcome.first().trace.sites[event.site], event);
}

WarpTab effective_tab(WarpTab wanted, const RunResult& result, const trace::WarpEvent& event, bool& any) {
  any = true;
  if (tab_applies(wanted, result, event)) return wanted;
  for (int i = 0; i < static_cast<int>(WarpTab::phases); ++i)
    if (tab_applies(static_cast<WarpTab>(i), result, event)) return static_cast<WarpTab>(i);
  any = false;
  return wanted;
}

const char* tab_title(const Ui& ui, WarpTab tab, const trace::WarpEvent& event) {
  const trace::Site& site = ui.session.runs.shown()->outcome.first().trace.sites[event.site];
  if (tab != WarpTab::groups || !diagram::is_vote(site, event)) return ui.tr(tab_label(tab));
  return ui.tr(site.opcode.starts_with("match")   ? Label::tab_match
               : site.opcode.starts_with("redux") ? Label::tab_reduce
                                                  : Label::tab_vote);
}

bool is_failed_access(const RunResult& result, const trace::WarpEvent& event) {
  const trace::FaultPlace* fault = result.fault();
  return fault != nullptr && fault->is_event && event.block == fault->block && event.warp == fault->warp &&
         event.sequence == fault->sequence;
}

namespace {

diagram::Scene scene_of_whole(WarpTab tab, const RunResult& result, const trace::WarpEvent& event,
                              const job::ShuffleValues* values, const diagram::Options& options) {
  const trace::Trace& trace = result.outcome.first().trace;
  switch (tab) {
    case WarpTab::sectors:
      return diagram::sectors(trace, event, options);
    case WarpTab::banks:
      return diagram::banks(trace, event, options);
    case WarpTab::shuffle:
      if (values != nullptr)
        return diagram::shuffle(trace, event, {values->before.begin(), values->before.end()},
                                {values->after.begin(), values->after.end()}, options, values->what);
      return diagram::shuffle(trace, event, {}, {}, options);
    case WarpTab::groups:
      if (diagram::is_vote(trace.sites[event.site], event)) return diagram::vote(trace, event, options);
      return diagram::groups(diagram::group_rows(trace, event, values == nullptr ? 0 : values->tile()), options);
    case WarpTab::atomics:
      return diagram::atomics(trace, event, options);
    case WarpTab::matrices:
      return diagram::matrices(job::held_matrices(trace.sites[event.site].opcode), options);
    case WarpTab::phases:
      return diagram::phases(result.phase_work,
                             {options.width, options.max_height > 0 ? options.max_height : 260, options.language});
    case WarpTab::running:
      return diagram::running_sum(result.running_sum, options);
    case WarpTab::count_:
      break;
  }
  return {};
}

// What the lanes asked for stays; what it would have cost does not.
void show_only_what_was_asked(diagram::Scene& scene, Language language) {
  std::erase_if(scene.rects, [](const diagram::Rect& one) { return one.role == Role::wasted; });
  for (diagram::Rect& one : scene.rects)
    if (one.role == Role::conflict) one.role = Role::executed;
  scene.legend.clear();
  scene.caption = label_text(Label::fault_nothing_moved, language);
}

}  // namespace

diagram::Scene scene_of(WarpTab tab, const RunResult& result, const trace::WarpEvent& event,
                        const job::ShuffleValues* values, const diagram::Options& options) {
  diagram::Scene scene = scene_of_whole(tab, result, event, values, options);
  const bool of_access = tab == WarpTab::sectors || tab == WarpTab::banks || tab == WarpTab::atomics;
  if (of_access && is_failed_access(result, event)) show_only_what_was_asked(scene, options.language);
  return scene;
}

float draw_legend(const Ui& ui, const diagram::Scene& scene, float width, bool draw) {
  if (scene.legend.empty()) return 0;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float size = ui.px(12), row = ui.px(20);
  float x = 0, y = row / 2;
  for (const diagram::LegendItem& item : scene.legend) {
    const std::string& name = item.text;
    const float needed = size + ui.px(8) + ui.look.measure(type::caption, name).x;
    if (x > 0 && x + needed > width) x = 0, y += row;
    if (draw) {
      const ImVec2 at{start.x + x, start.y + y};
      paint_cell(list, ui.look, item.role, item.pattern, {at.x, at.y - size / 2}, {at.x + size, at.y + size / 2},
                 ui.px(3));
      draw_text(list, ui.look, type::caption, ui.colours().dim, {at.x + size + ui.px(8), at.y}, name);
    }
    x += needed + ui.px(20);
  }
  return y + row / 2;
}

}  // namespace lanescope::gui
