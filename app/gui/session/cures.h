#pragma once
// The engine's cures name nothing of the window's, since it knows of no window.

#include "core/diagnostic.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// With what the window has to carry them out: the controls of this variant, where it has any.
Diagnostics as_window_cures(Diagnostics problems, const lesson::Variant& variant);

}  // namespace lanescope::gui
