#include "gui/forms/cures.h"

namespace lanescope::gui {

namespace {

// There are no options for steps, memory and blocks here. Instead, the values of controls determine a kernel's work.
const OwnCure with_controls[] = {
    {"Check that the loop at this line ends.",
     "Check that the loop at this line ends. If the kernel is just long, choose smaller control values."},
    {"Use smaller buffers, or keep the events of fewer blocks.", "Choose smaller control values."},
    {"Choose all blocks, a smaller size, or a larger event budget.", "Choose smaller control values."},
    {"Turn on the race check to look for them; the run then takes longer.",
     "Choose smaller control values, or run several schedules: the tab Schedules, below."},
};
const OwnCure without_controls[] = {
    {"Check that the loop at this line ends.",
     "Check that the loop at this line ends. If the kernel is just long, make it do less work: this variant has no "
     "controls."},
    {"Use smaller buffers, or keep the events of fewer blocks.",
     "Close other programs to free memory, then run again."},
    {"Choose all blocks, a smaller size, or a larger event budget.",
     "Nothing to change: this variant has no controls. The numbers are compared in any case."},
    {"Turn on the race check to look for them; the run then takes longer.",
     "Run several schedules: the tab Schedules, below."},
};

const OwnCure with_a_form[] = {
    {"Check that the loop at this line ends.",
     "Check that the loop at this line ends. If the kernel is just long, choose smaller sizes in the form."},
    {"Use smaller buffers, or keep the events of fewer blocks.", "Choose smaller buffers in the form."},
    {"Choose all blocks, a smaller size, or a larger event budget.", "Choose smaller sizes in the form."},
    {"Turn on the race check to look for them; the run then takes longer.",
     "Choose smaller sizes in the form, or run several schedules: the tab Schedules, below."},
};

}  // namespace

Diagnostics as_form_cures(Diagnostics problems) {
  put_own_cures(problems, with_a_form);
  return problems;
}

Diagnostics as_window_cures(Diagnostics problems, const lesson::Variant& variant) {
  put_own_cures(problems, variant.controls.empty() ? without_controls : with_controls);
  return problems;
}

}  // namespace lanescope::gui
