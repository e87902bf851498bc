#include "gui/cures.h"

namespace lanescope::gui {

namespace {

// There are no options for steps, memory and blocks here, but the values of controls, which make a kernel's work.
const OwnCure with_controls[] = {
    {"Check that the loop at this line ends.",
     "Check that the loop at this line ends; for a long kernel choose smaller values of the controls."},
    {"Take smaller buffers, or keep the events of fewer blocks.", "Choose smaller values of the controls."},
    {"Choose all blocks, a smaller size, or a larger event budget.", "Choose smaller values of the controls."},
    {"Ask for it: it takes longer.", "Choose smaller values of the controls, or run several schedules: the tab Schedules, below."},
};
const OwnCure without_controls[] = {
    {"Check that the loop at this line ends.",
     "Check that the loop at this line ends; a long kernel has to do less here: this variant has no controls."},
    {"Take smaller buffers, or keep the events of fewer blocks.", "Close other programs that hold memory, then run again."},
    {"Choose all blocks, a smaller size, or a larger event budget.",
     "Nothing can be chosen here: this variant has no controls. The numbers are compared all the same."},
    {"Ask for it: it takes longer.", "Run several schedules: the tab Schedules, below."},
};

}  // namespace

Diagnostics as_window_cures(Diagnostics problems, const lesson::Variant& variant) {
  put_own_cures(problems, variant.controls.empty() ? without_controls : with_controls);
  return problems;
}

}  // namespace lanescope::gui
