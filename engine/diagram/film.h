#pragma once
// A film of any length: draws the visible steps one by one or, if they outnumber the columns, summaries of several. The
// film in views.h chooses its part itself.

#include <cstddef>
#include <span>
#include <string>

#include "diagram/views.h"
#include "metrics/step_pyramid.h"

namespace lanescope::diagram {

// The part of a film to draw.
struct FilmPart {
  std::size_t first = 0, count = 0;  // visible steps; count 0: as many as fit one by one around the chosen step
  const metrics::StepPyramid* steps = nullptr;  // complete, of this warp; without it steps are only drawn one by one
  std::span<const std::string> phases;          // the names of groups 1, 2, … of `steps`; empty: no phases
};

inline constexpr float least_film_column = 6;  // px for a step that is drawn by itself
inline constexpr float most_film_column = 72;

// Clips the requested part to the film and to the available width.
FilmPart film_part(std::size_t steps, std::size_t selected, float width, FilmPart asked);

// film() of views.h for this part. Tag::step of a column of several steps is the first of them.
Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options, const FilmPart& part);

// The tooltip of Scene::tags[tag] of this film.
std::string film_tip(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
                     const Options& options, const FilmPart& part, std::size_t tag);

// lanes() of views.h if the lanes that are active in later steps are already known: they need not be searched in the
// rest of a long warp.
Scene lanes(const trace::Trace& trace, const trace::WarpEvent& event, LaneMask later, const Options& options);

}  // namespace lanescope::diagram
