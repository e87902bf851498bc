#pragma once
// Times and witnesses.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagram/scene.h"
#include "gui/kit/kept_shapes.h"
#include "gui/parts/ui.h"
#include "gui/time/time_sizes.h"

namespace lanescope::gui {

// What clocks and witnesses say: times with their plot, and the three witnesses side by side.
class TimePanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);
  // A point that was clicked stays marked, and its numbers stay in sight, until another one is or unpin().
  struct PinnedPoint {
    std::string plot, control;  // plot: lesson/variant
    std::int64_t value = 0;
  };
  const std::optional<PinnedPoint>& pinned() const { return pinned_; }
  // The plot on screen, whatever the panel's size, with its origin; nothing in it if there is no plot.
  diagram::Scene drawing(const Ui& ui);
  // The control that the plot is over; null: the variants side by side.
  const lesson::Control* plotted_over(const Ui& ui);
  TimeSize size(const Ui& ui) const;                                         // as chosen, where the variant has two
  bool unpin() { return std::exchange(pinned_, std::nullopt).has_value(); }  // false: nothing was pinned

 private:
  void body(const Ui& ui, bool tight, bool low);
  void times(const Ui& ui, bool tight, bool low);
  void head(const Ui& ui);  // whose size, and over what
  void plot_with_legend(const Ui& ui, bool tight);
  float pin_of_plot(const Ui& ui, const lesson::Control& control, float right, float centre);
  void variants(const Ui& ui);      // side by side
  bool elsewhere(const Ui& ui);     // which sizes are recorded where these are not; false: nothing to go to
  std::string& over(const Ui& ui);  // the control that the plot is over; empty: the variants side by side

  std::map<std::string, std::string> chosen_;  // lesson/variant → control
  TimeSize size_ = TimeSize::measure;
  std::optional<PinnedPoint> pinned_;
  std::vector<KeptShapes> samples_;  // by row
};

}  // namespace lanescope::gui
