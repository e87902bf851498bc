// Below the values: the origins of one lane's values, the steps that led here, and the last writer of an element.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/worded.h"
#include "gui/kit/widgets.h"
#include "gui/warp/values_rows.h"
#include "gui/warp/values_view.h"
#include "job/replay/names.h"

namespace lanescope::gui {

namespace {

// The panel's buttons, which come with the pointer, stand over the right edge of what is below the values.
constexpr float beside_buttons = 18;

void operand_rows(const Ui& ui, const job::OperandOrigins& operand) {
  Session& s = ui.session;
  const std::string name = operand.source.empty() ? operand.name : operand.source + " (" + operand.name + ")";
  std::string said = ui.told(job::in_words(operand, false));
  std::erase(said, '`');
  if (!operand.computed.empty()) said += (said.empty() ? "" : " · ") + operand.computed;
  std::string what = fmt::format("{} = {}", name, operand.value.empty() ? "?" : operand.value);
  if (operand.lane >= 0 && operand.lane != s.replays.lane) what += fmt::format(" (lane {})", operand.lane);
  origin_row(ui, operand.name.c_str(), what, said, false);
  ImGui::PushID(operand.name.c_str());
  ImGui::Indent(ui.px(16));
  for (const job::Origin& origin : operand.from) {
    if (!origin.parameter.empty()) continue;
    if (origin_row(ui, fmt::format("from-{}", origin.step.sequence).c_str(),
                   step_name(ui, origin.step) + of_line(ui, origin.line), origin.instruction, true))
      ui.window.afterwards([&s, step = origin.step, lane = origin.lane, launch = s.runs.launch()] {
        s.replays.follow(launch, step, lane);
      });
  }
  ImGui::Unindent(ui.px(16));
  ImGui::PopID();
}

void memory_row(const Ui& ui, const job::MemoryOrigin& memory, int number) {
  Session& s = ui.session;
  ImGui::PushID(number);
  const bool leads = memory.writer && !memory.writer->last_repeat;
  if (origin_row(ui, "memory-origin", fmt::format("{} = {}", memory.place, memory.value),
                 ui.told(job::in_words(memory)), leads))
    ui.window.afterwards([&s, launch = memory.writer->launch, step = memory.writer->values.step,
                          lane = memory.writer->lane] { s.replays.follow(launch, step, lane); });
  ImGui::PopID();
}

}  // namespace

void ValuesView::writer_entry(const Ui& ui, float centre) {
  const RunResult* run = ui.session.runs.shown();
  const Selection& selection = ui.session.selection;
  std::string of = fmt::format("{}/{} {} {}", selection.lesson().id, selection.variant().id,
                               code_of(ui.window.settings.language), ui.session.memory.element);
  if (std::exchange(element_of_, of) != of) element_.fill(0);
  if (run->serial != example_of_) {
    example_of_ = run->serial;
    example_.clear();
    const job::Outcome& outcome = run->outcome;
    for (std::size_t i = 0; i < outcome.arguments.size(); ++i)
      if (outcome.arguments[i].is_buffer) example_ = job::argument_name(outcome.request, i) + "[0]";
  }
  {
    const FieldStyle style(ui.look, ui.colours().panel);
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, centre - ImGui::GetFrameHeight() / 2});
    ImGui::SetNextItemWidth(ui.px(110));
    if (ImGui::InputTextWithHint("##element", example_.c_str(), element_.data(), element_.size(),
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll))
      ui.window.afterwards(
          [&s = ui.session, element = std::string(element_.data())] { s.replays.go_to_writer_of(element); });
  }
}

// The latest steps of the trail, as many as fit.
void ValuesView::trail(const Ui& ui, float left, float centre) {
  Session& s = ui.session;
  const std::vector<Replays::Visit>& way = s.replays.trail;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ui.px(2);
  std::size_t first = way.size();
  float needed = 0;
  while (first > 0) {
    const float more = chip_width(ui.look, step_name(ui, way[first - 1].step)) + ui.px(4);
    if (left + needed + more > right) break;
    needed += more;
    --first;
  }
  float x = right - needed;
  for (std::size_t i = first; i < way.size(); ++i) {
    const std::string name = step_name(ui, way[i].step);
    ImGui::PushID(static_cast<int>(i));
    ImGui::SetCursorScreenPos({x, centre - ui.px(15)});
    const trace::WarpEvent* at = s.place.event();
    const bool here = at != nullptr && way[i].launch == s.runs.launch() && way[i].lane == s.replays.lane &&
                      way[i].step == sim::Step{at->block, at->warp, at->sequence};
    if (chip(ui.look, "visit", name, here, false)) ui.window.afterwards([&s, i] { s.replays.go_back_to(i); });
    hint(ui.look, fmt::format("block {} · warp {} · lane {}", way[i].step.block, way[i].step.warp, way[i].lane), name);
    ImGui::PopID();
    x += chip_width(ui.look, name) + ui.px(4);
  }
}

void ValuesView::origins(const Ui& ui, const PanelRect& rect) {
  const Palette& p = ui.colours();
  Session& s = ui.session;
  const float head = ui.px(36), pad = ui.px(16);
  ImGui::GetWindowDrawList()->AddLine({rect.x, rect.y}, {rect.x + rect.width, rect.y}, p.line);
  ImGui::SetCursorScreenPos({rect.x + pad, rect.y});
  ImGui::BeginChild("way", {rect.width - 2 * pad - ui.px(beside_buttons), head}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar);
  const float centre = rect.y + head / 2;
  const float used = draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, p.dim, {rect.x + pad, centre},
                               ui.tr(Label::values_writer_of));
  ImGui::SetCursorScreenPos({rect.x + pad + used + ui.px(8), centre});
  writer_entry(ui, centre);
  trail(ui, rect.x + pad + used + ui.px(8 + 110 + 16), centre);
  ImGui::EndChild();

  ImGui::SetCursorScreenPos({rect.x + pad, rect.y + head});
  ImGui::BeginChild("origins", {rect.width - 2 * pad - ui.px(beside_buttons), rect.height - head},
                    ImGuiChildFlags_NavFlattened);
  if (std::string said = ui.told(s.replays.said); !said.empty()) {
    std::erase(said, '`');
    paragraph(ui.look, type::small, p.text, said);
    ImGui::Dummy({0, ui.px(4)});
  }
  if (s.memory.open) {
    memory_.element(ui);
    below_ = head + ImGui::GetCursorPosY() + ui.px(6);
    return ImGui::EndChild();
  }
  const Result<job::Origins>* found = s.replays.origins();
  const int lane = s.replays.lane;
  if (lane < 0) {
    paragraph(ui.look, type::small, p.dim, ui.tr(Label::values_pick));
  } else if (found == nullptr) {
    paragraph(ui.look, type::small, p.dim, ui.tr(Label::values_wait));
  } else if (!found->ok()) {
    paragraph(ui.look, type::small, p.dim, ui.told(found->errors().front().message));
  } else {
    line_of_text(ui.look, type::caption_strong, p.dim, fill_in(ui.tr(Label::values_from), std::to_string(lane)), 0, 20);
    for (int i = 0; const job::MemoryOrigin& memory : (*found)->memory) memory_row(ui, memory, i++);
    for (const job::OperandOrigins& operand : (*found)->operands) operand_rows(ui, operand);
    if ((*found)->memory.empty() && (*found)->operands.empty())
      paragraph(ui.look, type::small, p.dim, ui.tr(Label::values_nothing_read));
  }
  if (found != nullptr || lane < 0) below_ = head + ImGui::GetCursorPosY() + ui.px(6);
  ImGui::EndChild();
}

}  // namespace lanescope::gui
