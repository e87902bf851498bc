#pragma once
// The steps of a warp.

#include "gui/parts/ui.h"
#include "gui/warp/film_view.h"
#include "gui/warp/schedules_panel.h"

namespace lanescope::gui {

// The film of one warp's steps; the schedules are on another tab.
class StepsPanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);
  const FilmView& film() const { return film_; }
  bool unpin() { return film_.unpin(); }

 private:
  float search(const Ui& ui, float right, float centre);
  // The next two give the x coordinate where the free room begins or ends.
  float tabs(const Ui& ui, const Strip& strip);
  float buttons(const Ui& ui, const Strip& strip);
  void controls(const Ui& ui, const Strip& strip, float left);
  FilmView film_;
  SchedulesPanel schedules_;
};

}  // namespace lanescope::gui
