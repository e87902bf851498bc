#pragma once
// The pictures beside the lanes: which of them a step has, and their scenes.

#include "diagram/views.h"
#include "gui/ui.h"
#include "job/shuffle_values.h"

namespace lanescope::gui {

// Whether a picture has something to show of this step, or, for those that are of a whole run, of
// this run.
bool tab_applies(WarpTab tab, const RunResult& result, const trace::WarpEvent& event);
// Phases and running sums are listed only where a run has them.
bool tab_listed(WarpTab tab, const RunResult& result);
// `wanted` where it applies, else the first that does; `any`: there is one.
WarpTab effective_tab(WarpTab wanted, const RunResult& result, const trace::WarpEvent& event,
                      bool& any);
// `values`: of the shuffle that `event` is; null while they are not known.
diagram::Scene scene_of(WarpTab tab, const RunResult& result, const trace::WarpEvent& event,
                        const job::ShuffleValues* values, float width, float max_height);

// The lanes that exchange among themselves in this step, in tiles of `width` lanes, beside all sizes
// of tiles; lanes that do not take part are in no group.
std::vector<diagram::GroupRow> group_rows(LaneMask executed, int width);

// What each block kept did in each phase of a cooperative launch: warp instructions of the lines of
// the kernel's own file, by the phases that its text marks. Empty when it is not cooperative or
// marks none.
diagram::PhaseWork phase_work(const trace::Trace& trace, const std::string& source);

// The kernel's own running sum: the buffer named `running`, and the sums in double precision of the
// buffer named `in`. Empty when there are no such buffers of one length.
diagram::RunningSum running_sum(const job::Outcome& outcome);

Label label_of(Role role);  // for legends

}  // namespace lanescope::gui
