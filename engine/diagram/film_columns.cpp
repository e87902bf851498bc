#include "diagram/film_columns.h"

#include <algorithm>

#include "diagram/lane_state.h"

namespace lanescope::diagram {
namespace {

using trace::WarpEvent;

constexpr float least_summary = 4;  // px for a column of several steps

FilmLane film_lane(LaneState state) {
  switch (state) {
    case LaneState::executed:
      return FilmLane::executes;
    case LaneState::guarded_off:
      return FilmLane::guarded_off;
    case LaneState::inactive:
      return FilmLane::waits;
    case LaneState::exited:
    case LaneState::absent:
      break;
  }
  return FilmLane::gone;
}

FilmLane film_lane(const metrics::StepSummary& of, LaneMask later, int lane) {
  if (of.busy_all.test(lane)) return FilmLane::executes;
  if (of.busy_any.test(lane)) return FilmLane::sometimes;
  if (of.active_any.test(lane)) return FilmLane::guarded_off;
  return later.test(lane) ? FilmLane::waits : FilmLane::gone;
}

}  // namespace

FilmColumns::FilmColumns(const trace::Trace& trace, std::span<const WarpEvent> events, LaneMask there,
                         const FilmPart& part, float width)
    : trace_(trace), events_(events), there_(there), part_(part) {
  const float pitch = std::min(most_film_column, width / static_cast<float>(part.count));
  // The tolerance keeps a part that fits exactly on this side despite rounding.
  if (pitch >= least_film_column * 0.999f || part.steps == nullptr)
    one_by_one(pitch);
  else
    summaries(pitch);
}

void FilmColumns::one_by_one(float pitch) {
  gap_ = pitch >= 40 ? 12 : pitch >= 20 ? 4 : 2;
  const std::size_t end = part_.first + part_.count;
  // Goes backwards, so that the lanes that appear again are known.
  LaneMask later = trace_.events_dropped > 0 ? LaneMask::all() : LaneMask::none();
  if (part_.steps != nullptr)
    later = later | part_.steps->active_after(end - 1);
  else
    for (std::size_t i = end; i < events_.size() && later != LaneMask::all(); ++i) later = later | events_[i].active;
  columns_.resize(part_.count);
  for (std::size_t i = part_.count; i-- > 0;) {
    const std::size_t step = part_.first + i;
    FilmColumn& column = columns_[i];
    column.first = step, column.last = step + 1;
    column.x = pitch * static_cast<float>(i), column.width = pitch;
    if (part_.steps != nullptr) column.group = part_.steps->group(step);
    auto states = lane_states(trace_, events_[step], later);
    // All active lanes execute a branch, whichever way they go.
    if (events_[step].kind == trace::EventKind::branch)
      std::ranges::replace(states, LaneState::guarded_off, LaneState::executed);
    std::ranges::transform(states, column.lanes.begin(), [](LaneState state) { return film_lane(state); });
    later = later | events_[step].active;
  }
}

// Columns start at multiples of their number of steps, so that scrolling moves them without changing their contents.
void FilmColumns::summaries(float pitch) {
  const std::size_t end = part_.first + part_.count;
  const auto least = static_cast<std::size_t>(least_summary / pitch) + 1;
  const std::size_t grain = metrics::StepPyramid::grain(least);
  per_column_ = std::max<std::size_t>(2, (least + grain - 1) / grain * grain);
  for (std::size_t at = part_.first; at < end;) {
    FilmColumn column;
    column.first = at;
    at = std::min(end, (at / per_column_ + 1) * per_column_);
    column.last = at;
    column.x = pitch * static_cast<float>(column.first - part_.first);
    column.width = pitch * static_cast<float>(column.last - column.first);
    columns_.push_back(column);
  }
  LaneMask later = trace_.events_dropped > 0 ? LaneMask::all() : part_.steps->active_after(end - 1);
  later = later & there_;
  for (std::size_t i = columns_.size(); i-- > 0;) {
    FilmColumn& column = columns_[i];
    const metrics::StepSummary of = part_.steps->of(column.first, column.last);
    column.group = of.group;
    for (int lane = 0; lane < MemoryModel::lanes; ++lane)
      column.lanes[static_cast<std::size_t>(lane)] = film_lane(of, later, lane);
    later = later | of.active_any;
  }
}

std::string FilmColumns::name(const Say& say, std::size_t step) const {
  return step_name(say, trace_.sites[events_[step].site]);
}

std::string FilmColumns::told_step(const Say& say, std::size_t step) const {
  const trace::Site& site = trace_.sites[events_[step].site];
  const std::string called = step_name(say, site);
  std::string text = say(Phrase::tag_step, step + 1) + " · " + called;
  if (const std::string line = say(Phrase::step_line, std::to_string(site.line)); site.line > 0 && line != called)
    text += " · " + line;
  return text;
}

std::string FilmColumns::told_steps(const Say& say, const FilmColumn& column) const {
  const metrics::StepSummary of = part_.steps->of(column.first, column.last);
  std::string text = say(Phrase::film_steps, column.first + 1, column.last) + " · " +
                     (of.fewest == of.most ? say(Phrase::film_busy, of.most, there_.count())
                                           : say(Phrase::film_busy_range, of.fewest, of.most, there_.count()));
  if (of.divergent) text += " · " + say(Phrase::film_divergent);
  if (of.sectors > 0) text += " · " + say(Phrase::film_sectors, of.sectors);
  if (of.conflicts > 0) text += " · " + say(Phrase::film_conflicts, of.conflicts);
  return text;
}

}  // namespace lanescope::diagram
