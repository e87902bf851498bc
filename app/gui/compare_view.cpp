#include "gui/compare_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagram/views.h"
#include "gui/compare_parts.h"
#include "gui/panels.h"
#include "gui/views.h"
#include "metrics/steps.h"

namespace lanescope::gui {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

// The lines around the step, with their heat.
void excerpt(const Ui& ui, const RunResult& result, int line, float alpha) {
  constexpr int around = 2;
  const auto lines = lines_of(result.key.source);
  const int count = static_cast<int>(lines.size());
  const int first = std::clamp(line - around, 1, std::max(1, count - 2 * around));
  const int last = std::min(count, first + 2 * around);
  const Palette& p = ui.colours();
  const float row = ui.px(22), width = ImGui::GetWindowWidth();
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int n = first; n <= last; ++n) {
    const ImVec2 at{ImGui::GetWindowPos().x, ImGui::GetCursorScreenPos().y};
    if (n == line) {
      list->AddRectFilled({at.x + ui.px(1), at.y}, {at.x + width - ui.px(1), at.y + row},
                          p.accent_soft);
      list->AddRectFilled({at.x + ui.px(1), at.y}, {at.x + ui.px(4), at.y + row}, p.accent);
    }
    const float y = at.y + row / 2;
    draw_text(list, ui.look, type::number, n == line ? p.text : p.faint, {at.x + ui.px(36), y},
              std::to_string(n), HAlign::right);
    const LineCost* cost = result.line(n);
    const HeatValue heat = cost == nullptr ? HeatValue{} : heat_of(*cost, ui.window.heat);
    float right = at.x + width - ui.px(16);
    if (heat.any) {
      const bool lanes = ui.window.heat == Heat::lanes;
      const bool worse = lanes
                             ? heat.value < 0.995
                             : ui.window.heat != Heat::executions && heat.value > heat.ideal + 1e-9;
      const std::string said =
          lanes ? fmt::format("{:.0f} %", heat.value * 100) : number_text(heat.value, "");
      right -= draw_text(list, ui.look, type::number, with_alpha(worse ? p.wasted : p.dim, alpha),
                         {right, y}, said, HAlign::right) +
               ui.px(12);
    }
    bool cut = false;
    draw_text(list, ui.look, type::code, n == line ? p.text : mix(p.dim, p.text, 0.6f),
              {at.x + ui.px(52), y}, lines[static_cast<std::size_t>(n) - 1], HAlign::left,
              right - at.x - ui.px(52), &cut);
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, row});
    if (cut) hint(ui.look, lines[static_cast<std::size_t>(n) - 1]);
  }
}

// As wide as the picture below it.
void heading(const Ui& ui, const diagram::Scene& scene, ImU32 colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string &title = scene.title, &right = scene.subtitle;
  const float width = scene.width * ui.look.scale(), y = at.y + ui.px(18);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({ImGui::GetWindowPos().x, at.y},
                      {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), at.y + ui.px(1)},
                      ui.colours().line);
  bool cut_right = false, cut = false;
  const float used = draw_text(list, ui.look, type::small_strong, colour, {at.x + width, y}, right,
                               HAlign::right, width * 0.6f, &cut_right);
  draw_text(list, ui.look, type::small_strong, ui.colours().dim, {at.x, y}, title, HAlign::left,
            width - used - ui.px(12), &cut);
  ImGui::Dummy({width, ui.px(32)});
  if (cut || cut_right) hint(ui.look, right, title);
}

}  // namespace

void CompareView::step_by(std::ptrdiff_t delta) {
  if (steps_.empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(steps_.size()) - 1;
  step_ = static_cast<std::size_t>(
      std::clamp(static_cast<std::ptrdiff_t>(step_) + delta, std::ptrdiff_t{0}, last));
}

void CompareView::update(const Ui& ui) {
  Session& s = ui.session;
  const std::size_t b = *s.compared();
  a_.variant = s.variant_index(), b_.variant = b;
  a_.result = s.shown(a_.variant), b_.result = s.shown(b);
  a_.stale = s.stale(a_.variant), b_.stale = s.stale(b);
  if (a_.result == nullptr || b_.result == nullptr) {
    steps_.clear();
    made_ = {};
    return;
  }
  const Position at = s.position();
  if (summed_step_ != step_) sum_up(ui);
  const Made wanted{a_.result->serial, b_.result->serial, at.block, at.warp};
  if (wanted == made_) return;
  // The place is kept by its name where the new runs have it.
  const JointStep before = step_ < steps_.size() ? steps_[step_] : JointStep{};
  const bool had_steps = !steps_.empty();
  made_ = wanted;
  for (Side* side : {&a_, &b_}) {
    const trace::Trace& t = side->result->outcome.trace;
    side->passes = phase_passes(t, side->result->key.source, at.block, at.warp);
    side->work.clear();
    for (const PhasePass& pass : side->passes)
      side->work.push_back(block_work(t, at.block, at.warp, pass.telling));
  }
  steps_ = joint_steps(a_.passes, b_.passes);
  parting_ = where_they_part(a_.result->outcome.trace, a_.passes, b_.result->outcome.trace,
                             b_.passes, steps_, at.block, at.warp);
  step_ = parting_.value_or(0);
  if (had_steps)
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].name == before.name && steps_[i].number == before.number) step_ = i;
  sum_up(ui);
}

// Where a variant has no pass of this step, its sum stands still at the pass before.
void CompareView::sum_up(const Ui& ui) {
  const std::uint32_t block = ui.session.position().block;
  summed_step_ = step_;
  for (Side* side : {&a_, &b_}) {
    std::size_t reached = 0;  // passes
    for (std::size_t i = 0; i <= step_ && i < steps_.size(); ++i)
      if (const auto here = side == &a_ ? steps_[i].a : steps_[i].b) reached = *here + 1;
    trace::Totals totals;
    if (reached > 0)
      totals = totals_so_far(side->result->outcome.trace, side->result->key.source, block,
                             side->passes, reached - 1);
    side->so_far = metrics::report(totals, side->result->outcome.trace.origin);
  }
}

void CompareView::side(const Ui& ui, Side& side, bool is_a, const PanelRect& rect) {
  begin_panel(ui.look, is_a ? "side a" : "side b", rect);
  Session& s = ui.session;
  side.hover.begin_frame();
  const Strip strip = panel_strip(ui.look);
  badge(ui, is_a, {strip.x0 + ui.px(10), strip.centre});
  // The variant, to be exchanged for another.
  const std::string& title = ui.say(s.lesson().variants[side.variant].title);
  const float width = ui.look.measure(type::body_strong, title).x + ui.px(26);
  ImGui::SetCursorScreenPos({strip.x0 + ui.px(26), strip.centre - ui.px(15)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ImGui::InvisibleButton(is_a ? "choose a" : "choose b", {width, ui.px(30)}))
    ImGui::OpenPopup("variants");
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ui.colours().hover,
                        ui.px(6));
  }
  draw_text(list, ui.look, type::body_strong, ui.colours().text,
            {strip.x0 + ui.px(32), strip.centre}, title);
  draw_icon(list, ui.look, Icon::down, {strip.x0 + ui.px(26) + width - ui.px(9), strip.centre},
            ui.colours().dim, 7);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  if (ImGui::BeginPopup("variants")) {
    for (std::size_t i = 0; i < s.lesson().variants.size(); ++i) {
      const lesson::Variant& v = s.lesson().variants[i];
      if (v.gpu_only || !ImGui::Selectable((ui.say(v.title) + "##" + v.id).c_str(), i == side.variant, 0,
                                           {ui.px(180), ui.px(22)}))
        continue;
      if (is_a)
        s.choose_variant(i);
      else
        s.compare(i);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();

  const JointStep* step = step_ < steps_.size() ? &steps_[step_] : nullptr;
  static constexpr std::optional<std::size_t> none;
  const std::optional<std::size_t>& pass = step == nullptr ? none : is_a ? step->a : step->b;
  float right = strip.x1;
  if (const float mark = stale_badge(ui, right, strip.centre, side.variant); mark > 0)
    right -= mark + ui.px(10);
  std::string where =
      pass ? pass_name(ui, side.passes[*pass].name, side.passes[*pass].number, side.passes[*pass].count) : "";
  if (side.result != nullptr && side.result->launches() > 1)  // of several launches the first is compared
    where = fill_in(ui.tr(Label::launch_of), "1", std::to_string(side.result->launches())) +
            (where.empty() ? "" : " · " + where);
  draw_text(list, ui.look, type::small, ui.colours().dim, {right, strip.centre}, where, HAlign::right,
            std::max(1.0f, right - strip.x0 - width - ui.px(40)));

  const PanelRect below{rect.x, strip.y1, rect.width - ui.px(1),
                        rect.y + rect.height - strip.y1 - ui.px(2)};
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (side.result != nullptr && step != nullptr && pass) {
    body(ui, side, is_a, *pass, below);
  } else {
    std::string why = ui.tr(why_nothing(s));
    if (const Diagnostics& problems = s.problems(side.variant); !problems.empty())
      why = problems.front().message + " " + problems.front().cure;
    if (side.result != nullptr && step != nullptr)
      why = fill_in(ui.tr(Label::no_such_pass), pass_name(ui, step->name, step->number, step->count));
    ImGui::SetCursorScreenPos({strip.x0, strip.y1 + ui.px(14)});
    paragraph(ui.look, type::small, ui.colours().dim, why, strip.x1 - strip.x0);
  }
  ImGui::PopStyleVar();
  end_panel();
}

void CompareView::make_pictures(const Ui& ui, Side& side, std::size_t pass, float width) {
  const trace::Trace& t = side.result->outcome.trace;
  const Position at = ui.session.position();
  const std::size_t index = side.passes[pass].telling;
  const trace::WarpEvent& event = t.warp(at.block, at.warp)[index];
  const WarpTab tab =
      effective_tab(ui.window.warp_tab, *side.result, event, side.has_access);
  const Side::Drawn wanted{side.result->serial, at.block, at.warp, index, tab, width,
                           ui.window.settings.language};
  if (wanted == side.drawn) return;
  side.drawn = wanted;
  const metrics::Step step = metrics::steps(t, at.block, at.warp)[index];
  side.block_scene =
      diagram::block_lanes(t, at.block, step.site, step.occurrence, ui.picture(width, 190));
  side.access_scene = side.has_access
                          ? scene_of(tab, *side.result, event, nullptr, ui.picture(width))
                          : diagram::Scene{};
}

// The code and the pictures, which scroll where they must; below them the answer, always in view.
void CompareView::body(const Ui& ui, Side& side, bool is_a, std::size_t pass,
                       const PanelRect& rect) {
  const float k = ui.look.scale(), alpha = side.stale ? 0.5f : 1.0f;
  const bool low = rect.height < ui.px(420);
  const float padding = ui.px(low ? 7.0f : 12.0f), inner = rect.width - ui.px(32);
  const trace::Trace& t = side.result->outcome.trace;
  const Position at = ui.session.position();
  const trace::WarpEvent& event = t.warp(at.block, at.warp)[side.passes[pass].telling];
  // Room for the scroll bar is kept, so that the pictures do not change their width with it.
  make_pictures(ui, side, pass, (inner - ImGui::GetStyle().ScrollbarSize) / k);
  const float answer = ui.look.measure(type::small_medium, side.answer(), inner - ui.px(32)).y +
                       2 * padding + ui.px(low ? 8.0f : 14.0f);

  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(low ? 4.0f : 8.0f)));
  ImGui::BeginChild("body", {rect.width, rect.height - answer},
                    ImGuiChildFlags_AlwaysUseWindowPadding);
  excerpt(ui, *side.result, t.sites[event.site].line, alpha);
  ImGui::Dummy({0, ui.px(low ? 4.0f : 8.0f)});
  heading(ui, side.block_scene, ui.colours().text);
  side.block.show(side.block_scene, ui.look, is_a ? "block a" : "block b", side.hover, ui.motion(),
                  1, alpha);
  ImGui::Dummy({0, ui.px(low ? 6.0f : 12.0f)});
  if (side.has_access) {
    heading(ui, side.access_scene, ui.colours().dim);
    side.access.show(side.access_scene, ui.look, is_a ? "access a" : "access b", side.hover,
                     ui.motion(), 1, alpha);
    ImGui::Dummy({0, ui.px(8)});
  }
  ImGui::EndChild();
  ImGui::SetCursorScreenPos({rect.x, rect.y + rect.height - answer});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), 0));
  ImGui::BeginChild("said", {rect.width, answer}, ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  begin_card(ui.look, "answer", ui.colours().raised, padding);
  paragraph(ui.look, type::small_medium, ui.colours().text, side.answer());
  end_card(ui.look);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ui.window.moving |= side.block.moving() || side.access.moving();
}

void CompareView::draw(const Ui& ui, const PanelRect& rect) {
  update(ui);
  const float gap = rect.width < ui.px(1200) ? ui.px(8) : ui.px(16);
  const float bottom_height = std::clamp(std::round(rect.height * 0.25f), ui.px(160), ui.px(260));
  const float upper = rect.height - 3 * gap - bottom_height;
  const float half = std::round((rect.width - 3 * gap) / 2);
  const float totals_width = std::clamp(std::round(rect.width * 0.32f), ui.px(330), ui.px(520));
  const float y1 = rect.y + 2 * gap + upper;
  side(ui, a_, true, {rect.x + gap, rect.y + gap, half, upper});
  side(ui, b_, false, {rect.x + 2 * gap + half, rect.y + gap, rect.width - 3 * gap - half, upper});
  together(ui, {rect.x + gap, y1, rect.width - 3 * gap - totals_width, bottom_height});
  totals(ui, {rect.x + rect.width - gap - totals_width, y1, totals_width, bottom_height});
}

}  // namespace lanescope::gui
