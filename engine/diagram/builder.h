#pragma once
// What the views draw with: a scene under construction and the few shapes they share.

#include <array>
#include <string>

#include "core/lane_mask.h"
#include "diagram/scene.h"
#include "diagram/words.h"

namespace lanescope::diagram {

// Below this width no view tries to be readable.
inline constexpr float least_width = 160;
// Smallest text that is worth drawing in a cell.
inline constexpr float least_text = 7;

class Builder {
 public:
  explicit Builder(float width) { scene_.width = width < least_width ? least_width : width; }

  float width() const { return scene_.width; }
  Scene& scene() { return scene_; }

  // The number to put in Rect::tag.
  std::uint32_t tag(Tag tag) {
    scene_.tags.push_back(std::move(tag));
    return static_cast<std::uint32_t>(scene_.tags.size());
  }
  Rect& rect(float x, float y, float width, float height, Role role,
             Pattern pattern = Pattern::solid, std::uint32_t tag = 0) {
    Rect rect;
    rect.x = x;
    rect.y = y;
    rect.width = width;
    rect.height = height;
    const float side = width < height ? width : height;
    rect.radius = side >= 12 ? 3 : side >= 6 ? 2 : side >= 4 ? 1 : 0;
    rect.role = role;
    rect.pattern = pattern;
    rect.tag = tag;
    scene_.rects.push_back(rect);
    return scene_.rects.back();
  }
  Label& label(float x, float y, std::string text, float size, Role role = Role::dim,
               Align align = Align::left, Face face = Face::sans) {
    Label label;
    label.x = x;
    label.y = y;
    label.size = size;
    label.align = align;
    label.face = face;
    label.role = role;
    label.text = std::move(text);
    scene_.labels.push_back(std::move(label));
    return scene_.labels.back();
  }
  Line& line(float x0, float y0, float x1, float y1, Role role, float thickness = 1) {
    Line line;
    line.x0 = x0;
    line.y0 = y0;
    line.x1 = x1;
    line.y1 = y1;
    line.role = role;
    line.thickness = thickness;
    scene_.lines.push_back(line);
    return scene_.lines.back();
  }
  // Text in the middle of a filled shape, as large as fits up to `most`; nothing when it would be
  // too small to read. Returns whether it was drawn.
  bool in_cell(const Rect& cell, const std::string& text, float most) {
    const float room = cell.width - 2;
    const float unit = text_width(text, 1);
    float size = most;
    if (size * unit > room) size = room / unit;
    if (size > cell.height * 0.8f) size = cell.height * 0.8f;
    if (size < least_text) return false;
    const bool filled = cell.pattern == Pattern::solid && cell.alpha > 0.7f;
    const float x = cell.x + cell.width / 2, y = cell.y + cell.height / 2;
    Label& made = label(x, y, text, size, filled ? cell.role : Role::text, Align::centre);
    made.on_role = filled;
    made.strong = true;
    return true;
  }
  Scene finish(float height) {
    scene_.height = height;
    return std::move(scene_);
  }

 private:
  Scene scene_;
};

// A picture that is only a sentence, for when there is nothing to draw.
inline Scene sentence_only(float width, std::string title, std::string caption) {
  Builder builder(width);
  builder.scene().title = std::move(title);
  builder.scene().caption = std::move(caption);
  return builder.finish(0);
}

}  // namespace lanescope::diagram
