#pragma once
// The picture of all warps of a block at one step, as the panels, Compare and present mode show it.

#include <vector>

#include "diagram/views.h"
#include "gui/kit/scene_painter.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class BlockPicture {
 public:
  // `events`: those of metrics::across_warps() of `trace`, which must be there as long as the picture is shown.
  void make(const trace::Trace& trace, std::uint32_t block, std::vector<const trace::WarpEvent*> events,
            diagram::Options options);
  const diagram::Scene& scene() const { return scene_; }
  // At the cursor, as SceneView::show().
  void show(const Ui& ui, const char* id, Hover& hover, float zoom, float alpha);
  bool moving() const { return view_.moving(); }

 private:
  SceneView view_;
  diagram::Scene scene_;
  const trace::Trace* trace_ = nullptr;
  std::vector<const trace::WarpEvent*> events_;
};

}  // namespace lanescope::gui
