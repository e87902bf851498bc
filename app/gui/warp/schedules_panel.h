#pragma once
// The code on screen under many legal orders of warps and lanes: the results, and the unordered accesses.

#include "gui/parts/ui.h"

namespace lanescope::gui {

class SchedulesPanel {
 public:
  // At the right end of the strip: how many, and the button that runs or stops them.
  void controls(const Ui& ui, const Strip& strip);
  // Below the strip.
  void draw(const Ui& ui, const PanelRect& body);

 private:
  std::uint32_t count_ = 32;
};

// The sentence that sums a report up, and whether it accuses.
std::string verdict_text(const Ui& ui, const job::ScheduleReport& report);
// What the runs of one result left, beside what the standard order did.
std::string result_text(const Ui& ui, const job::ScheduleReport& report, const job::ScheduleResult& result);

}  // namespace lanescope::gui
