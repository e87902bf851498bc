#pragma once
// Replaces cures of the engine, which does not know the window, by cures that name the window's controls.

#include "core/diagnostic.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// With what the window has to carry them out: the controls of this variant, where it has any.
Diagnostics as_window_cures(Diagnostics problems, const lesson::Variant& variant);

}  // namespace lanescope::gui
