#pragma once
// Builds a scene and provides the shapes that the views share.

#include <algorithm>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "diagram/views.h"
#include "diagram/words.h"
#include "words/phrases.h"

namespace lanescope::diagram {

// Views need not be readable below this width.
inline constexpr float least_width = 160;
// The smallest text size that is drawn in a cell.
inline constexpr float least_text = 7;

// The widest lane number; Inter's digits have different widths.
inline constexpr std::string_view widest_lane = "30";

// Equal cells side by side that fill a width exactly.
struct Columns {
  float left = 0, cell = 0, gap = 0;
  Columns(float left_, float width, int count, float gap_)
      : left(left_), cell((width - gap_ * static_cast<float>(count - 1)) / static_cast<float>(count)), gap(gap_) {}
  float x(int index) const { return left + (cell + gap) * static_cast<float>(index); }
};

class Builder {
 public:
  const Say say;
  explicit Builder(const Options& options) : say(options.language) {
    scene_.width = options.width < least_width ? least_width : options.width;
    scene_.language = options.language;
  }

  float width() const { return scene_.width; }
  Scene& scene() { return scene_; }

  // Registers a tag and returns the value for Rect::tag.
  std::uint32_t tag(Tag tag) {
    scene_.tags.push_back(std::move(tag));
    return static_cast<std::uint32_t>(scene_.tags.size());
  }
  Rect& rect(float x, float y, float width, float height, Role role, Pattern pattern = Pattern::solid,
             std::uint32_t tag = 0) {
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
  Label& label(float x, float y, std::string text, float size, Role role = Role::dim, Align align = Align::left,
               Face face = Face::sans) {
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
  // A remark that may be truncated at the right edge.
  void note(float x, float y, const std::string& text, float size = 12) {
    std::string shown = fitted(text, width() - x, size);
    if (!shown.empty()) label(x, y, std::move(shown), size);
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
  // Centres text in a shape, no larger than `most`. Draws nothing if the text would be too small to read. Cells of a
  // row pass the widest text of the row, so that all get the same size. Returns whether it was drawn.
  bool in_cell(const Rect& cell, const std::string& text, float most, std::string_view widest = {}) {
    float size = std::min(most, cell.height * 0.8f);
    for (const std::string_view each : {std::string_view(text), widest})
      if (!each.empty()) size = std::min(size, (cell.width - 1.5f) / text_width(each, 1));
    if (size < least_text) return false;
    const bool filled = cell.pattern == Pattern::solid && cell.alpha > 0.7f;
    const float x = cell.x + cell.width / 2, y = cell.y + cell.height / 2;
    Label& made = label(x, y, text, size, filled ? cell.role : Role::text, Align::centre);
    made.on_role = filled;
    made.strong = true;
    return true;
  }
  // Labels a filled cell with the lanes that use its word: the lane's number if there is one, else their count above a
  // bar, which marks the cell as shared without relying on colour.
  void users(const Rect& cell, LaneMask lanes) {
    if (lanes.count() == 1) {
      in_cell(cell, std::to_string(lanes.lowest()), 12, widest_lane);
      return;
    }
    const float inset = cell.width >= 16 ? 3 : 2;
    Rect& bar = rect(cell.x + inset, cell.y + cell.height - 3.5f, cell.width - 2 * inset, 1.5f, Role::panel);
    bar.radius = 0;
    Rect upper = cell;
    upper.height -= 3;
    const std::string count = std::to_string(lanes.count());
    const std::string range = say.lane_set(lanes);
    // Names the lanes if they are contiguous and such a range fits the cell, else their number.
    const bool in_a_row = lanes.bits >> lanes.lowest() == LaneMask::first(lanes.count()).bits;
    const bool names_fit = in_a_row && text_width("30–30", 9) <= cell.width - 3;
    if (names_fit ? in_cell(upper, range, 12) : in_cell(upper, "×" + count, 10)) return;
    in_cell(upper, count, 12, widest_lane);
  }
  // Replaces the usual meanings of the roles in the picture.
  void legend(std::vector<LegendItem> items) {
    scene_.legend = std::move(items);
    own_legend_ = true;
  }
  Scene finish(float height) {
    scene_.height = height;
    if (!own_legend_) usual_legend();
    return std::move(scene_);
  }

 private:
  void usual_legend() {
    for (int i = 0; i <= static_cast<int>(Role::selected); ++i) {
      const Role role = static_cast<Role>(i);
      const std::string meaning = meaning_of(role, say.language());
      const auto found =
          std::find_if(scene_.rects.begin(), scene_.rects.end(), [&](const Rect& r) { return r.role == role; });
      if (!meaning.empty() && found != scene_.rects.end()) scene_.legend.push_back({role, found->pattern, meaning});
    }
  }

  Scene scene_;
  bool own_legend_ = false;
};

// A picture that consists of a sentence, if there is nothing to draw.
inline Scene sentence_only(const Options& options, std::string title, Phrase caption) {
  Builder builder(options);
  builder.scene().title = std::move(title);
  builder.scene().caption = builder.say(caption);
  return builder.finish(0);
}

}  // namespace lanescope::diagram
