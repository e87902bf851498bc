#pragma once
// The pictures next to the lanes: which pictures a step has, and their scenes.

#include "diagram/views.h"
#include "gui/parts/ui.h"
#include "job/report/shuffle_values.h"

namespace lanescope::gui {

// Whether a picture has something to show of this step, or, for those that are of a whole run, of this run.
bool tab_applies(WarpTab tab, const RunResult& result, const trace::WarpEvent& event);
// Phases and running sums are listed only where a run has them.
bool tab_listed(WarpTab tab, const RunResult& result);
// `wanted` where it applies, else the first that does; `any`: there is one.
WarpTab effective_tab(WarpTab wanted, const RunResult& result, const trace::WarpEvent& event, bool& any);
// `values`: of the shuffle that `event` is; null while they are not known.
diagram::Scene scene_of(WarpTab tab, const RunResult& result, const trace::WarpEvent& event,
                        const job::ShuffleValues* values, const diagram::Options& options);

// Draws a picture's legend at the cursor, or only measures it; returns its height in pixels.
float draw_legend(const Ui& ui, const diagram::Scene& scene, float width, bool draw);

}  // namespace lanescope::gui
