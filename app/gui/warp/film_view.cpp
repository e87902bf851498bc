#include "gui/warp/film_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/parts/covers.h"
#include "gui/warp/fault_mark.h"
#include "gui/warp/values_rows.h"
#include "imgui_internal.h"
#include "lesson/lesson.h"

namespace lanescope::gui {
namespace {

constexpr double zoom_step = 1.25;   // per notch of the wheel
constexpr double scroll_step = 0.1;  // of the visible part, per notch of the wheel
constexpr float film_drag = 4;       // px; a press that moves further is a drag, not a click
constexpr float pinned_row = 20;     // px

}  // namespace

// `at`: the position that stays fixed, from 0 (left) to 1 (right).
void FilmView::zoom(double factor, double at, std::size_t steps, std::size_t selected) {
  if (count_ == 0) first_ = static_cast<double>(part_.first), count_ = static_cast<double>(part_.count);
  const double fixed = first_ + at * count_;
  const auto all = static_cast<double>(steps);
  count_ = std::clamp(count_ / factor, 4.0, all);
  first_ = std::clamp(fixed - at * count_, 0.0, all - count_);
  // The default part is not stored as the learner's choice.
  if (steps <= fit_ && count_ >= all) count_ = 0;
  selected_before_ = selected;  // zooming away from the step on screen must not jump back to it
}

void FilmView::scroll(double by, std::size_t steps) {
  if (count_ == 0) first_ = static_cast<double>(part_.first), count_ = static_cast<double>(part_.count);
  first_ = std::clamp(first_ + by, 0.0, static_cast<double>(steps) - count_);
}

void FilmView::take_wishes(const Ui& ui, std::size_t steps, std::size_t selected) {
  auto& asked = ui.window.film;
  const auto at_step = [&] {  // keys zoom around the step on screen if it is visible
    const double at = (static_cast<double>(selected) + 0.5 - static_cast<double>(part_.first)) /
                      std::max(1.0, static_cast<double>(part_.count));
    return at >= 0 && at <= 1 ? at : 0.5;
  };
  if (asked.whole) first_ = 0, count_ = steps <= fit_ ? 0 : static_cast<double>(steps), selected_before_ = selected;
  if (asked.zoom != 0) zoom(std::pow(1.6, asked.zoom), at_step(), steps, selected);
  if (asked.scroll != 0) scroll(asked.scroll * static_cast<double>(part_.count) / 2, steps);
  asked = {};
}

void FilmView::choose_part(const Ui& ui, std::size_t steps, float width) {
  const std::size_t selected = ui.session.place.position().step;
  fit_ = diagram::film_part(steps, selected, width, {}).count;
  if (steps != steps_before_) count_ = 0, selected_before_ = selected, part_ = {};
  if (part_.count == 0) part_ = diagram::film_part(steps, selected, width, {});
  steps_before_ = steps;
  take_wishes(ui, steps, selected);
  // Makes a step visible after a jump to it.
  if (selected != selected_before_ && count_ > 0) {
    const auto at = static_cast<double>(selected);
    if (at < first_ || at + 1 > first_ + count_)
      first_ = std::clamp(at - count_ / 2, 0.0, static_cast<double>(steps) - count_);
  }
  selected_before_ = selected;
  diagram::FilmPart asked;
  asked.steps = ui.session.summaries.steps();
  if (count_ > 0) {
    asked.first = static_cast<std::size_t>(std::lround(first_));
    asked.count = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(first_ + count_)) - asked.first);
  }
  part_ = diagram::film_part(steps, selected, width, asked);
  shows_all_ = part_.count == steps && steps <= fit_;
}

diagram::FilmPart FilmView::part(const Ui& ui, float width) const {
  const Session& s = ui.session;
  const Position at = s.place.position();
  const metrics::StepPyramid* steps = ui.session.summaries.steps();
  const bool summarised = part_.steps != nullptr;
  if (shown_.result == s.runs.shown()->serial && shown_.block == at.block && shown_.warp == at.warp &&
      (!summarised || steps != nullptr)) {
    diagram::FilmPart part = part_;
    part.steps = summarised ? steps : nullptr;  // the summaries may have been made again since
    return part;
  }
  diagram::FilmPart first;
  first.steps = steps;
  return diagram::film_part(s.place.step_count(), at.step, width, first);
}

// Wheel and drag over the last painted picture.
void FilmView::pointer(const Ui& ui, ImVec2 origin, float width, std::size_t steps) {
  const ImGuiIO& io = ImGui::GetIO();
  const std::size_t selected = ui.session.place.position().step;
  const auto at = std::clamp(static_cast<double>((io.MousePos.x - origin.x) / width), 0.0, 1.0);
  if (ImGui::IsItemHovered()) {
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelX);
    const double along = io.MouseWheelH != 0 ? -io.MouseWheelH : io.KeyShift ? -io.MouseWheel : 0;
    if (along != 0)
      scroll(along * scroll_step * static_cast<double>(part_.count), steps);
    else if (io.MouseWheel != 0)
      zoom(std::pow(zoom_step, static_cast<double>(io.MouseWheel)), at, steps, selected);
  }
  if (ImGui::IsItemActivated()) dragged_ = false;
  if (!ImGui::IsItemActive() || part_.count == steps) return;
  if (std::abs(ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).x) > ui.px(film_drag)) dragged_ = true;
  if (dragged_ && io.MouseDelta.x != 0)
    scroll(-static_cast<double>(io.MouseDelta.x / width) * static_cast<double>(part_.count), steps);
}

std::optional<std::size_t> FilmView::pinned(const Session& s) const {
  if (!pinned_ || s.runs.shown() == nullptr || pinned_->result != s.runs.shown()->serial) return std::nullopt;
  const Position at = s.place.position();
  if (pinned_->block != at.block || pinned_->warp != at.warp) return std::nullopt;
  return pinned_->step;
}

bool FilmView::unpin() {
  return std::exchange(pinned_, std::nullopt).has_value();
}

void FilmView::link_line(const Ui& ui, std::size_t step) const {
  const RunResult& shown = *ui.session.runs.shown();
  const trace::Trace& trace = shown.outcome.first().trace;
  const Position at = ui.session.place.position();
  const trace::Site& site = trace.sites[trace.warp(at.block, at.warp)[step].site];
  if (site.file == shown.outcome.request.source.name) ui.window.linked_line.next = site.line;
}

// In a column of many steps, the step under the pointer.
void FilmView::clicked(const Ui& ui, std::size_t tag, ImVec2 origin, float width) {
  auto step = static_cast<std::size_t>(scene_.tags[tag].step);
  if (part_.count * static_cast<std::size_t>(diagram::least_film_column) > static_cast<std::size_t>(scene_.width))
    step = std::max(step, part_.first + static_cast<std::size_t>((ImGui::GetIO().MousePos.x - origin.x) / width *
                                                                 static_cast<float>(part_.count)));
  ui.session.place.set_step(step);
  const Position at = ui.session.place.position();
  pinned_ = Pinned{ui.session.runs.shown()->serial, at.block, at.warp, at.step};
}

// A frame around the column, and a point above it.
void FilmView::mark_pin(const Ui& ui, ImVec2 origin) const {
  const std::optional<std::size_t> step = pinned(ui.session);
  if (!step || *step < part_.first || *step >= part_.first + part_.count) return;
  const float k = ui.look.scale();
  const diagram::Rect* column = nullptr;  // the last that begins no later
  for (const diagram::Rect& rect : scene_.rects)
    if (rect.tag != 0 && scene_.tags[rect.tag - 1].step >= 0 &&
        static_cast<std::size_t>(scene_.tags[rect.tag - 1].step) <= *step &&
        (column == nullptr || scene_.tags[rect.tag - 1].step > scene_.tags[column->tag - 1].step))
      column = &rect;
  if (column == nullptr) return;
  const ImVec2 a{origin.x + column->x * k, origin.y + column->y * k};
  const ImVec2 b{a.x + std::max(column->width * k, ui.px(3)), a.y + column->height * k};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float middle = (a.x + b.x) / 2, half = ui.px(4);
  list->AddRect(a, b, ui.colours().accent, ui.px(3), std::max(1.0f, ui.px(1.5f)));
  list->AddTriangleFilled({middle - half, a.y}, {middle + half, a.y}, {middle, a.y + half * 1.4f}, ui.colours().accent);
}

// What the pinned step is; a click goes back to it.
void FilmView::pin_row(const Ui& ui, ImVec2 at, float width) {
  const std::size_t step = *pinned(ui.session);
  const Palette& p = ui.colours();
  const trace::Trace& trace = ui.session.runs.shown()->outcome.first().trace;
  const Position here = ui.session.place.position();
  const trace::WarpEvent& event = trace.warp(here.block, here.warp)[step];
  const trace::Site& site = trace.sites[event.site];
  const std::string text = step_name(ui, {here.block, here.warp, static_cast<std::uint32_t>(step)}) + " · " +
                           site.opcode + of_line(ui, site.line) + " · " +
                           diagram::lanes(trace, event, event.active, ui.picture(400)).subtitle;
  const float height = ui.px(pinned_row), close = ui.px(20), y = at.y + height / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, p.accent_soft, ui.px(4));
  list->AddRectFilled(at, {at.x + ui.px(3), at.y + height}, p.accent, ui.px(2));
  bool cut = false;
  draw_text(list, ui.look, type::number, p.text, {at.x + ui.px(10), y}, text, HAlign::left, width - close - ui.px(16),
            &cut);
  ImGui::SetCursorScreenPos(at);
  if (pressable("pinned step", {width - close, height})) ui.session.place.set_step(step);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  hint(ui.look, ui.tr(Label::values_go), cut ? text : "");
  ImGui::SetCursorScreenPos({at.x + width - close, y - close / 2});
  if (icon_button(ui.look, "unpin step", Icon::close, ui.tr(Label::pin_close), true, 20)) unpin();
}

namespace {

bool anything_pressed() {
  for (int button = 0; button < ImGuiMouseButton_COUNT; ++button)
    if (ImGui::IsMouseClicked(button)) return true;
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key)
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), ImGuiInputFlags_None, ImGuiKeyOwner_Any)) return true;
  return false;
}

}  // namespace

// The answer to a search that found nothing, over the film, until something else is done.
void FilmView::said(const Ui& ui, ImVec2 origin, float width) {
  Summaries& summaries = ui.session.summaries;
  const bool is_new = std::exchange(said_number_, summaries.said_number()) != summaries.said_number();
  if (!is_new && !summaries.said().empty() && anything_pressed()) summaries.forget_said();
  const std::string text = ui.told(summaries.said());
  if (text.empty()) return;
  const float wide = std::min(ui.look.measure(type::caption_strong, text).x + ui.px(20), width);
  const ImVec2 a{origin.x + width - wide, origin.y + ui.px(4)}, b{origin.x + width, a.y + ui.px(22)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(a, b, ui.colours().raised, ui.px(11));
  list->AddRect(a, b, ui.colours().line, ui.px(11), std::max(1.0f, ui.px(1)));
  draw_text(list, ui.look, type::caption_strong, ui.colours().text, {a.x + ui.px(10), (a.y + b.y) / 2}, text,
            HAlign::left, wide - ui.px(20));
}

void FilmView::draw(const Ui& ui, const PanelRect& rect) {
  Session& s = ui.session;
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(10)));
  ImGui::BeginChild("film", {rect.width, rect.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  hover_.begin_frame();
  const float k = ui.look.scale();
  // Rows get whole pixels so that they look alike; the picture reserves 26 for labels and margins.
  const float labels = 26 * k, pin_height = pinned(s) ? ui.px(pinned_row + 2) : 0;
  const float tallest = (rect.height > ui.px(400) ? 20.0f : 6.0f) * k;
  const float row = std::clamp(std::floor((rect.height - ui.px(20) - labels - pin_height) / 32), 2.0f, tallest);
  diagram::Options options = ui.picture((rect.width - ui.px(32)) / k, (32 * row + labels) / k);
  options.tips = false;
  const std::size_t steps = s.place.step_count();
  choose_part(ui, steps, options.width);
  const Position at = s.place.position();
  const Shown wanted{s.runs.shown()->serial,
                     at.block,
                     at.warp,
                     at.step,
                     part_.first,
                     part_.count,
                     options.width,
                     options.max_height,
                     options.language,
                     part_.steps != nullptr};
  if (wanted != shown_) {
    shown_ = wanted;
    phases_.clear();
    if (part_.steps != nullptr)
      for (const std::string& name : s.summaries.phases())
        phases_.push_back(lesson::phase_title(s.selection.lesson().phases, name, code_of(options.language)));
    part_.phases = phases_;
    scene_ = diagram::film(s.runs.shown()->outcome.first().trace, at.block, at.warp, at.step, options, part_);
  }
  part_.phases = phases_;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const int tag = film_.show(scene_, ui.look, "masks", hover_, false, 1, picture_alpha(ui), [&](std::size_t column) {
    return diagram::film_tip(s.runs.shown()->outcome.first().trace, at.block, at.warp, at.step, options, part_, column);
  });
  const float width = scene_.width * k;
  pointer(ui, origin, width, steps);
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool by_keys = ImGui::IsItemFocused() && g.NavCursorVisible;
  if (by_keys && g.NavActivateId == ImGui::GetItemID())
    pinned_ = Pinned{s.runs.shown()->serial, at.block, at.warp, at.step};
  const int under =
      ImGui::IsItemHovered() && !by_keys ? tag_at(scene_, ui.look, origin, 1, ImGui::GetIO().MousePos) : -1;
  if (under >= 0 && scene_.tags[static_cast<std::size_t>(under)].step >= 0)
    link_line(ui, static_cast<std::size_t>(scene_.tags[static_cast<std::size_t>(under)].step));
  else if (const auto step = pinned(s))
    link_line(ui, *step);
  if (tag >= 0 && !dragged_ && scene_.tags[static_cast<std::size_t>(tag)].step >= 0)
    clicked(ui, static_cast<std::size_t>(tag), origin, width);
  mark_faulty_column(ui, scene_, origin);
  mark_pin(ui, origin);
  if (pin_height > 0 && pinned(s)) pin_row(ui, {origin.x, rect.y + rect.height - ui.px(pinned_row + 10)}, width);
  said(ui, origin, width);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void FilmView::remember_map(const metrics::StepPyramid& all, std::size_t steps, int wanted) {
  map_.clear();
  const auto columns = std::min<std::size_t>(static_cast<std::size_t>(std::max(1, wanted)), steps);
  const std::size_t grain = metrics::StepPyramid::grain(steps / columns);
  for (std::size_t i = 0, first = 0; i < columns; ++i) {
    std::size_t last = i + 1 == columns ? steps : (i + 1) * steps / columns / grain * grain;
    last = std::max(last, first + 1);
    if (first >= steps) break;
    map_.push_back(all.of(first, std::min(last, steps)));
    first = last;
  }
}

// Above: the least and most busy lanes. Below: the cost of the costliest request beyond the ideal.
void FilmView::map(const Ui& ui, float x, float centre, float width) {
  Session& s = ui.session;
  const metrics::StepPyramid* all = s.summaries.steps();
  const std::size_t steps = s.place.step_count();
  const Position at = s.place.position();
  const float height = ui.px(26), y0 = centre - height / 2, y1 = centre + height / 2;
  ImGui::SetCursorScreenPos({x, y0});
  ImGui::InvisibleButton("scrub", {width, height});
  const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (ImGui::IsItemActive()) {
    const float t = std::clamp((ImGui::GetIO().MousePos.x - x) / width, 0.0f, 1.0f);
    const auto step = static_cast<std::size_t>(static_cast<double>(t) * static_cast<double>(steps - 1));
    if (step != at.step) s.place.set_step(step);
  }
  if (ImGui::IsItemHovered()) {
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0)
      scroll(-static_cast<double>(wheel) * scroll_step * static_cast<double>(part_.count), steps);
  }
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({x, y0}, {x + width, y1}, p.raised, ui.px(4));
  const auto x_of = [&](double step) { return x + width * static_cast<float>(step / static_cast<double>(steps)); };
  if (all != nullptr) {
    const Mapped wanted{s.runs.shown()->serial, at.block, at.warp, static_cast<int>(width / std::max(1.0f, ui.px(2)))};
    if (wanted != mapped_) {
      mapped_ = wanted;
      remember_map(*all, steps, wanted.columns);
    }
    std::uint32_t worst = 1;
    for (const metrics::StepSummary& of : map_) worst = std::max(worst, of.worst());
    const float column = width / static_cast<float>(map_.size()), split = y0 + height * 0.6f;
    const auto busy = ui.look.role(Role::executed);
    kept_map_.draw(
        list,
        {static_cast<double>(mapped_.result), static_cast<double>(at.block), static_cast<double>(at.warp), x, width, y0,
         y1, static_cast<double>(map_.size()), static_cast<double>(busy), static_cast<double>(p.text),
         static_cast<double>(p.conflict), static_cast<double>(p.wasted), ui.px(2)},
        [&] {
          for (std::size_t i = 0; i < map_.size(); ++i) {
            const metrics::StepSummary& of = map_[i];
            const float a = x + column * static_cast<float>(i), b = a + column;
            const float full = split - y0 - ui.px(2);
            list->AddRectFilled({a, split - full * static_cast<float>(of.most) / MemoryModel::lanes}, {b, split},
                                with_alpha(busy, 0.35f));
            list->AddRectFilled({a, split - full * static_cast<float>(of.fewest) / MemoryModel::lanes}, {b, split},
                                with_alpha(busy, 0.5f));
            if (of.divergent) list->AddRectFilled({a, y0}, {b, y0 + ui.px(2)}, p.text);
            if (of.worst() > 0)
              list->AddRectFilled({a, y1 - (y1 - split) * static_cast<float>(of.worst()) / static_cast<float>(worst)},
                                  {b, y1}, of.conflicts > of.sectors ? p.conflict : p.wasted);
          }
        });
  }
  if (part_.count > 0 && part_.count < steps) {
    const float a = x_of(static_cast<double>(part_.first));
    const float b = std::max(a + ui.px(3), x_of(static_cast<double>(part_.first + part_.count)));
    list->AddRectFilled({a, y0}, {b, y1}, with_alpha(p.accent, 0.14f), ui.px(3));
    list->AddRect({a, y0}, {b, y1}, with_alpha(p.accent, hovered ? 1.0f : 0.7f), ui.px(3), std::max(1.0f, ui.px(1)));
  }
  if (const auto step = pinned(s)) {
    const float there = std::clamp(x_of(static_cast<double>(*step) + 0.5), x + ui.px(4), x + width - ui.px(4));
    list->AddTriangleFilled({there - ui.px(4), y0}, {there + ui.px(4), y0}, {there, y0 + ui.px(6)}, p.accent);
  }
  const float here = std::clamp(x_of(static_cast<double>(at.step) + 0.5), x + 1, x + width - 1);
  list->AddRectFilled({here - ui.px(1), y0 - ui.px(2)}, {here + ui.px(1), y1 + ui.px(2)}, p.text);
  if (ImGui::IsItemHovered()) show_hint(ui.look, ui.tr(Label::film_map_hint), ui.tr(Label::film_map));
}

}  // namespace lanescope::gui
