// Where the comparing view puts code, block and access, and how large it makes their pictures.

#include <algorithm>

#include "diagram/views.h"
#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"
#include "gui/parts/views.h"

namespace lanescope::gui {

std::optional<CompareView::Side::Shown> CompareView::wanted_of(const Ui& ui, Side& side, bool is_a) {
  const std::optional<std::size_t> index = this->event(is_a);
  if (!index) return std::nullopt;
  const PhasePass* pass = pass_of(side, *index);
  const Teller teller = pass != nullptr && pass->telling == *index
                            ? made(side).tellers[static_cast<std::size_t>(pass - made(side).passes.data())]
                            : Teller{side.warp, *index};
  const trace::WarpEvent& event = events(side)[*index];
  const WarpTab tab = effective_tab(ui.window.warp_tab, *side.result, event, side.has_access);
  const job::ShuffleValues* values =
      ui.session.details.shuffle_values(is_a ? "values a" : "values b", side.whole, side.launch, event);
  return Side::Shown{side.result->serial, side.block, side.warp, *index, teller, tab, values};
}

// Heights in device-independent pixels; 0 = as tall as needed.
void CompareView::make_pictures(const Ui& ui, Side& side, float block_height, float access_height) {
  if (!side.shown) return;
  const trace::Trace& t = side.result->outcome.first().trace;
  const trace::WarpEvent& event = t.warp(side.block, side.warp)[side.shown->event];
  const float width = (layout_.width - ui.px(32)) / ui.look.scale() / layout_.zoom;
  const Teller& teller = side.shown->of_block;
  side.block_picture.make(t, side.block, made(side).block_steps.across(t, teller.warp, teller.event),
                          ui.picture(width, block_height / layout_.zoom));
  side.access_scene = side.has_access ? scene_of(side.shown->tab, *side.result, event, side.shown->values,
                                                 ui.picture(width, access_height / layout_.zoom))
                                      : diagram::Scene{};
}

namespace {

// Whether the picture of a shuffle whose values are known prints them.
template <typename Side>
bool tells_values(const Side& side) {
  if (!side.shown || side.shown->tab != WarpTab::shuffle || side.shown->values == nullptr) return true;
  return std::ranges::any_of(side.access_scene.labels,
                             [&](const diagram::Label& label) { return label.text == side.shown->values->before[0]; });
}

// What the pictures made last leave of `room` for those of the access, and what these take; device-independent pixels.
struct AccessRoom {
  float left = 0, wanted = 0;
};
template <typename Layout, typename Side>
AccessRoom room_for_access(const Layout& l, const Side& a, const Side& b, float room) {
  const float head = l.low ? low_head_height : head_height;
  const float code = l.row * static_cast<float>(2 * l.around + 1) + gap_height;
  const auto most = [&](auto height) { return std::max(height(a), height(b)); };
  const float blocks = !l.blocks ? 0 : most([](const Side& s) { return s.shown ? s.block_picture.scene().height : 0; });
  const float access = most([](const Side& s) { return s.shown && s.has_access ? s.access_scene.height : 0; });
  return {room - code - head - blocks * l.zoom - gap_height - (access > 0 ? head + gap_height : 0), access * l.zoom};
}

}  // namespace

// What stays of `room` when both sides are laid out so and the access's picture is as tall as it wants, in
// device-independent pixels; < 0 = too tall. How much code there is changes no picture.
float CompareView::try_layout(const Ui& ui, float room) {
  Layout& l = layout_;
  if (l.pictures_zoom != l.zoom || l.pictures_block_height != l.block_height) {
    make_pictures(ui, a_, l.block_height, 0);
    make_pictures(ui, b_, l.block_height, 0);
    l.pictures_zoom = l.zoom, l.pictures_block_height = l.block_height;
  }
  const AccessRoom access = room_for_access(l, a_, b_, room);
  return access.left - access.wanted;
}

// Code, block and access as large as fits: first larger pictures and more code, then less code, then fewer warps of the
// block, then none but the sentence about them.
void CompareView::lay_out(const Ui& ui, float width, float height) {
  a_.shown = wanted_of(ui, a_, true), b_.shown = wanted_of(ui, b_, false);
  for (Side* side : {&a_, &b_}) side->point = of_launch(ui, side->sentence.of(ui, side->whole.get(), side->launch));
  Layout& l = layout_;
  const Language language = ui.window.settings.language;
  if (l.a == a_.shown && l.b == b_.shown && l.width == width && l.height == height && l.language == language &&
      l.point_a == a_.point && l.point_b == b_.point)
    return;
  const Layout before = l;
  const std::uint64_t of_a = a_.result == nullptr ? 0 : a_.result->serial,
                      of_b = b_.result == nullptr ? 0 : b_.result->serial;
  l = {a_.shown, b_.shown, width, height, language, a_.point, b_.point};
  l.of_a = of_a, l.of_b = of_b;
  // From step to step nothing moves that need not.
  const bool same_room = before.width == width && before.height == height && before.language == language &&
                         before.of_a == of_a && before.of_b == of_b && before.point_a == a_.point &&
                         before.point_b == b_.point;
  if (same_room) l.answer = before.answer;
  if (!a_.shown && !b_.shown) {
    if (same_room) l = before, l.a.reset(), l.b.reset();
    return;
  }
  constexpr float tall_blocks = 190, few_blocks = 62, least_access = 120;
  l.low = height < ui.px(420);
  const float inner = width - ui.px(32);
  const bool as_before = same_room && before.block_height > 0;
  if (as_before) {
    l.around = before.around, l.row = before.row, l.zoom = before.zoom, l.blocks = before.blocks;
    l.block_height = before.block_height;
  }
  if (!as_before) l.block_height = tall_blocks;
  (void)try_layout(ui, 0);  // makes the pictures, whose sentences say how tall the answer is
  for (const Side* side : {&a_, &b_})
    if (side->shown) l.answer = std::max(l.answer, answer_height(ui, *side, inner));
  const float room = (height - l.answer) / ui.look.scale() - (l.low ? 8.0f : 16.0f);
  if (as_before) {
    const AccessRoom access = room_for_access(l, a_, b_, room);
    if (access.wanted <= access.left && tells_values(a_) && tells_values(b_)) return;
    l.zoom = 1, l.blocks = true;
  }
  const auto keeps = [&](float block_height) {
    l.block_height = block_height;
    return try_layout(ui, room) >= 0 && tells_values(a_) && tells_values(b_);
  };
  for (const float zoom : {2.0f, 1.75f, 1.5f, 1.25f, 1.0f}) {
    constexpr float own_width = 600;  // at which a picture looks best
    if (zoom > 1 && inner / ui.look.scale() < own_width * zoom) continue;
    l.zoom = zoom;
    for (const int around : {5, 4, 3, 2}) {
      l.around = around, l.row = 22;
      l.block_height = tall_blocks * zoom;
      if (try_layout(ui, room) >= 0) return;
    }
  }
  const auto fits = [&](int around, float block_height, bool blocks, float smaller = 1) {
    l.around = around, l.row = l.low ? 20 : 22, l.blocks = blocks, l.zoom = smaller;
    return keeps(block_height);
  };
  for (const float blocks : {tall_blocks, 160.0f, 132.0f, 108.0f, 84.0f, few_blocks})
    if (fits(1, blocks, true)) return;
  if (fits(1, few_blocks, false)) return;
  constexpr float legible = 0.85f;
  if (fits(0, few_blocks, false) || fits(0, few_blocks, false, legible)) return;
  // The access's picture gets what is left, but no less than `least_access`.
  l.around = 1, l.zoom = 1, l.block_height = few_blocks;
  (void)try_layout(ui, room);
  l.block_height = 0;  // nothing fitted
  const AccessRoom access = room_for_access(l, a_, b_, room);
  if (access.wanted <= access.left) return;
  const float given = std::max(access.left, std::min(access.wanted, least_access));
  make_pictures(ui, a_, few_blocks, given);
  make_pictures(ui, b_, few_blocks, given);
}

// Of the card below the pictures: first the lesson's point, then what the picture says where there is room for both.
float CompareView::answer_height(const Ui& ui, const Side& side, float width) const {
  const float inner = width - ui.px(32), padding = ui.px(layout_.low ? 7.0f : 12.0f);
  const auto lines = [&](TypeStyle style, const std::string& text) { return ui.look.measure(style, text, inner).y; };
  float text = lines(type::small_medium, side.point.empty() ? side.answer() : side.point);
  if (!side.point.empty() && !layout_.low) text += lines(type::small, side.answer());
  return text + 2 * padding + ui.px(layout_.low ? 8.0f : 14.0f);
}

}  // namespace lanescope::gui
