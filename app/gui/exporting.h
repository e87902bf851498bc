#pragma once
// Saves and copies what panels show: the menu at a panel's corner, the wishes of commands, and where the files went.

#include "gui/kit/display.h"
#include "gui/layout.h"
#include "gui/parts/exports.h"
#include "gui/parts/ui.h"
#include "gui/warp/film_view.h"

namespace lanescope::gui {

// A corner that appears while the pointer is over a panel, with the menu of its forms; a right click opens it too.
void draw_export_menus(const Ui& ui, const Layout& layout);

// Does what was wished for. A picture of the screen is taken by take_picture(), frames later. `panels`: they are on
// screen, as `layout`; else there is the window alone.
void fulfil_export(const Ui& ui, const FilmView& film, const Layout& layout, bool panels);

// "Saved: …", over everything until it is clicked, or for some seconds.
void draw_export_told(const Ui& ui);

// After a frame: saves the part of it that is asked for, when its time has come.
void take_picture(Exports& exports, const Display& display);

// Whether a part has such a form now: only lanes and film are drawings that SVG can hold, and what a question still
// asks for is in no table.
bool can_export(const Ui& ui, ExportPart part, ExportForm form);
Wording export_name(ExportPart part);
Wording export_name(ExportForm form);

}  // namespace lanescope::gui
