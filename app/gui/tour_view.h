#pragma once
// Paints the tour: a card beside the panel that it explains, which gets a frame. All controls stay usable.

#include <string>

#include "gui/layout.h"
#include "gui/parts/tour.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

void draw_tour(const Ui& ui, const Layout& layout);

// Whether the tour was seen or skipped with this state folder, and the call to remember it. An empty folder counts as
// seen.
bool tour_was_seen(const std::string& folder);
void remember_tour(const std::string& folder);

}  // namespace lanescope::gui
