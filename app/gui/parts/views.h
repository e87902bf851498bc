#pragma once
// The pictures beside the lanes: which pictures a step has, and their scenes.

#include "diagram/views.h"
#include "gui/parts/ui.h"
#include "job/report/shuffle_values.h"

namespace lanescope::gui {

// True if the picture has something to show for this step or, for pictures of a whole run, for this run.
bool tab_applies(WarpTab tab, const RunResult& result, const trace::WarpEvent& event);
// Phases and running sums are only listed if the run has them.
bool tab_listed(WarpTab tab, const RunResult& result);
// `wanted` if it applies, else the first picture that does; `any`: whether there is one.
WarpTab effective_tab(WarpTab wanted, const RunResult& result, const trace::WarpEvent& event, bool& any);
// The tab's title for this event of the run on screen: a vote is no group.
const char* tab_title(const Ui& ui, WarpTab tab, const trace::WarpEvent& event);
// The event is the access at which the run on screen failed: nothing was moved.
bool is_failed_access(const RunResult& result, const trace::WarpEvent& event);
// `values`: of the shuffle `event`; null if they are not known yet.
diagram::Scene scene_of(WarpTab tab, const RunResult& result, const trace::WarpEvent& event,
                        const job::ShuffleValues* values, const diagram::Options& options);

// Draws or, without `draw`, only measures a picture's legend at the cursor. Returns its height in pixels.
float draw_legend(const Ui& ui, const diagram::Scene& scene, float width, bool draw);

}  // namespace lanescope::gui
