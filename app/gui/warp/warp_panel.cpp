#include "gui/warp/warp_panel.h"

// One step of one warp: its lanes, and the memory that its access touches.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "diagram/film.h"
#include "diagram/views.h"
#include "gui/parts/covers.h"
#include "gui/parts/launch_choice.h"
#include "gui/parts/presenting.h"
#include "gui/parts/tabs.h"
#include "gui/parts/views.h"
#include "gui/warp/fault_mark.h"
#include "gui/warp/pin_row.h"
#include "metrics/steps.h"

namespace lanescope::gui {

using trace::EventKind;

namespace {

// Why a step has no picture besides its lanes.
Label step_kind(EventKind kind) {
  switch (kind) {
    case EventKind::block_entry:
      return Label::kind_entry;
    case EventKind::guarded:
      return Label::kind_guarded;
    case EventKind::vote:
      return Label::kind_vote;
    case EventKind::barrier:
      return Label::kind_barrier;
    case EventKind::branch:
      return Label::kind_branch;
    default:
      return Label::kind_other;
  }
}

void heading(const Ui& ui, const char* title, const std::string& right, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, centre = at.y + height / 2 - ui.px(1);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float used = draw_text(list, ui.look, type::small_strong, ui.colours().dim, {at.x, centre}, title);
  bool cut = false;
  draw_text(list, ui.look, type::caption, ui.colours().dim, {at.x + width, centre}, right, HAlign::right,
            width - used - ui.px(16), &cut);
  ImGui::Dummy({width, height});
  if (cut) hint(ui.look, right);
}

// The picture's sentence about the step, then the lesson's point, which is about the whole launch. Before them, that
// the run failed here. Its height is known, so that it fits in the first frame of a new text too.
void caption_card(const Ui& ui, const std::string& fault, const std::string& point, const std::string& text,
                  float padding, float height) {
  ImGui::SetNextWindowSizeConstraints({0, height}, {FLT_MAX, height});
  begin_card(ui.look, "caption", ui.colours().raised, padding);
  if (!fault.empty()) paragraph(ui.look, type::small_strong, ui.colours().conflict, fault);
  paragraph(ui.look, type::small_medium, ui.colours().text, text);
  if (!point.empty()) paragraph(ui.look, type::small, with_alpha(ui.colours().dim, picture_alpha(ui)), point);
  end_card(ui.look);
}

}  // namespace

// Distances around the picture in pixels; smaller in a low window.
struct WarpPanel::Spacing {
  float head, top, gap, card, below;
  Spacing(const Ui& ui, bool low, std::string failed, std::string sentence)
      : head(ui.px(low ? 22.0f : 26.0f)),
        top(ui.px(low ? 4.0f : 8.0f)),
        gap(ui.px(low ? 4.0f : 10.0f)),
        card(ui.px(low ? 7.0f : 12.0f)),
        below(ui.px(low ? 8.0f : 14.0f)),
        fault(std::move(failed)),
        point(std::move(sentence)) {}
  std::string fault;  // above the answer: that the run failed at this step
  std::string point;  // the lesson's sentence, below the answer
  // Height of the card with the sentences, and with the legend.
  float sentences(const Ui& ui, const std::string& said, float width) const {
    const auto lines = [&](TypeStyle style, const std::string& text) {
      return ui.look.measure(style, text, width - ui.px(32)).y;
    };
    return (fault.empty() ? 0 : lines(type::small_strong, fault)) + lines(type::small_medium, said) +
           (point.empty() ? 0 : lines(type::small, point)) + 2 * card;
  }
  float answer(const Ui& ui, const std::string& said, const diagram::Scene& scene, float width) const {
    return sentences(ui, said, width) + draw_legend(ui, scene, width, false) + below;
  }
};

namespace {

// What a picture must keep when it is enlarged: its texts and its columns. Cells that grow until their numbers are
// dropped, or until the banks are folded, are worse than smaller ones.
struct Contents {
  std::size_t labels = 0, columns = 0;
  explicit Contents(const diagram::Scene& scene) : labels(scene.labels.size()) {
    std::set<float> lefts;
    for (const diagram::Rect& rect : scene.rects) lefts.insert(rect.x);
    columns = lefts.size();
  }
  friend bool operator==(const Contents&, const Contents&) = default;
};

// True if a shuffle's values are outside its rows of lanes.
bool values_beside(const diagram::Scene& scene) {
  float top = scene.height;
  for (const diagram::Rect& rect : scene.rects) top = std::min(top, rect.y);
  return std::ranges::any_of(scene.labels, [&](const diagram::Label& label) { return label.y < top; });
}

}  // namespace

// Chooses the largest zoom at which picture and answer are at most `height` pixels high and the picture keeps all its
// contents. If there is none, uses the smallest, and the picture scrolls.
void WarpPanel::fit(const Ui& ui, WarpTab tab, const Spacing& spacing, float width, float height) {
  const job::ShuffleValues* values = ui.session.details.shuffle_values();
  const Fit wanted{ui.session.runs.shown()->serial,
                   ui.session.place.event(),
                   tab,
                   values,
                   width,
                   height,
                   ui.look.scale(),
                   ui.window.settings.language,
                   spacing.point};
  if (wanted == fit_) return;
  fit_ = wanted;
  const float k = ui.look.scale();
  const auto lay_out = [&](float zoom) {
    zoom_ = zoom;
    scene_ = scene_of(tab, *ui.session.runs.shown(), *ui.session.place.event(), values, ui.picture(width / k / zoom));
    return scene_.height * zoom * k + spacing.answer(ui, scene_.caption, scene_, width) <= height;
  };
  const bool fits = lay_out(1);
  // Pictures that fill any width would only get larger text.
  const bool wide = tab >= WarpTab::phases;
  if (fits && wide) return;
  if (fits) {
    const Contents own(scene_);
    const float most = ui.window.presenting->grown == Panel::warp ? 2.4f : 1.3f;
    for (const float zoom : {2.4f, 2.1f, 1.8f, 1.6f, 1.4f, 1.3f, 1.2f, 1.1f})
      if (zoom <= most && lay_out(zoom) && Contents(scene_) == own) return;
    lay_out(1);
    return;
  }
  const auto lay_out_low = [&](float zoom) {
    lay_out(zoom);
    const float room = height - spacing.answer(ui, scene_.caption, scene_, width);
    scene_ = scene_of(tab, *ui.session.runs.shown(), *ui.session.place.event(), values,
                      ui.picture(width / k / zoom, std::max(room / k / zoom, 120.0f)));
    return scene_.height * zoom * k <= room;
  };
  if (tab == WarpTab::shuffle) {  // shortens the arrows as long as the values stay visible
    const bool beside = values_beside(scene_);
    for (const float zoom : {1.0f, 0.9f, 0.8f})
      if (lay_out_low(zoom) && values_beside(scene_) == beside) return;
  }
  for (const float zoom : {0.9f, 0.8f})
    if (lay_out(zoom)) return;
  // A bank's queue must be completely visible, down to the lane that is served first; matrices with all their rows.
  if (tab == WarpTab::banks || tab == WarpTab::matrices) (void)lay_out_low(1);
}

// Lanes and picture scroll if necessary; the answer and the legend below are always visible.
void WarpPanel::picture(const Ui& ui, const PanelRect& body) {
  const trace::WarpEvent& event = *ui.session.place.event();
  const trace::Trace& t = ui.session.runs.shown()->outcome.first().trace;
  const float k = ui.look.scale(), pad = ui.px(16), inner = body.width - 2 * pad;
  const Spacing spacing(ui, body.height < ui.px(380), fault_sentence(ui), of_launch(ui, point_.of(ui)));
  hover_.begin_frame();
  const Replays::Pin* pin = ui.session.replays.pinned();
  if (pin != nullptr && !hover_.shown.any()) hover_.shown = {pin->lane, pin->first_byte, pin->bytes, 0};
  const auto take = [&](const diagram::Scene& scene, int tag) {
    if (tag < 0) return;
    const diagram::Tag& of = scene.tags[static_cast<std::size_t>(tag)];
    ui.window.afterwards([&replays = ui.session.replays, lane = of.lane, first = of.first_byte, bytes = of.bytes,
                          text = of.text] { replays.pin(lane, first, bytes, text); });
  };

  const metrics::StepPyramid* steps = ui.session.summaries.steps();
  const diagram::Scene lanes =
      steps == nullptr || t.events_dropped > 0
          ? diagram::lanes(t, event, ui.picture(inner / k))
          : diagram::lanes(t, event, steps->active_after(ui.session.place.position().step), ui.picture(inner / k));
  bool any = false;
  const WarpTab tab = effective_tab(ui.window.warp_tab, *ui.session.runs.shown(), event, any);
  float needed = 2 * spacing.top + spacing.head + lanes.height * k + spacing.gap;
  if (any) {
    needed += spacing.head;
    fit(ui, tab, spacing, inner, body.height - needed - (pin == nullptr ? 0 : pin_height(ui, *pin, inner)));
    needed += std::ceil(scene_.height * k * zoom_);
  }
  const diagram::Scene& main = any ? scene_ : lanes;
  const std::string answer = main.caption.empty() ? ui.tr(step_kind(event.kind)) : main.caption;
  const float pin_room = pin == nullptr ? 0 : pin_height(ui, *pin, inner);
  const float below = spacing.answer(ui, answer, main, inner) + pin_room;
  const float above = std::min(needed, body.height - below);

  ImGui::SetCursorScreenPos({body.x, body.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, spacing.top));
  ImGui::BeginChild("picture", {body.width, above},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  heading(ui, ui.tr(Label::lanes), lanes.subtitle, spacing.head);
  const ImVec2 lanes_at = ImGui::GetCursorScreenPos();
  take(lanes, lanes_.show(lanes, ui.look, "lanes", hover_, ui.motion(), 1, picture_alpha(ui)));
  cross_faulty_lanes(ui, lanes, lanes_at);
  ImGui::Dummy({0, spacing.gap});
  if (any) {
    heading(ui, tab_title(ui, tab, event), scene_.subtitle, spacing.head);
    take(scene_, view_.show(scene_, ui.look, "view", hover_, ui.motion(), zoom_, picture_alpha(ui)));
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();

  ImGui::SetCursorScreenPos({body.x, body.y + above});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, 0));
  ImGui::BeginChild("answer", {body.width, below + ui.px(8)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (pin != nullptr) pin_row(ui, *pin, inner);
  caption_card(ui, spacing.fault, spacing.point, answer, spacing.card, spacing.sentences(ui, answer, inner));
  ImGui::Dummy({0, ui.px(4)});
  draw_legend(ui, main, inner, true);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  const float used = above + below + ui.px(8);
  whole_block(ui, {body.x, body.y + used, body.width, body.height - used});
  ui.window.moving |= lanes_.moving() || view_.moving() || block_.moving();
}

// All warps of the block at this step, if there is room below the answer.
void WarpPanel::whole_block(const Ui& ui, const PanelRect& rect) {
  const trace::Trace& t = ui.session.runs.shown()->outcome.first().trace;
  const float head = ui.px(28), least = ui.px(70), k = ui.look.scale();
  if (rect.height < head + least || t.launch.warps_per_block() < 2) return;
  const Position at = ui.session.place.position();
  // Late in a long warp, searching the other warps' steps is slow, so this waits until the step stays.
  constexpr std::size_t many_steps = 50'000;
  int& before = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("step before"), -1);
  const int now = static_cast<int>(at.step);
  const bool rests = std::exchange(before, now) == now && !ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (at.step > many_steps && !rests) {
    ui.window.moving = true;
    return;
  }
  const BlockShown wanted{ui.session.runs.shown()->serial, at.block, at.warp, at.step, rect.width, rect.height,
                          ui.window.settings.language};
  if (wanted != block_shown_) {
    block_shown_ = wanted;
    const float room = (rect.height - head - ui.px(8)) / k;
    block_.make(t, at.block, metrics::across_warps(t, at.block, at.warp, at.step),
                ui.picture((rect.width - 2 * ui.px(16)) / k, room));
  }
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), 0));
  ImGui::BeginChild("whole block", {rect.width, rect.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollWithMouse);
  // "Block 0: 8 warps at this step", or "Block 0" if the rest leaves no room for the answer.
  std::string title = block_.scene().title;
  if (ui.look.measure(type::small_strong, title).x + ui.look.measure(type::caption, block_.scene().subtitle).x +
          ui.px(20) >
      ImGui::GetContentRegionAvail().x)
    title.resize(std::min({title.size(), title.find(':'), title.find("：")}));
  heading(ui, title.c_str(), block_.scene().subtitle, head);
  block_.show(ui, "block lanes", hover_, 1, picture_alpha(ui));
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

// The panel's title is dropped if an instruction would not fit beside it. This does not depend on the step, so nothing
// moves.
bool WarpPanel::room_for_title(const Ui& ui, const Strip& strip) {
  const auto width = [&](TypeStyle style, const std::string& said) { return ui.look.measure(style, said).x; };
  const float steppers =
      width(type::small_medium, std::string(ui.tr(Label::block)) + " 000" + ui.tr(Label::warp) + " 00") +
      2 * ui.px(42 + 14);
  const float step =
      width(type::number, fill_in(ui.tr(Label::line_number), "00")) + ui.px(16) + width(type::number, "ld.global.f32");
  return width(type::small_strong, ui.tr(Label::warp_panel)) + ui.px(12) + steppers + step <= strip.x1 - strip.x0;
}

// Opens the lesson's picture.
void WarpPanel::open_view(const Ui& ui) {
  std::string of = fmt::format("{}/{}", ui.session.selection.lesson().id, ui.session.selection.variant().id);
  const RunResult* shown = ui.session.runs.shown();
  if (of == opened_ && of != heat_of_run_ && shown != nullptr && !ui.session.selection.is_lesson()) {
    heat_of_run_ = of;
    if (!ui.window.heat_chosen) ui.window.heat = farthest_from_ideal(*shown);
  }
  if (of == opened_) return;
  opened_ = std::move(of);
  const std::string& view = ui.session.selection.variant().look.view;
  find_code(view, ui.window.warp_tab);
  if (!ui.window.heat_chosen)
    ui.window.heat = heat_of_point(ui.session.selection.lesson(), ui.session.selection.variant());
}

// At the right end: the line in the source, and the opcode or what it does.
void WarpPanel::instruction(const Ui& ui, const Strip& strip, float left) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  float right = strip.x1;
  if (const float badge = stale_badge(ui, right, strip.centre, right - left - ui.px(64)); badge > 0)
    right -= badge + ui.px(10);
  const trace::Site* site = ui.session.place.site();
  if (site == nullptr) return;
  const std::string line = site->line > 0 ? fill_in(ui.tr(Label::line_number), std::to_string(site->line)) : "";
  if (right - left > ui.look.measure(type::number, line).x)
    right -= draw_text(list, ui.look, type::number, ui.colours().dim, {right, strip.centre}, line, HAlign::right) +
             ui.px(16);
  if (right - left <= ui.px(40)) return;  // only an ellipsis would fit before the arrows
  bool cut = false;
  const std::string said[] = {site->opcode, metrics::step_label(*site)};
  const std::string& shown = longest_fitting(ui.look, type::number, said, right - left);
  const float drawn = draw_text(list, ui.look, type::number, ui.colours().dim, {right, strip.centre}, shown,
                                HAlign::right, std::max(1.0f, right - left), &cut);
  if ((cut || shown != site->opcode) && ImGui::IsMouseHoveringRect({right - drawn, strip.y0}, {right, strip.y1}))
    show_hint(ui.look, site->opcode);
}

void WarpPanel::head(const Ui& ui, const Strip& strip) {
  Session& s = ui.session;
  float x = strip.x0 + launch_choice(ui, strip.x0, strip.centre);
  if (x == strip.x0 && room_for_title(ui, strip))
    x += draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, ui.colours().dim, {strip.x0, strip.centre},
                   ui.tr(Label::warp_panel));
  if (x > strip.x0) x += ui.px(12);
  const RunResult* result = s.runs.shown();
  if (result == nullptr) return;
  Position at = s.place.position();
  const trace::Launch& launch = result->outcome.first().trace.launch;
  ImGui::SetCursorScreenPos({x, strip.centre - ui.px(13)});
  if (stepper(ui.look, "block", ui.tr(Label::block), at.block, static_cast<std::uint32_t>(launch.grid.count())))
    ui.window.afterwards([&s, block = at.block] { s.place.set_block(block); });
  x = ImGui::GetCursorScreenPos().x + ui.px(14);
  ImGui::SetCursorScreenPos({x, strip.centre - ui.px(13)});
  if (stepper(ui.look, "warp", ui.tr(Label::warp), at.warp, launch.warps_per_block()))
    ui.window.afterwards([&s, warp = at.warp] { s.place.set_warp(warp); });
  instruction(ui, strip, ImGui::GetCursorScreenPos().x + ui.px(14));
}

void WarpPanel::tabs(const Ui& ui) {
  Session& s = ui.session;
  const RunResult* result = s.runs.shown();
  std::vector<TabItem> tabs;
  std::vector<WarpTab> which;
  const trace::WarpEvent* event = s.place.event();
  bool any = false;
  const WarpTab shown = event != nullptr ? effective_tab(ui.window.warp_tab, *result, *event, any) : WarpTab::count_;
  int selected = -1;
  for (int i = 0; i < static_cast<int>(WarpTab::count_); ++i) {
    const auto tab = static_cast<WarpTab>(i);
    if (result == nullptr ? tab >= WarpTab::phases : !tab_listed(tab, *result)) continue;
    if (any && tab == shown && !s.replays.open) selected = static_cast<int>(tabs.size());
    const bool applies = event != nullptr && tab_applies(tab, *result, *event);
    tabs.push_back({code_of(tab), event == nullptr ? ui.tr(tab_label(tab)) : tab_title(ui, tab, *event), applies,
                    ui.tr(Label::tab_does_not_apply)});
    which.push_back(tab);
  }
  const int values = static_cast<int>(tabs.size()), memory = values + 1;
  const bool there = event != nullptr && !covers(ui).picture;
  tabs.push_back({"values", ui.tr(Label::tab_values), there, ui.tr(Label::no_events_kept)});
  tabs.push_back({"memory", ui.tr(Label::tab_memory), there, ui.tr(Label::no_events_kept)});
  if (s.replays.open) selected = s.memory.open ? memory : values;
  const int chosen = tab_strip(ui.look, "views", tabs, selected, 40);
  if (chosen == selected || chosen < 0) return;
  s.replays.open = chosen >= values;
  s.memory.open = chosen == memory;
  if (any && chosen < values) ui.window.warp_tab = which[static_cast<std::size_t>(chosen)];
}

void WarpPanel::draw(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "warp", rect);
  Session& s = ui.session;
  const Strip strip = panel_strip(ui.look);
  head(ui, strip);
  const RunResult* result = s.runs.shown();  // of the launch that may just have been chosen
  const float tabs_height = ui.px(42);
  const PanelRect body{rect.x, strip.y1, rect.width, rect.y + rect.height - strip.y1 - tabs_height};
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (covers(ui).picture) {
    draw_cover(ui, "covered picture", body, ui.tr(Label::cover_why));
  } else if (result != nullptr && s.place.event() != nullptr) {
    if (s.replays.open)
      values_.draw(ui, body);
    else
      picture(ui, body);
  } else {
    ImGui::SetCursorScreenPos({strip.x0, body.y + ui.px(16)});
    const std::string why = result != nullptr ? ui.tr(Label::no_events_kept) : why_nothing(ui);
    paragraph(ui.look, type::small, ui.colours().dim, why, strip.x1 - strip.x0);
  }
  ImGui::PopStyleVar();
  ImGui::SetCursorScreenPos({strip.x0, rect.y + rect.height - tabs_height - ui.px(4)});
  tabs(ui);
  end_panel();
}

}  // namespace lanescope::gui
