// The lane masks of all steps of one warp, side by side: divergence over time.

#include <algorithm>
#include <vector>

#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "metrics/steps.h"

namespace lanescope::diagram {
namespace {

using metrics::Step;
using trace::WarpEvent;

constexpr float label_height = 18, label_size = 11, top = 4;
constexpr float least_column = 6, most_column = 72;

// Which steps are on screen, and how wide they are.
struct Window {
  std::size_t first = 0, count = 0;
  float pitch = 0, gap = 0;
};

Window window_of(std::size_t steps, std::size_t selected, float width) {
  Window window;
  const auto most = static_cast<std::size_t>(width / least_column);
  window.count = std::min(steps, most);
  if (selected > window.count / 2) window.first = std::min(selected - window.count / 2, steps - window.count);
  window.pitch = std::min(most_column, width / static_cast<float>(window.count));
  window.gap = window.pitch >= 40 ? 12 : window.pitch >= 20 ? 4 : 2;
  return window;
}

class Film {
 public:
  Film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected, const Options& options)
      : trace_(trace),
        events_(trace.warp(block, warp)),
        steps_(metrics::steps(trace, block, warp)),
        there_(lanes_there(trace.launch, warp)),
        builder_(options) {
    selected_ = steps_.empty() ? 0 : std::min(selected, steps_.size() - 1);
    window_ = window_of(steps_.size(), selected_, builder_.width());
    const float room = options.max_height > 0 ? options.max_height - label_height - 2 * top : 4.0f * MemoryModel::lanes;
    pitch_ = std::clamp(room / MemoryModel::lanes, 2.0f, 6.0f);
    Scene& scene = builder_.scene();
    const Say& say = builder_.say;
    for (Step& step : steps_) step.label = step_name(say, trace.sites[step.site]);
    scene.title = say(Phrase::film_title);
    scene.subtitle = say(Phrase::film_subtitle, std::to_string(block), std::to_string(warp), steps_.size());
    if (window_.count < steps_.size())
      scene.subtitle = say(Phrase::film_shown, scene.subtitle, window_.first + 1, window_.first + window_.count);
    scene.caption = caption();
  }

  Scene draw() {
    // From the back, so that it is known which lanes appear again.
    LaneMask later = trace_.events_dropped > 0 ? LaneMask::all() : LaneMask::none();
    std::vector<LaneMask> later_of(window_.count);
    for (std::size_t i = events_.size(); i-- > window_.first;) {
      if (i < window_.first + window_.count) later_of[i - window_.first] = later;
      later = later | events_[i].active;
    }
    for (std::size_t i = 0; i < window_.count; ++i) column(i, later_of[i]);
    labels();
    legend();
    return builder_.finish(2 * top + pitch_ * MemoryModel::lanes + label_height);
  }

 private:
  float x(std::size_t column) const { return window_.pitch * static_cast<float>(column); }

  void column(std::size_t index, LaneMask later) {
    const std::size_t step = window_.first + index;
    const WarpEvent& event = events_[step];
    const bool chosen = step == selected_;
    Tag tag;
    tag.step = static_cast<std::int64_t>(step);
    const Say& say = builder_.say;
    tag.text = say(Phrase::tag_step, step + 1) + " · " + steps_[step].label;
    if (const std::string line = say(Phrase::step_line, std::to_string(steps_[step].line));
        steps_[step].line > 0 && line != steps_[step].label)
      tag.text += " · " + line;
    tag.text += " · " + lanes_subtitle(say, event, there_);
    const std::uint32_t number = builder_.tag(std::move(tag));
    const float height = 2 * top + pitch_ * MemoryModel::lanes + label_height;
    const float frame = chosen ? std::min(window_.gap / 2, 6.0f) : 0;
    // The whole column answers to the pointer.
    const float left = std::max(0.0f, x(index) - frame);
    const float right = std::min(builder_.width(), x(index) + window_.pitch - window_.gap + frame);
    builder_.rect(left, 0, right - left, height, chosen ? Role::selected : Role::panel, Pattern::solid, number);
    auto states = lane_states(trace_, event, later);
    // A branch keeps all its active lanes busy, whichever way they go.
    if (event.kind == trace::EventKind::branch)
      std::ranges::replace(states, LaneState::guarded_off, LaneState::executed);
    for (int lane = 0; lane < MemoryModel::lanes; ++lane) stripe(index, lane, states[lane], chosen, number);
  }

  void stripe(std::size_t column, int lane, LaneState state, bool chosen, std::uint32_t tag) {
    if (state == LaneState::exited || state == LaneState::absent) return;
    const LaneLook look = look_of(state, trace::EventKind::memory);
    const float gap = pitch_ >= 3 ? 1 : 0.5f;
    float y = top + pitch_ * static_cast<float>(lane), height = pitch_ - gap;
    // Too small for hatching: a thin line instead of a bar.
    if (state == LaneState::guarded_off) y += height / 2 - 0.5f, height = 1;
    Rect& bar = builder_.rect(x(column), y, window_.pitch - window_.gap, height, look.role, Pattern::solid, tag);
    bar.radius = 0;
    if (!chosen) bar.alpha = state == LaneState::inactive ? 0.75f : 0.62f;
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

  // The chosen step's name in full; of the others as many as there is room for.
  void labels() {
    const float y = 2 * top + pitch_ * MemoryModel::lanes + label_height / 2 - 1;
    struct Span {
      float from, to;
    };
    const auto width_of = [&](const std::string& text) { return text_width(text, label_size, Face::mono); };
    const std::string& name = steps_[selected_].label;
    const float chosen_x = std::max(0.0f, std::min(x(selected_ - window_.first), builder_.width() - width_of(name)));
    const Span chosen{chosen_x, chosen_x + width_of(name)};
    Label& strong = builder_.label(chosen.from, y, name, label_size, Role::text, Align::left, Face::mono);
    strong.strong = true;
    float free_from = 0;
    for (std::size_t i = 0; i < window_.count; ++i) {
      const std::size_t step = window_.first + i;
      if (step == selected_ || x(i) < free_from) continue;
      const std::string& text = steps_[step].label;
      const Span span{x(i), x(i) + width_of(text)};
      if (span.to > builder_.width()) continue;
      if (span.from < chosen.to + 8 && span.to > chosen.from - 8) continue;
      builder_.label(span.from, y, text, label_size, Role::dim, Align::left, Face::mono);
      free_from = span.to + 8;
    }
  }

  std::string caption() const {
    const Say& say = builder_.say;
    std::size_t short_steps = 0;
    int fewest = MemoryModel::lanes;
    for (const WarpEvent& event : events_) {
      const int lanes = event.kind == trace::EventKind::branch ? event.active.count() : event.executed.count();
      short_steps += lanes < there_.count();
      fewest = std::min(fewest, lanes);
    }
    const std::size_t steps = steps_.size();
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
  std::vector<Step> steps_;
  LaneMask there_;
  Builder builder_;
  std::size_t selected_ = 0;
  Window window_;
  float pitch_ = 4;
};

}  // namespace

Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options) {
  if (trace.warp(block, warp).empty())
    return sentence_only(options, Say(options.language)(Phrase::film_title), Phrase::no_events);
  return Film(trace, block, warp, selected, options).draw();
}

}  // namespace lanescope::diagram
