#pragma once
// Replaces cures of the engine, which does not know the window, by cures that name the window's controls.

#include "core/diagnostic.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// Uses the controls of this variant, if it has any.
Diagnostics as_window_cures(Diagnostics problems, const lesson::Variant& variant);

// For a launch that a form gives.
Diagnostics as_form_cures(Diagnostics problems);

}  // namespace lanescope::gui
