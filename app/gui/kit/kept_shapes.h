#pragma once
// Shapes that are painted again in each frame without a change: their vertices are copied instead of computed again.

#include <functional>
#include <vector>

#include "imgui.h"

namespace lanescope::gui {

// One for each place where such shapes are painted.
class KeptShapes {
 public:
  // Calls `paint`, which adds filled shapes to `list`, or adds what it added last time. `what`: all that the shapes
  // depend on, but for the list's own state. Shapes with a clip rectangle or texture of their own are never kept.
  void draw(ImDrawList* list, std::vector<double> what, const std::function<void()>& paint);

 private:
  void keep(const ImDrawList& list, int first_vertex, int first_index, unsigned base);

  std::vector<double> what_;
  std::vector<ImDrawVert> vertices_;
  std::vector<ImDrawIdx> indices_;  // from 0
};

}  // namespace lanescope::gui
