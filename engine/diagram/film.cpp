// The lane masks of the steps of one warp, side by side: divergence over time.

#include "diagram/film.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "diagram/film_columns.h"
#include "diagram/lane_state.h"
#include "metrics/steps.h"

namespace lanescope::diagram {
namespace {

using trace::WarpEvent;

constexpr float label_height = 18, label_size = 11, top = 4;
constexpr float band_height = 14, band_text = 10.5f;

class Film {
 public:
  Film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected, const Options& options,
       const FilmPart& asked)
      : trace_(trace),
        events_(trace.warp(block, warp)),
        there_(lanes_there(trace.launch, warp)),
        builder_(options),
        selected_(std::min(selected, events_.size() - 1)),
        part_(film_part(events_.size(), selected_, builder_.width(), asked)),
        columns_(trace, events_, there_, part_, builder_.width()),
        tips_(options.tips) {
    const float height = options.max_height > 0 ? options.max_height : 4.0f * MemoryModel::lanes + unused();
    phases_ = phases();
    // Phases are only named if each lane still gets two pixels.
    if (!phases_.empty() && (height - unused() - band_height) / MemoryModel::lanes >= 2) band_ = band_height;
    const float room = options.max_height > 0 ? height - unused() - band_ : 4.0f * MemoryModel::lanes;
    pitch_ = std::clamp(room / MemoryModel::lanes, 2.0f, 6.0f);
    Scene& scene = builder_.scene();
    const Say& say = builder_.say;
    scene.title = say(Phrase::film_title);
    scene.subtitle = say(Phrase::film_subtitle, std::to_string(block), std::to_string(warp), events_.size());
    if (part_.count < events_.size())
      scene.subtitle = say(Phrase::film_shown, scene.subtitle, part_.first + 1, part_.first + part_.count);
    scene.caption = caption();
  }

  Scene draw() {
    const std::size_t count = columns_.all().size();
    for (std::size_t i = 0; i < count; ++i) {
      ground(i);
      if (columns_.of_one_step()) lanes_of(i);
    }
    for (int lane = 0; lane < MemoryModel::lanes && !columns_.of_one_step(); ++lane) stripes(lane);
    band();
    labels();
    legend();
    return builder_.finish(bottom());
  }

  std::size_t columns() const { return columns_.all().size(); }
  std::string tip(std::size_t index) const {
    const Say& say = builder_.say;
    const FilmColumn& column = columns_.all()[index];
    return columns_.of_one_step()
               ? columns_.told_step(say, column.first) + " · " + lanes_subtitle(say, events_[column.first], there_)
               : columns_.told_steps(say, column);
  }

 private:
  static constexpr float unused() { return label_height + 2 * top; }
  float bottom() const { return band_ + unused() + pitch_ * MemoryModel::lanes; }
  bool chosen(const FilmColumn& column) const { return column.first <= selected_ && selected_ < column.last; }
  float x(const FilmColumn& column) const { return column.x; }
  float width(const FilmColumn& column) const { return column.width - columns_.gap(); }

  // The whole column reacts to the pointer.
  void ground(std::size_t index) {
    const FilmColumn& column = columns_.all()[index];
    Tag tag;
    tag.step = static_cast<std::int64_t>(column.first);
    if (tips_) tag.text = tip(index);
    const float frame = chosen(column) ? std::min(columns_.gap() / 2, 6.0f) : 0;
    const float left = std::max(0.0f, x(column) - frame);
    const float right = std::min(builder_.width(), x(column) + width(column) + frame);
    tags_.push_back(builder_.tag(std::move(tag)));
    builder_.rect(left, band_, right - left, bottom() - band_, chosen(column) ? Role::selected : Role::panel,
                  Pattern::solid, tags_.back());
  }

  void lanes_of(std::size_t index) {
    const FilmColumn& column = columns_.all()[index];
    for (int lane = 0; lane < MemoryModel::lanes; ++lane)
      bar(lane, column.lanes[static_cast<std::size_t>(lane)], x(column), width(column), chosen(column), tags_[index]);
  }

  // Equal neighbouring columns become one bar, so a long loop needs few.
  void stripes(int lane) {
    const auto& all = columns_.all();
    const auto at = static_cast<std::size_t>(lane);
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i + 1;
      while (end < all.size() && all[end].lanes[at] == all[i].lanes[at] && chosen(all[end]) == chosen(all[i])) ++end;
      const float right = end < all.size() ? x(all[end]) : builder_.width();
      bar(lane, all[i].lanes[at], x(all[i]), right - x(all[i]), chosen(all[i]), 0);
      i = end;
    }
  }

  void bar(int lane, FilmLane state, float left, float wide, bool chosen, std::uint32_t tag) {
    if (state == FilmLane::gone) return;
    const float gap = pitch_ >= 3 ? 1 : 0.5f;
    float y = band_ + top + pitch_ * static_cast<float>(lane), height = pitch_ - gap;
    // The cell is too small for hatching, so a thin line is drawn.
    if (state == FilmLane::guarded_off) y += height / 2 - 0.5f, height = 1;
    if (state == FilmLane::sometimes) height = std::max(1.0f, height / 2);
    const Role role = state == FilmLane::waits         ? Role::inactive
                      : state == FilmLane::guarded_off ? Role::guarded_off
                                                       : Role::executed;
    Rect& drawn = builder_.rect(left, y, wide, height, role, Pattern::solid, tag);
    drawn.radius = 0;
    if (!chosen) drawn.alpha = state == FilmLane::waits ? 0.75f : 0.62f;
  }

  struct Span {
    float from = 0, to = 0;
    std::uint8_t group = 0;
  };
  // Runs of consecutive columns in the same phase.
  std::vector<Span> phases() const {
    std::vector<Span> spans;
    if (part_.steps == nullptr || part_.phases.empty()) return spans;
    std::uint8_t before = 0;
    for (const FilmColumn& column : columns_.all()) {
      if (column.group != 0 && column.group == before) spans.back().to = x(column) + width(column);
      if (column.group != 0 && column.group != before)
        spans.push_back({x(column), x(column) + width(column), column.group});
      before = column.group;
    }
    return spans;
  }

  void band() {
    if (band_ == 0) return;
    const Say& say = builder_.say;
    for (const Span& span : phases_) {
      const bool mixed = span.group == metrics::StepSummary::mixed || span.group > part_.phases.size();
      const std::string name = mixed ? say(Phrase::film_phases) : part_.phases[span.group - 1u];
      Tag tag;
      tag.text = name;
      const float wide = std::max(1.0f, span.to - span.from);
      builder_.rect(span.from, mixed ? 4 : 0, wide, mixed ? 4 : band_ - 1, mixed ? Role::line : Role::raised,
                    Pattern::solid, builder_.tag(std::move(tag)));
      if (mixed) continue;
      const std::string shown = fitted(name, wide - 8, band_text);
      if (shown == name || wide >= 48) builder_.label(span.from + 4, (band_ - 1) / 2, shown, band_text, Role::dim);
    }
  }

  void legend() {
    const Say& say = builder_.say;
    std::vector<LegendItem> items;
    const auto drawn = [&](Role role) { return std::ranges::count(builder_.scene().rects, role, &Rect::role) > 0; };
    if (drawn(Role::executed))
      items.push_back({Role::executed, Pattern::solid, meaning_of(Role::executed, say.language())});
    if (drawn(Role::guarded_off)) items.push_back({Role::guarded_off, Pattern::outline, say(Phrase::legend_thin_line)});
    if (drawn(Role::inactive))
      items.push_back({Role::inactive, Pattern::solid, meaning_of(Role::inactive, say.language())});
    builder_.legend(std::move(items));
  }

  // Labels the chosen step with its full name if it is visible, and as many others as fit. A column of several steps
  // shows the number of the first.
  void labels() {
    const float y = bottom() - label_height / 2 - 1;
    const auto width_of = [&](const std::string& text) { return text_width(text, label_size, Face::mono); };
    Span taken{-100, -100, 0};
    for (const FilmColumn& column : columns_.all()) {
      if (!chosen(column)) continue;
      const std::string name = columns_.name(builder_.say, selected_);
      const float from = std::max(0.0f, std::min(x(column), builder_.width() - width_of(name)));
      builder_.label(from, y, name, label_size, Role::text, Align::left, Face::mono).strong = true;
      taken = {from, from + width_of(name), 0};
    }
    float free_from = 0;
    for (const FilmColumn& column : columns_.all()) {
      if (chosen(column) || x(column) < free_from) continue;
      const std::string text =
          columns_.of_one_step() ? columns_.name(builder_.say, column.first) : say_number(column.first + 1);
      const float to = x(column) + width_of(text);
      if (to > builder_.width()) continue;
      if (x(column) < taken.to + 8 && to > taken.from - 8) continue;
      builder_.label(x(column), y, text, label_size, Role::dim, Align::left, Face::mono);
      free_from = to + (columns_.of_one_step() ? 8 : 72);
    }
  }
  std::string say_number(std::size_t value) const { return builder_.say(Phrase::film_number, value); }

  std::string caption() const {
    const Say& say = builder_.say;
    std::size_t short_steps = 0;
    int fewest = MemoryModel::lanes;
    if (part_.steps != nullptr) {
      short_steps = part_.steps->short_steps();
      fewest = part_.steps->of(0, events_.size()).fewest;
    } else {
      for (const WarpEvent& event : events_) {
        const int lanes = event.kind == trace::EventKind::branch ? event.active.count() : event.executed.count();
        short_steps += lanes < there_.count();
        fewest = std::min(fewest, lanes);
      }
    }
    const std::size_t steps = events_.size();
    const std::string text = short_steps > 0 ? say(Phrase::film_some, short_steps, steps, fewest, there_.count())
                                             : say(steps == 1   ? Phrase::film_all_only
                                                   : steps == 2 ? Phrase::film_all_both
                                                                : Phrase::film_all_steps,
                                                   there_.count(), steps);
    if (trace_.events_dropped == 0) return text;
    return say.then(text, say(Phrase::film_dropped, trace_.events_dropped));
  }

  const trace::Trace& trace_;
  std::span<const WarpEvent> events_;
  LaneMask there_;
  Builder builder_;
  std::size_t selected_ = 0;
  FilmPart part_;
  FilmColumns columns_;
  bool tips_ = true;
  std::vector<std::uint32_t> tags_;  // one per column
  std::vector<Span> phases_;
  float pitch_ = 4, band_ = 0;
};

}  // namespace

FilmPart film_part(std::size_t steps, std::size_t selected, float width, FilmPart asked) {
  FilmPart part = asked;
  const auto one_by_one = static_cast<std::size_t>(std::max(1.0f, width / least_film_column));
  const auto fewest = static_cast<std::size_t>(std::ceil(width / most_film_column));
  if (asked.count == 0) {
    part.count = std::min(steps, one_by_one);
    part.first = selected > part.count / 2 ? selected - part.count / 2 : 0;
  } else {
    part.count = std::min(std::max(asked.count, fewest), steps);
    if (asked.steps == nullptr) part.count = std::min(part.count, one_by_one);
  }
  part.first = std::min(part.first, steps - part.count);
  return part;
}

Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options, const FilmPart& part) {
  if (trace.warp(block, warp).empty())
    return sentence_only(options, Say(options.language)(Phrase::film_title), Phrase::no_events);
  return Film(trace, block, warp, selected, options, part).draw();
}

std::string film_tip(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
                     const Options& options, const FilmPart& part, std::size_t tag) {
  if (trace.warp(block, warp).empty()) return {};
  const Film film(trace, block, warp, selected, options, part);
  return tag < film.columns() ? film.tip(tag) : std::string();
}

Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options) {
  return film(trace, block, warp, selected, options, FilmPart{});
}

}  // namespace lanescope::diagram
