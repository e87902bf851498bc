#pragma once
// The steps of a warp.

#include <cstdint>

#include "gui/kit/scene_painter.h"
#include "gui/parts/ui.h"
#include "gui/warp/schedules_panel.h"

namespace lanescope::gui {

// The film of one warp's steps; behind another tab the schedules.
class StepsPanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  // What the film was last made for.
  struct Shown {
    std::uint64_t result = 0;
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0;
    float width = 0, height = 0;
    Language language{};
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  SceneView film_;
  Hover hover_;
  Shown shown_;
  diagram::Scene scene_;
  SchedulesPanel schedules_;
};

}  // namespace lanescope::gui
