#include "gui/compare/compare_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagram/views.h"
#include "gui/compare/compare_parts.h"
#include "gui/parts/covers.h"
#include "gui/parts/launch_choice.h"
#include "gui/parts/problems.h"
#include "gui/parts/said_first.h"
#include "gui/parts/views.h"
#include "metrics/recompute.h"
#include "metrics/steps.h"

namespace lanescope::gui {
namespace {

// As wide as the picture below it.
void heading(const Ui& ui, const diagram::Scene& scene, float width, float height, ImU32 colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string &title = scene.title, &right = scene.subtitle;
  const float y = at.y + height / 2 + ui.px(2), gap = ui.px(12);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({ImGui::GetWindowPos().x, at.y},
                      {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), at.y + ui.px(1)}, ui.colours().line);
  bool cut_right = false, cut = false;
  const float title_width = ui.look.measure(type::small_strong, title).x;
  const float used = draw_text(list, ui.look, type::small_strong, colour, {at.x + width, y}, right, HAlign::right,
                               std::max(width * 0.6f, width - title_width - gap), &cut_right);
  draw_text(list, ui.look, type::small_strong, ui.colours().dim, {at.x, y}, title, HAlign::left, width - used - gap,
            &cut);
  ImGui::Dummy({width, height});
  if (cut || cut_right) hint(ui.look, right, title);
}

std::size_t moved(std::size_t from, std::ptrdiff_t delta, std::size_t count) {
  const auto last = static_cast<std::ptrdiff_t>(count) - 1;
  return static_cast<std::size_t>(std::clamp(static_cast<std::ptrdiff_t>(from) + delta, std::ptrdiff_t{0}, last));
}

}  // namespace

const std::vector<JointStep>& CompareView::steps() const {
  static const std::vector<JointStep> none;
  return made_ == nullptr ? none : made_->steps;
}

std::optional<std::size_t> CompareView::parting() const {
  return in_work_ == nullptr ? std::nullopt : in_work_->parting;
}

void CompareView::step_by(std::ptrdiff_t delta) {
  if (!steps().empty()) go_to(moved(step_, delta, steps().size()));
}

void CompareView::go_to(std::size_t step) {
  step_ = steps().empty() ? 0 : std::min(step, steps().size() - 1);
  now_ = {};
  if (!steps().empty()) {
    now_ = steps()[step_];
    pair_accesses(made_->walk(true), made_->walk(false), now_);
    before_ = {now_.name, now_.number, now_.count, {}, {}, {}, 0};
  }
  access_ = now_.telling;
  a_.alone.reset(), b_.alone.reset();
}

void CompareView::access_by(std::ptrdiff_t delta) {
  if (steps().empty()) return;
  access_ = moved(access_, delta, now_.accesses.size());
  a_.alone.reset(), b_.alone.reset();
}

std::span<const trace::WarpEvent> CompareView::events(const Side& side) const {
  return side.result == nullptr ? std::span<const trace::WarpEvent>()
                                : side.result->outcome.first().trace.warp(side.block, side.warp);
}

const ComparedSide& CompareView::made(const Side& side) const {
  return &side == &a_ ? made_->a : made_->b;
}

void CompareView::step_alone(bool a, std::ptrdiff_t delta) {
  Side& side = a ? a_ : b_;
  const auto all = events(side);
  // From a step that it has not, to what it did before or does next.
  const std::optional<std::size_t> now = event(a);
  auto at = static_cast<std::ptrdiff_t>(now.value_or(0));
  const std::ptrdiff_t way = delta < 0 ? -1 : 1;
  for (at += now ? way : 0; at >= 0 && at < static_cast<std::ptrdiff_t>(all.size()); at += way)
    if (is_access(all[static_cast<std::size_t>(at)])) {
      side.alone = static_cast<std::size_t>(at);
      return;
    }
}

// Where this side has no partner for the other's access, it stays at the one before.
std::optional<std::size_t> CompareView::event(bool of_a) const {
  const Side& side = of_a ? a_ : b_;
  if (side.result == nullptr || steps().empty()) return std::nullopt;
  if (side.alone) return side.alone;
  const auto& accesses = now_.accesses;
  const auto own = [&](std::size_t i) { return of_a ? accesses[i].a : accesses[i].b; };
  for (std::size_t i = access_ + 1; i-- > 0;)
    if (own(i)) return own(i);
  for (std::size_t i = access_; i < accesses.size(); ++i)
    if (own(i)) return own(i);
  return std::nullopt;
}

const PhasePass* CompareView::pass_of(const Side& side, std::size_t event) const {
  const std::vector<PhasePass>& passes = made(side).passes;
  const auto after = std::ranges::upper_bound(passes, event, {}, &PhasePass::first);
  if (after == passes.begin() || (after - 1)->last < event) return nullptr;
  return &*(after - 1);
}

const BlockWork& CompareView::work_of(Side& side, std::size_t pass) {
  constexpr std::size_t most_kept = 10'000;
  if (side.work.size() > most_kept) side.work.clear();
  const auto [at, is_new] = side.work.try_emplace(pass);
  if (is_new) {
    const Teller& teller = made(side).tellers[pass];
    at->second =
        block_work(made(side).block_steps.across(side.result->outcome.first().trace, teller.warp, teller.event));
  }
  return at->second;
}

bool CompareView::several_launches() const {
  return a_.launch_count() > 1 || b_.launch_count() > 1;
}

Position CompareView::place(const Session& s) const {
  Position at = s.place.position();
  if (chosen_ && chosen_->session.block == at.block && chosen_->session.warp == at.warp)
    at.block = chosen_->block, at.warp = chosen_->warp;
  return at;
}

void CompareView::go_to_warp(Session& s, std::uint32_t block, std::uint32_t warp) {
  s.place.set_block(block);
  s.place.set_warp(warp);
  chosen_ = {s.place.position(), block, warp};
}

// A launch of fewer blocks or warps shows its last ones.
void CompareView::look_at(const Session& s, Side& side, bool is_a) {
  side.variant = is_a ? s.selection.variant_index() : *s.selection.compared();
  side.launch = is_a ? s.runs.launch(side.variant) : s.runs.compared_launch();
  side.whole = is_a ? s.runs.keep(side.variant) : s.runs.compared_run();
  side.result = side.whole == nullptr ? nullptr : side.whole->of_launch(side.launch);
  side.stale = is_a ? s.runs.stale(side.variant) : s.runs.compared_stale();
  side.problems = is_a ? &s.runs.problems(side.variant) : &s.runs.compared_problems();
  if (side.result == nullptr) return;
  const trace::Launch& launch = side.result->outcome.first().trace.launch;
  const Position at = place(s);
  const auto blocks = std::max<std::uint64_t>(launch.grid.count(), 1);
  side.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(at.block, blocks - 1));
  side.warp = std::min(at.warp, std::max(1u, launch.warps_per_block()) - 1);
}

// Short warps are compared at once, so that nothing flickers.
void CompareView::begin(Session& s) {
  constexpr std::size_t events_at_once = 16'384;
  made_.reset();
  in_work_ = std::make_shared<InWork>();
  for (Side* side : {&a_, &b_}) {
    side->work.clear(), side->alone.reset(), side->shown.reset();
    side->so_far.clear(), side->last_sum = {};
    side->of_launch.clear(), side->of_all.clear();
    if (side->result == nullptr) continue;
    side->of_launch = side->result->numbers;
    side->of_all = metrics::report(side->whole->outcome.all_totals(), side->result->outcome.first().trace.origin);
  }
  const auto compared = [](const Side& own, const Side& other) {
    const Side& of = own.result != nullptr ? own : other;
    return ComparedWarp{of.whole, of.result, of.block, of.warp, own.result != nullptr};
  };
  const ComparedWarp a = compared(a_, b_), b = compared(b_, a_);
  if (a.events_of_block() + b.events_of_block() <= events_at_once) {
    in_work_->made = std::make_shared<Comparison>(a, b);
    in_work_->parting = in_work_->made->parting();
    in_work_->searched = true;
    return;
  }
  s.off_frame("comparison", [a, b, into = in_work_](sim::Progress& progress, const Worker::Send& send) {
    const auto stop = [&progress] { return progress.cancel.load(); };
    const auto made = std::make_shared<const Comparison>(a, b, stop);
    if (!stop()) send([made, into] { into->made = made; });
    const std::optional<std::size_t> parting = made->parting(stop);
    return [parting, into] { into->parting = parting, into->searched = true; };
  });
}

void CompareView::update(const Ui& ui) {
  Session& s = ui.session;
  look_at(s, a_, true);
  look_at(s, b_, false);
  const auto serial_of = [](const Side& side) { return side.result == nullptr ? 0 : side.result->serial; };
  const Position at = place(s);
  const Made wanted{serial_of(a_), serial_of(b_), at.block, at.warp};
  // A side alone is shown where nothing will come beside it.
  const bool none = a_.result == nullptr && b_.result == nullptr;
  if (none || (wanted != wanted_ && !both() && !s.runs.idle())) {
    made_.reset(), in_work_.reset();
    wanted_ = {}, before_ = {};
    for (Side* side : {&a_, &b_}) side->shown.reset();
    return;
  }
  if (wanted != wanted_) {
    if ((wanted_.a == 0) != (wanted.a == 0) || (wanted_.b == 0) != (wanted.b == 0)) before_ = {};
    wanted_ = wanted;
    begin(s);
  }
  if (made_ == nullptr && in_work_->made != nullptr) {
    made_ = in_work_->made;
    // The place is kept by its name where the new runs have it.
    const auto same = std::ranges::find_if(made_->steps, [&](const JointStep& step) {
      return step.name == before_.name && step.number == before_.number;
    });
    const bool had_steps = before_.count > 0 && same != made_->steps.end();
    go_to(had_steps ? static_cast<std::size_t>(same - made_->steps.begin()) : in_work_->parting.value_or(0));
    summed_step_.reset();
  }
  if (made_ != nullptr && summed_step_ != step_) sum_up();
}

// Where a variant has no pass of this step, its sum stands still at the pass before.
void CompareView::sum_up() {
  summed_step_ = step_;
  for (Side* side : {&a_, &b_}) {
    if (side->result == nullptr) continue;
    const trace::Trace& trace = side->result->outcome.first().trace;
    const std::vector<std::size_t>& steps = made(*side).step_of_pass;
    const auto reached = static_cast<std::size_t>(std::ranges::upper_bound(steps, step_) - steps.begin());  // passes
    const trace::Totals totals =
        reached == 0 ? trace::Totals{} : made(*side).sums.up_to(trace, reached - 1, side->last_sum);
    if (side->so_far.empty())
      side->so_far = metrics::report(totals, trace.origin);
    else
      metrics::report_again(side->so_far, totals);
  }
}

// "halving 2 of 8 · ld.shared ◂ ▸": the step and the access of it that this side shows, and the way to its others.
void CompareView::access_of(const Ui& ui, const Side& side, bool is_a, const Strip& strip, float left, float right) {
  const std::optional<std::size_t> at = event(is_a);
  if (!at || right - left < ui.px(100)) return;
  struct Control {
    const char* id;
    Icon icon;
    Label what;
    std::ptrdiff_t delta;
  };
  const Control controls[] = {{"next", Icon::next, Label::alone_next, 1},
                              {"previous", Icon::previous, Label::alone_previous, -1}};
  const auto all = events(side);
  ImGui::PushID(is_a ? "a alone" : "b alone");
  for (const Control& c : controls) {
    right -= ui.px(24);
    ImGui::SetCursorScreenPos({right, strip.centre - ui.px(12)});
    const std::optional<std::size_t>& farthest = c.delta > 0 ? made(side).last_access : made(side).first_access;
    const bool more = farthest && (c.delta > 0 ? *farthest > *at : *farthest < *at);
    if (icon_button(ui.look, c.id, c.icon, fill_in(ui.tr(c.what), is_a ? "A" : "B", is_a ? "Shift" : "Alt"), more, 24))
      ui.window.afterwards([this, is_a, delta = c.delta] { step_alone(is_a, delta); });
  }
  ImGui::PopID();
  right -= ui.px(8);
  const std::string access = metrics::step_label(side.result->outcome.first().trace.sites[all[*at].site]);
  std::vector<std::string> names{access};
  if (const PhasePass* of = pass_of(side, *at)) {
    names.insert(names.begin(), {pass_name(ui, of->name, of->number, of->count) + " · " + access,
                                 phase_name(ui, of->name) + " " + std::to_string(of->number) + " · " + access});
    if (of->count == 1) names.erase(names.begin() + 1);
  }
  bool cut = false;
  const float used =
      draw_text(ImGui::GetWindowDrawList(), ui.look, type::small, side.alone ? ui.colours().text : ui.colours().dim,
                {right, strip.centre}, longest_fitting(ui.look, type::small, names, right - left), HAlign::right,
                right - left, &cut);
  if (ImGui::IsMouseHoveringRect({right - used, strip.y0}, {right, strip.y1})) show_hint(ui.look, names.front());
}

void CompareView::side(const Ui& ui, Side& side, bool is_a, const PanelRect& rect) {
  begin_panel(ui.look, is_a ? "side a" : "side b", rect);
  Session& s = ui.session;
  side.hover.begin_frame();
  const Strip strip = panel_strip(ui.look);
  const float left = strip_of(ui, side, is_a, strip);
  const bool has_step = step_ < steps().size();
  float right = strip.x1;
  if (const float mark = stale_badge(ui, right, strip.centre, side.result, side.stale, *side.problems); mark > 0)
    right -= mark + ui.px(10);
  access_of(ui, side, is_a, strip, left, right);

  // Both sides give the room, so that their pictures stay beside each other.
  const auto wrong_of = [](const Side& one) { return wrong_result(one.whole.get(), one.stale); };
  const job::WrongResult* wrong = wrong_of(side);
  const bool either = wrong_of(a_) != nullptr || wrong_of(b_) != nullptr;
  const float wrong_height = either ? ui.px(30) : 0;
  if (wrong != nullptr)
    draw_wrong_result(ui, *wrong, type::small_medium, strip.x0, strip.x1, strip.y1 + wrong_height / 2);
  const PanelRect below{rect.x, strip.y1 + wrong_height, rect.width - ui.px(1),
                        rect.y + rect.height - strip.y1 - wrong_height - ui.px(2)};
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ui.window.compare_code && both()) {
    code(ui, side, is_a, below);
  } else if (side.shown) {
    body(ui, side, is_a, below);
  } else if (side.result != nullptr && has_step) {
    absent(ui, side, is_a, below);
  } else {
    ImGui::SetCursorScreenPos({strip.x0, below.y + ui.px(14)});
    if (const Diagnostics& problems = *side.problems; problems.empty()) {
      const Label why = s.selection.lesson().variants[side.variant].gpu_only ? Label::gpu_only
                        : s.runs.running().busy                              ? Label::running
                        : in_work_ != nullptr && made_ == nullptr            ? Label::compare_pairing
                                                                             : Label::no_run_yet;
      paragraph(ui.look, type::small, ui.colours().dim, why == Label::running ? running_text(ui) : ui.tr(why),
                strip.x1 - strip.x0);
    } else {
      const ProblemTexts said = plain_texts(ui, problems.front());
      paragraph(ui.look, type::small, ui.colours().text, said.what, strip.x1 - strip.x0);
      ImGui::SetCursorScreenPos({strip.x0, ImGui::GetCursorScreenPos().y + ui.px(4)});
      paragraph(ui.look, type::caption, ui.colours().dim, said.cure, strip.x1 - strip.x0);
    }
  }
  ImGui::PopStyleVar();
  end_panel();
}

void CompareView::said(const Ui& ui, const Side& side) const {
  paragraph(ui.look, type::small_medium, ui.colours().text, side.point.empty() ? side.answer() : side.point);
  if (!side.point.empty() && !layout_.low) paragraph(ui.look, type::small, ui.colours().dim, side.answer());
}

// The code and the pictures, which scroll where they must; below them the answer, always in view.
void CompareView::body(const Ui& ui, Side& side, bool is_a, const PanelRect& rect) {
  Layout& l = layout_;
  const float alpha = side.stale ? 0.5f : 1.0f;
  const float padding = ui.px(l.low ? 7.0f : 12.0f), inner = rect.width - ui.px(32);
  const float head = ui.px(l.low ? low_head_height : head_height), gap = ui.px(gap_height);
  const trace::Trace& t = side.result->outcome.first().trace;
  const trace::WarpEvent& event = t.warp(side.block, side.warp)[side.shown->event];
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(l.low ? 4.0f : 8.0f)));
  ImGui::BeginChild("body", {rect.width, rect.height - l.answer},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  // In the same size on both sides.
  if (!l.as_code)
    l.as_code = std::ranges::all_of(std::initializer_list<const Side*>{&a_, &b_}, [&](const Side* one) {
      return !one->shown || fits_as_code(ui, {*one->result, events(*one)[one->shown->event], l.around}, rect.width);
    });
  draw_excerpt(ui, {*side.result, event, l.around}, *l.as_code ? type::code : type::number, l.row, alpha);
  ImGui::Dummy({0, gap});
  heading(ui, side.block_picture.scene(), inner, head, ui.colours().text);
  if (l.blocks) side.block_picture.show(ui, is_a ? "block a" : "block b", side.hover, l.zoom, alpha);
  ImGui::Dummy({0, gap});
  if (side.has_access) {
    heading(ui, side.access_scene, inner, head, ui.colours().dim);
    side.access_view.show(side.access_scene, ui.look, is_a ? "access a" : "access b", side.hover, ui.motion(), l.zoom,
                          alpha);
    ImGui::Dummy({0, gap});
  }
  ImGui::EndChild();
  ImGui::SetCursorScreenPos({rect.x, rect.y + rect.height - l.answer});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), 0));
  ImGui::BeginChild("said", {rect.width, l.answer},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  begin_card(ui.look, "answer", ui.colours().raised, padding);
  said(ui, side);
  end_card(ui.look);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ui.window.moving |= side.block_picture.moving() || side.access_view.moving();
}

void CompareView::draw(const Ui& ui, const PanelRect& rect) {
  update(ui);
  if (covers(ui, a_.variant).results() || covers(ui, b_.variant).results())
    return draw_cover(ui, "covered comparison", rect, ui.tr(Label::cover_why_elsewhere));
  const float gap = rect.width < ui.px(1200) ? ui.px(8) : ui.px(16);
  const float bottom_height =
      std::clamp(std::round(rect.height * 0.25f), ui.px(160), std::max(ui.px(260), std::round(rect.height * 0.2f)));
  const float upper = rect.height - 3 * gap - bottom_height;
  const float half = std::round((rect.width - 3 * gap) / 2);
  const float totals_width =
      std::clamp(std::round(rect.width * 0.34f), ui.px(370), std::max(ui.px(520), std::round(rect.width * 0.2f)));
  const float y1 = rect.y + 2 * gap + upper;
  const float other_half = rect.width - 3 * gap - half;
  lay_out(ui, std::min(half, other_half) - ui.px(1), upper - ui.px(42) - ui.px(2));
  side(ui, a_, true, {rect.x + gap, rect.y + gap, half, upper});
  side(ui, b_, false, {rect.x + 2 * gap + half, rect.y + gap, other_half, upper});
  together(ui, {rect.x + gap, y1, rect.width - 3 * gap - totals_width, bottom_height});
  totals(ui, {rect.x + rect.width - gap - totals_width, y1, totals_width, bottom_height});
}

}  // namespace lanescope::gui
