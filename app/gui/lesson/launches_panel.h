#pragma once
// The launches of a saved run; replaces a lesson's text.

#include <string>
#include <vector>

#include "gui/lesson/launch_costs.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class LaunchesPanel {
 public:
  // A saved run must be open.
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  // The position of a launch among those with the same kernel and shape, from 1, and their number.
  struct Nth {
    std::size_t nth = 1, of = 1;
  };
  void count(const OpenRun& run);
  void row(const Ui& ui, std::size_t index, float width, float height);

  LaunchCosts costs_;
  std::string counted_;  // the id of the run that nth_ is for
  std::vector<Nth> nth_;
  std::size_t shown_ = 0;  // the launch that the list last scrolled to
};

}  // namespace lanescope::gui
