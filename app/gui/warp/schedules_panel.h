#pragma once
// The code on screen under many legal orders of warps and lanes: the results, and the unordered accesses.

#include "gui/parts/ui.h"

namespace lanescope::gui {

class SchedulesPanel {
 public:
  // At the right end of the strip: the number of orders, and the button that runs or stops them.
  void controls(const Ui& ui, const Strip& strip);
  // Below the strip.
  void draw(const Ui& ui, const PanelRect& body);

 private:
  std::uint32_t count_ = 32;
};

// The sentence that summarises a report.
std::string verdict_text(const Ui& ui, const job::ScheduleReport& report);
// What the runs with one result left in memory, compared with the standard order.
std::string result_text(const Ui& ui, const job::ScheduleReport& report, const job::ScheduleResult& result);

}  // namespace lanescope::gui
