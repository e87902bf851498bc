#pragma once
// The borders between panels. They are dragged with the mouse, moved with the arrow keys after Tab has reached one, and
// reset by a double click or Enter. The sizes are saved when the drag ends, separately for small and large windows.

#include <string>
#include <utility>

#include "gui/layout.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class Borders {
 public:
  // Reads the saved sizes; with an empty folder nothing is saved.
  explicit Borders(std::string folder) : folder_(std::move(folder)), shares_(saved_shares(folder_)), saved_(shares_) {}

  // `strip`: see layout_of().
  Layout layout(float width_px, float height_px, const Look& look, bool schedules, float strip) const;
  // Call after the panels of this layout, in the same window.
  void draw(const Ui& ui, const Layout& layout, const PanelRect& all, bool schedules);
  void put_back() { shares_ = {}; }

 private:
  struct Border;
  void drag(const Border& border, float whole);
  void move_by_keys(const Border& border, float whole, float pixel);
  void save_when_still();

  std::string folder_;
  SavedShares shares_, saved_;
  float size_before_ = 0;  // of the panel whose border is dragged, in pixels
};

}  // namespace lanescope::gui
