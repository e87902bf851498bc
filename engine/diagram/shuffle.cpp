// What moves between lanes: a row of lanes before, a row after, and an arrow from each source to its destination.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "metrics/steps.h"

namespace lanescope::diagram {
namespace {

using trace::WarpEvent;

constexpr int out_of_range = -1, not_executed = -2;

struct Sources {
  std::array<int, 32> of{};  // source lane, out_of_range or not_executed
  LaneMask executed;
  LaneMask keep, reading,
      undefined;  // out of range; in range; reading a lane that does not take part
};

Sources sources_of(const trace::Trace& trace, const WarpEvent& event) {
  Sources sources;
  sources.of.fill(not_executed);
  sources.executed = event.executed;
  std::size_t at = event.side;
  event.executed.for_each([&](int lane) {
    const LaneMask self = LaneMask::lane(lane);
    const std::uint8_t source = event.affine() ? std::uint8_t{0xff} : trace.source_lanes[at++];
    if (source >= MemoryModel::lanes) {
      sources.of[lane] = out_of_range;
      sources.keep = sources.keep | self;
      return;
    }
    sources.of[lane] = source;
    if (event.executed.test(source)) {
      sources.reading = sources.reading | self;
    } else {
      sources.undefined = sources.undefined | self;
    }
  });
  return sources;
}

// ---- the sentence ----------------------------------------------------------------------------------

// The value that all lanes with a source share, or nullopt.
template <typename Of>
std::optional<int> common(const Sources& sources, Of&& of) {
  std::optional<int> result;
  bool same = true;
  (sources.reading | sources.undefined).for_each([&](int lane) {
    const int value = of(lane, sources.of[lane]);
    if (result && *result != value) same = false;
    result = value;
  });
  return same ? result : std::nullopt;
}

std::string lead_of(const Say& say, const Sources& sources) {
  const LaneMask with_source = sources.reading | sources.undefined;
  if (with_source.empty()) return say(Phrase::nobody_reads);
  const auto distance = common(sources, [](int lane, int source) { return source - lane; });
  if (distance && *distance == 0) return say(Phrase::all_read_themselves);
  if (distance && with_source.count() > 1)
    return say(*distance > 0 ? Phrase::takes_later : Phrase::takes_earlier, std::abs(*distance));
  if (const auto one = common(sources, [](int, int source) { return source; }))
    return say(Phrase::takes_from_one, say.at_start(say.lanes_named(with_source)), with_source.count(), *one);
  const auto flipped = common(sources, [](int lane, int source) { return lane ^ source; });
  if (flipped) return say(Phrase::exchange_xor, *flipped);
  return say(Phrase::takes_named, with_source.count());
}

std::string caption_of(const Say& say, const Sources& sources) {
  if (sources.executed.empty()) return say(Phrase::nothing_moves);
  const std::string lead = lead_of(say, sources);
  const std::string text = sources.keep.empty()
                               ? say(Phrase::full_stop, lead)
                               : say(Phrase::keeps_own, lead, say.lanes_named(sources.keep), sources.keep.count());
  if (sources.undefined.empty()) return text;
  return say.then(
      text, say(Phrase::reads_absent, say.at_start(say.lanes_named(sources.undefined)), sources.undefined.count()));
}

std::string said_of(const Say& say, Moved what) {
  switch (what) {
    case Moved::number:
      return "";
    case Moved::halves:
      return say(Phrase::moves_halves);
    case Moved::half_twice:
      return say(Phrase::moves_half_twice);
    case Moved::low_of_double:
      return say(Phrase::moves_low_of_double);
    case Moved::high_of_double:
      return say(Phrase::moves_high_of_double);
    case Moved::low_of_integer:
      return say(Phrase::moves_low_of_integer);
    case Moved::high_of_integer:
      return say(Phrase::moves_high_of_integer);
    case Moved::low_bits_of_double:
      return say(Phrase::moves_low_bits_of_double);
    case Moved::high_bits_of_double:
      return say(Phrase::moves_high_bits_of_double);
    case Moved::bits:
      return say(Phrase::moves_bits);
  }
  return "";
}

// ---- the picture -----------------------------------------------------------------------------------

class ShufflePicture {
 public:
  ShufflePicture(const trace::Trace& trace, const WarpEvent& event, const std::vector<std::string>& before,
                 const std::vector<std::string>& after, const Options& options, Moved what)
      : before_(before),
        after_(after),
        sources_(sources_of(trace, event)),
        builder_(options),
        at_(0, builder_.width(), MemoryModel::lanes, builder_.width() >= 800 ? 4 : 2),
        there_(lanes_there(trace.launch, event.warp)) {
    Scene& scene = builder_.scene();
    const Say& say = builder_.say;
    scene.title = say(Phrase::shuffle_title);
    scene.subtitle = metrics::step_label(trace.sites[event.site]) + " · " + lanes_subtitle(say, event, there_);
    scene.caption =
        before.empty() ? caption_of(say, sources_) : say.then(caption_of(say, sources_), said_of(say, what));
    for (const std::vector<std::string>* values : {&before, &after})
      for (const std::string& value : *values)
        if (text_width(value, 1) > text_width(widest_, 1)) widest_ = value;
    // In other pictures a number in a lane's cell is the lane's own.
    if (!before.empty() && fits_in_cells()) scene.subtitle += " · " + say(Phrase::values_in_cells);
    std::array<int, 32> readers{};
    (sources_.reading | sources_.undefined).for_each([&](int lane) { fans_ |= ++readers[sources_.of[lane]] > 2; });
    cell_height_ = std::clamp(at_.cell * 1.2f, 16.0f, 34.0f);
    arrows_ = std::clamp(builder_.width() * 0.16f, 56.0f, 120.0f);
    if (!before.empty() && !fits_in_cells()) {
      // A value above the first lane begins at the picture's edge and so extends further right than others.
      const float value = text_width(widest_, value_size, Face::mono);
      const float wide = std::max(value + 5, 1.5f * value + 3 - at_.cell / 2);
      levels_ = static_cast<int>(std::ceil(wide / (at_.cell + at_.gap)));
      const auto least = [&] {
        return 2 * (static_cast<float>(levels_) * level_height + cell_height_) + axis_ + least_arrows_;
      };
      // The cells show the lanes' numbers, so the axis below can be dropped if space is tight.
      const auto too_tall = [&] { return options.max_height > 0 && least() > options.max_height; };
      if (too_tall()) axis_ = 4, least_arrows_ = 20;
      if (levels_ > most_levels || too_tall()) levels_ = 0, axis_ = axis_height, least_arrows_ = least_arrows;
    }
    top_ = static_cast<float>(levels_) * level_height;
    if (options.max_height > 0)
      arrows_ = std::clamp(options.max_height - 2 * top_ - 2 * cell_height_ - axis_, least_arrows_, arrows_);
  }

  Scene draw() {
    const float bottom = top_ + cell_height_ + arrows_;
    for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
      source_cell(lane);
      destination_cell(lane, bottom);
    }
    // Draws lanes that keep their own value first, so that the arrows are on top.
    sources_.keep.for_each([&](int lane) { own(lane, bottom); });
    (sources_.reading | sources_.undefined).for_each([&](int lane) { arrow(lane, bottom); });
    const int every = at_.cell >= 14 ? 4 : 8;
    for (int lane = 0; axis_ == axis_height && lane < MemoryModel::lanes; lane += every) {
      builder_.label(centre(lane), bottom + cell_height_ + top_ + 10, std::to_string(lane), 10, Role::dim,
                     Align::centre, Face::mono);
    }
    legend();
    return builder_.finish(bottom + cell_height_ + top_ + axis_);
  }

 private:
  static constexpr float axis_height = 18, level_height = 13, value_size = 10, least_arrows = 32;
  static constexpr int most_levels = 5;

  float centre(int lane) const { return at_.x(lane) + at_.cell / 2; }
  static std::string value_in(const std::vector<std::string>& values, int lane) {
    const auto index = static_cast<std::size_t>(lane);
    return index < values.size() ? values[index] : std::string();
  }
  void legend() {
    const Say& say = builder_.say;
    std::vector<LegendItem> items{{Role::executed, Pattern::solid, say(Phrase::legend_takes_part)}};
    if (!sources_.keep.empty()) items.push_back({Role::executed, Pattern::outline, say(Phrase::legend_no_partner)});
    if (!sources_.undefined.empty())
      items.push_back({Role::conflict, Pattern::hatched_outline, say(Phrase::legend_reads_absent)});
    if ((there_ & ~sources_.executed) != LaneMask::none())
      items.push_back({Role::inactive, Pattern::solid, say(Phrase::legend_absent)});
    if (!there_.full()) items.push_back({Role::exited, Pattern::dashed, say(Phrase::legend_not_there)});
    builder_.legend(std::move(items));
  }
  bool fits_in_cells() const { return (at_.cell - 1.5f) / text_width(widest_, 1) >= least_text; }
  // The values if all of them fit; else the lanes' numbers, with the values outside the row in levels.
  void number(const Rect& cell, const std::string& value, int lane) {
    const bool values = !value.empty() && fits_in_cells();
    builder_.in_cell(cell, values ? value : std::to_string(lane), std::min(12.0f, cell_height_ * 0.62f),
                     values ? std::string_view(widest_) : widest_lane);
  }
  std::string tag_text(Phrase when, int lane, const std::string& value) const {
    const Say& say = builder_.say;
    return say(when) + " · " + say(Phrase::lane_number, lane) + (value.empty() ? "" : " · " + value);
  }
  LaneLook look(int lane) const {
    if (sources_.executed.test(lane)) return {Role::executed, Pattern::solid};
    return there_.test(lane) ? LaneLook{Role::inactive, Pattern::solid} : LaneLook{Role::exited, Pattern::dashed};
  }

  void source_cell(int lane) {
    const LaneLook style = look(lane);
    const std::string value = value_in(before_, lane);
    Tag tag;
    tag.lane = lane;
    tag.text = tag_text(Phrase::tag_before, lane, value);
    const Rect cell = builder_.rect(at_.x(lane), top_, at_.cell, cell_height_, style.role, style.pattern,
                                    builder_.tag(std::move(tag)));
    if (style.role != Role::exited) number(cell, value, lane);
    outside(lane, value, top_ - level_height / 2, -level_height);
  }

  void destination_cell(int lane, float y) {
    LaneLook style = look(lane);
    const std::string value = value_in(after_, lane);
    Tag tag;
    tag.lane = lane;
    tag.text = tag_text(Phrase::tag_after, lane, value);
    const int source = sources_.of[lane];
    outside(lane, value, y + cell_height_ + level_height / 2, level_height);
    if (source == out_of_range) {
      style = {Role::executed, Pattern::outline};
      tag.text += " · " + builder_.say(Phrase::tag_own_value);
    } else if (sources_.undefined.test(lane)) {
      style = {Role::conflict, Pattern::hatched_outline};
      tag.text += " · " + builder_.say(Phrase::tag_from_absent, source);
    } else if (source >= 0) {
      tag.text += " · " + builder_.say(Phrase::tag_from, source);
    }
    const Rect cell =
        builder_.rect(at_.x(lane), y, at_.cell, cell_height_, style.role, style.pattern, builder_.tag(std::move(tag)));
    if (style.role != Role::exited) number(cell, value, lane);
  }

  // A value beside its row. Neighbours are at different levels, `step` apart.
  void outside(int lane, const std::string& value, float y, float step) {
    if (levels_ == 0 || value.empty()) return;
    const int level = lane % levels_;
    const float half = text_width(value, value_size, Face::mono) / 2;
    const float x = std::clamp(centre(lane), half, builder_.width() - half);
    const float at = y + step * static_cast<float>(level);
    if (level > 0) {
      Line& stem = builder_.line(centre(lane), y - step * 0.4f, centre(lane), at - step * 0.45f, Role::line);
      stem.alpha = 0.9f;
    }
    builder_.label(x, at, value, value_size, sources_.executed.test(lane) ? Role::text : Role::faint, Align::centre,
                   Face::mono);
  }

  // A short stem: the value does not come from another lane.
  void own(int lane, float bottom) {
    Line& stem = builder_.line(centre(lane), bottom - std::min(18.0f, arrows_ * 0.3f), centre(lane), bottom - 3,
                               Role::wasted, 1.5f);
    stem.arrow = true;
  }

  void arrow(int lane, float bottom) {
    const bool undefined = sources_.undefined.test(lane);
    Line& line = builder_.line(centre(sources_.of[lane]), top_ + cell_height_ + 2, centre(lane), bottom - 3,
                               undefined ? Role::conflict : Role::executed, fans_ ? 1.0f : 1.5f);
    line.arrow = true;
    line.alpha = undefined ? 1 : 0.85f;
    line.bend = arrows_ * 0.55f;
  }

  const std::vector<std::string>&before_, &after_;
  Sources sources_;
  Builder builder_;
  Columns at_;
  LaneMask there_;
  std::string widest_ = "28";  // the widest of all values
  bool fans_ = false;          // some lane is read by several
  float cell_height_ = 18, arrows_ = 80;
  int levels_ = 0;  // levels of values outside their row; 0 = values are in the cells, or there are none
  float top_ = 0;   // height of the levels
  float axis_ = axis_height, least_arrows_ = least_arrows;  // smaller if space is tight
};

}  // namespace

Scene shuffle(const trace::Trace& trace, const WarpEvent& event, const std::vector<std::string>& before,
              const std::vector<std::string>& after, const Options& options, Moved what) {
  if (event.kind != trace::EventKind::shuffle)
    return sentence_only(options, Say(options.language)(Phrase::shuffle_title), Phrase::not_shuffle);
  return ShufflePicture(trace, event, before, after, options, what).draw();
}

}  // namespace lanescope::diagram
