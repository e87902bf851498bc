#pragma once
// Times and witnesses.

#include <map>
#include <string>

#include "gui/parts/ui.h"
#include "gui/time/time_sizes.h"

namespace lanescope::gui {

// What clocks and witnesses say: times with their plot, and the three witnesses side by side.
class TimePanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  void body(const Ui& ui, bool tight, bool low);
  void times(const Ui& ui, bool tight, bool low);
  void head(const Ui& ui);  // whose size, and over what
  void plot_with_legend(const Ui& ui, bool tight);
  void variants(const Ui& ui);        // side by side
  bool elsewhere(const Ui& ui);       // which sizes are recorded where these are not; false: nothing to go to
  TimeSize size(const Ui& ui) const;  // as chosen, where the variant has two
  std::string& over(const Ui& ui);    // the control that the plot is over; empty: the variants side by side

  std::map<std::string, std::string> chosen_;  // lesson/variant → control
  TimeSize size_ = TimeSize::measure;
};

}  // namespace lanescope::gui
