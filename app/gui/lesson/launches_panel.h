#pragma once
// The launches of a saved run, in the place of a lesson's text.

#include <string>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

class LaunchesPanel {
 public:
  // A saved run is open.
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  // Of the launches with a launch's kernel and shape: which it is, from 1, and how many there are.
  struct Nth {
    std::size_t nth = 1, of = 1;
  };
  void count(const OpenRun& run);
  void row(const Ui& ui, std::size_t index, float width, float height);

  const OpenRun* counted_ = nullptr;
  std::vector<Nth> nth_;
  std::size_t shown_ = 0;  // the launch that the list was scrolled to last
};

}  // namespace lanescope::gui
