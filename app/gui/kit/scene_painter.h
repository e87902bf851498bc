#pragma once
// Paints the engine's diagram::Scene with ImGui: patterns are real lines clipped to their shape, so that roles can be
// told apart without colour. Hovering a shape highlights related shapes.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "diagram/scene.h"
#include "gui/kit/look.h"

namespace lanescope::gui {

// What hovering links: a lane, bytes, or a line of the kernel's source. The pictures of a panel share one Hover: the
// hovered picture sets `next`, and in the next frame all of them highlight `shown`.
struct HoverLink {
  int lane = -1;
  std::uint64_t first_byte = 0, bytes = 0;
  int line = 0;
  bool any() const { return lane >= 0 || bytes > 0 || line > 0; }
};
struct Hover {
  HoverLink shown, next;
  void begin_frame() { shown = next, next = {}; }
};

// True if a shape with this tag is highlighted: it stands for the same lane; or, if one of them does not stand for a
// single lane, for some of the same bytes; or for the same line.
bool lights_up(const diagram::Tag& tag, const HoverLink& link);

// Draws `scene` with its origin at `origin` in pixels. `zoom` multiplies the look's scale. Only draws what is inside
// the draw list's clip rectangle. `alpha` fades everything.
void paint_scene(const diagram::Scene& scene, ImDrawList* list, const Look& look, ImVec2 origin, float zoom = 1,
                 float alpha = 1, const HoverLink& link = {});

// Index into scene.tags of the topmost tagged shape at `point` (pixels); −1 = none.
int tag_at(const diagram::Scene& scene, const Look& look, ImVec2 origin, float zoom, ImVec2 point);

// A picture as an ImGui item: paints it, fades from the previous picture when it changes (unless `motion` is false),
// shows tooltips, and updates `hover`. It remembers its picture, so use one object per place on screen.
class SceneView {
 public:
  // Writes the tooltip of a tag whose text is empty (diagram::Options::tips).
  using Tip = std::function<std::string(std::size_t tag)>;
  // Returns the index of the clicked tag, or −1. `zoom` and `alpha` as above.
  int show(const diagram::Scene& scene, const Look& look, const char* id, Hover& hover, bool motion, float zoom = 1,
           float alpha = 1, const Tip& tip = {});
  bool moving() const { return fade_ < 1; }

 private:
  diagram::Scene current_, previous_;
  bool has_current_ = false;
  float fade_ = 1;
};

// Paints a cell as pictures do. `grain`: size in pixels of a device-independent pixel of its pattern (0 = the look's
// scale).
void paint_cell(ImDrawList* list, const Look& look, diagram::Role role, diagram::Pattern pattern, ImVec2 a, ImVec2 b,
                float radius, float alpha = 1, float grain = 0);

}  // namespace lanescope::gui
