#pragma once
// A plot over a control at whose lowest values the kernel fails.

#include <string>

#include "driver.h"

namespace lanescope::test {

// The first lesson's kernel with another index: at a stride of 1 and 2 it reads past the end.
inline void plots_failing_strides(ImGuiTestContext& ui, Learner& learner) {
  gui::Session& s = learner.session();
  std::string edited = s.selection.source();
  edited.replace(edited.find("[i * stride]"), 12, "[i * 3]");
  learner.types_over_everything(ui, edited);
  ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
  learner.wait(ui);
  EXPECT_TRUE(s.runs.problems().empty());
  learner.plots_over(ui, "stride");
  EXPECT_TRUE(learner.wait_for(ui, [&] { return s.details.sweep("stride").points.size() == 32; }));
}

}  // namespace lanescope::test
