#pragma once
// A film of any length: the steps in sight one by one, or, where they are more than there are columns, summaries of
// several. views.h has the film that chooses its part itself.

#include <cstddef>
#include <span>
#include <string>

#include "diagram/views.h"
#include "metrics/step_pyramid.h"

namespace lanescope::diagram {

// What of a film is drawn.
struct FilmPart {
  std::size_t first = 0, count = 0;  // steps in sight; count 0: as many as fit one by one, around the chosen step
  const metrics::StepPyramid* steps = nullptr;  // complete, of this warp. Without it steps are drawn one by one only
  std::span<const std::string> phases;          // the names of groups 1, 2, … of `steps`; empty: no phases
};

inline constexpr float least_film_column = 6;  // px of a step that is drawn by itself
inline constexpr float most_film_column = 72;

// The part that is drawn for what is asked: inside the film, no wider than there is room for.
FilmPart film_part(std::size_t steps, std::size_t selected, float width, FilmPart asked);

// As film() of views.h, of this part. Tag::step of a column of several steps is the first of them.
Scene film(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t selected,
           const Options& options, const FilmPart& part);

// lanes() of views.h where it is known which lanes are active in a later step: it need not be looked for in the rest of
// a long warp.
Scene lanes(const trace::Trace& trace, const trace::WarpEvent& event, LaneMask later, const Options& options);

}  // namespace lanescope::diagram
