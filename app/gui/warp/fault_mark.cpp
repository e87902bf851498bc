#include "gui/warp/fault_mark.h"

#include <algorithm>

namespace lanescope::gui {
namespace {

// The fault of the launch on screen if the block and warp on screen failed; else null.
const trace::FaultPlace* fault_of_warp(const Session& s) {
  const RunResult* shown = s.runs.shown();
  if (shown == nullptr || shown->fault() == nullptr || !shown->fault_step()) return nullptr;
  const Position at = s.place.position();
  const trace::FaultPlace* fault = shown->fault();
  return at.block == fault->block && at.warp == fault->warp ? fault : nullptr;
}

const trace::FaultPlace* fault_here(const Session& s) {
  const trace::FaultPlace* fault = fault_of_warp(s);
  return fault != nullptr && s.place.position().step == *s.runs.shown()->fault_step() ? fault : nullptr;
}

}  // namespace

std::string fault_sentence(const Ui& ui) {
  const Session& s = ui.session;
  const trace::FaultPlace* fault = fault_here(s);
  if (fault == nullptr) return {};
  const bool stopped = s.runs.shown()->stopped;
  if (!s.runs.shown()->reaches_fault()) return ui.tr(stopped ? Label::stop_later : Label::fault_later);
  if (fault->is_event && !fault->lanes.empty())
    return fill_in(ui.tr(Label::fault_lanes), std::to_string(fault->lanes.count()), lane_ranges(fault->lanes));
  const auto& said = s.runs.shown(s.selection.variant_index())->outcome.diagnostics;
  const auto error = std::ranges::find_if(said, [](const Diagnostic& one) { return one.severity == Severity::error; });
  const bool has_line = error != said.end() && error->place.line > 0;
  return has_line ? fill_in(ui.tr(stopped ? Label::stop_after : Label::fault_after), std::to_string(error->place.line))
                  : ui.tr(stopped ? Label::stop_after_step : Label::fault_after_step);
}

void cross_faulty_lanes(const Ui& ui, const diagram::Scene& lanes, ImVec2 origin, float zoom) {
  const trace::FaultPlace* fault = fault_here(ui.session);
  if (fault == nullptr || !ui.session.runs.shown()->reaches_fault()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float k = ui.look.scale() * zoom, width = std::max(1.0f, ui.px(2));
  const ImU32 colour = with_alpha(ui.colours().conflict, picture_alpha(ui));
  for (const diagram::Rect& cell : lanes.rects) {
    if (cell.tag == 0) continue;
    const int lane = lanes.tags[cell.tag - 1].lane;
    if (lane < 0 || !fault->lanes.test(lane)) continue;
    const ImVec2 a{origin.x + cell.x * k, origin.y + cell.y * k};
    const ImVec2 b{a.x + cell.width * k, a.y + cell.height * k};
    list->AddRect(a, b, colour, ui.px(3), width);
    list->AddLine({a.x, b.y}, {b.x, a.y}, colour, width);
  }
}

void mark_faulty_column(const Ui& ui, const diagram::Scene& film, ImVec2 origin) {
  if (fault_of_warp(ui.session) == nullptr) return;
  const auto step = static_cast<std::int64_t>(*ui.session.runs.shown()->fault_step());
  const diagram::Rect* column = nullptr;  // the last that begins no later
  for (const diagram::Rect& rect : film.rects)
    if (rect.tag != 0 && film.tags[rect.tag - 1].step >= 0 && film.tags[rect.tag - 1].step <= step &&
        (column == nullptr || film.tags[rect.tag - 1].step > film.tags[column->tag - 1].step))
      column = &rect;
  if (column == nullptr) return;
  const float k = ui.look.scale(), r = ui.px(4), width = std::max(1.0f, ui.px(2));
  const float x = origin.x + (column->x + column->width) * k, y0 = origin.y + column->y * k;
  const float y1 = y0 + column->height * k;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = with_alpha(ui.colours().conflict, picture_alpha(ui));
  list->AddLine({x, y0}, {x, y1}, colour, width);
  list->AddLine({x - r, y0 - r}, {x + r, y0 + r}, colour, width);
  list->AddLine({x - r, y0 + r}, {x + r, y0 - r}, colour, width);
}

}  // namespace lanescope::gui
