#pragma once
// Saves and copies the contents of panels: the menu in a panel's corner, the requests of commands, and a message with
// the file's path.

#include "gui/kit/display.h"
#include "gui/layout.h"
#include "gui/parts/exports.h"
#include "gui/parts/ui.h"
#include "gui/time/time_panel.h"
#include "gui/warp/film_view.h"

namespace lanescope::gui {

// A button in a panel's corner, visible while the pointer is over the panel, with a menu of formats. A right click
// opens it too.
void draw_export_menus(const Ui& ui, const Layout& layout);

// Carries out a request. A picture of the screen is taken by take_picture() some frames later. `panels`: the panels are
// on screen in `layout`; otherwise only the whole window can be saved.
void fulfil_export(const Ui& ui, const FilmView& film, TimePanel& time, const Layout& layout, bool panels);

// "Saved: …" over everything, until it is clicked or some seconds have passed.
void draw_export_told(const Ui& ui);

// After a frame: saves the requested part of it when it is ready.
void take_picture(Exports& exports, const Display& display);

// True if the part can be exported in this form now. What an open question asks for is left out.
bool can_export(const Ui& ui, ExportPart part, ExportForm form);
Wording export_name(ExportPart part);
Wording export_name(ExportForm form);

}  // namespace lanescope::gui
