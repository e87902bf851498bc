#pragma once
// Paints the engine's plain pictures (diagram::Scene) with ImGui: patterns as real lines clipped to their shape, so
// that a role can be told without its colour; hovering a shape lights up its partners.

#include <cstdint>
#include <vector>

#include "diagram/scene.h"
#include "gui/kit/look.h"

namespace lanescope::gui {

// What hovering links: a lane, bytes, or a line of the kernel's source. The pictures of a panel share one Hover: the
// one under the pointer writes `next`, all of them light up `shown` in the frame after.
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

// Whether a shape with this tag lights up: it stands for the same lane, or, where one of the two is not of one lane
// alone, for some of the same bytes; or it comes from the same line.
bool lights_up(const diagram::Tag& tag, const HoverLink& link);

// Draws `scene` with its origin at `origin` (pixels); `zoom` scales it on top of the look's scale. Only what lies in
// the draw list's clip rectangle is drawn. `alpha` fades the whole.
void paint_scene(const diagram::Scene& scene, ImDrawList* list, const Look& look, ImVec2 origin, float zoom = 1,
                 float alpha = 1, const HoverLink& link = {});

// Index into scene.tags of the topmost tagged shape under `point` (pixels); −1 = none.
int tag_at(const diagram::Scene& scene, const Look& look, ImVec2 origin, float zoom, ImVec2 point);

// A picture as an ImGui item: paints it, fades from the one shown before when it changes (not when `motion` is false),
// shows its tags' texts, keeps `hover` up to date. Remembers what it showed; one object a place on screen.
class SceneView {
 public:
  // Returns the index of the tag that was clicked, or −1. `zoom` and `alpha` as above.
  int show(const diagram::Scene& scene, const Look& look, const char* id, Hover& hover, bool motion, float zoom = 1,
           float alpha = 1);
  bool moving() const { return fade_ < 1; }

 private:
  diagram::Scene current_, previous_;
  bool has_current_ = false;
  float fade_ = 1;
};

// One cell as the picture draws it; `grain` is the size of a device-independent pixel of its pattern, in pixels (0 =
// the look's scale).
void paint_cell(ImDrawList* list, const Look& look, diagram::Role role, diagram::Pattern pattern, ImVec2 a, ImVec2 b,
                float radius, float alpha = 1, float grain = 0);

}  // namespace lanescope::gui
