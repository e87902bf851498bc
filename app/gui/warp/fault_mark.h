#pragma once
// What the panels of a warp say and mark where a run failed.

#include <string>

#include "diagram/scene.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

// If the run on screen failed at the step on screen: a sentence that says so. Else empty.
std::string fault_sentence(const Ui& ui);

// Crosses the lanes that failed at the step on screen, in a picture of its lanes that was painted at `origin`.
void cross_faulty_lanes(const Ui& ui, const diagram::Scene& lanes, ImVec2 origin, float zoom = 1);

// Marks the step at which the run failed at the right edge of its column of a film.
void mark_faulty_column(const Ui& ui, const diagram::Scene& film, ImVec2 origin);

}  // namespace lanescope::gui
