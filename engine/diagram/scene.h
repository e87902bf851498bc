#pragma once
// Pictures as plain data: rectangles, lines, arrows and labels with colour roles. Pure functions make them from events
// and metrics; ImGui, the SVG writer and tests draw the same scene. There are no colours here, only roles; no fonts,
// only sizes.

#include <cstdint>
#include <string>
#include <vector>

#include "words/language.h"

namespace lanescope::diagram {

// The meaning of a colour. Each role also has its own shape or hatching, so that no meaning relies on
// colour.
enum class Role : std::uint8_t {
  none,
  panel,
  raised,
  line,
  text,
  dim,
  faint,
  accent,
  executed,
  guarded_off,
  inactive,
  exited,
  used_word,
  wasted,
  conflict,
  broadcast,
  better,
  variant_a,
  variant_b,
  selected
};

enum class Pattern : std::uint8_t { solid, hatched, outline, dashed, hatched_outline };
enum class Align : std::uint8_t { left, centre, right };
enum class Face : std::uint8_t { sans, mono };

struct Rect {
  float x = 0, y = 0, width = 0, height = 0, radius = 0;
  Role role{};
  Pattern pattern{};
  std::uint32_t tag = 0;  // index into Scene::tags + 1; 0 = none: the tooltip and link of the shape
  float alpha = 1;        // opacity of the whole shape
};
struct Line {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0, thickness = 1;
  Role role{};
  bool arrow = false;
  float bend = 0;  // 0 = straight; else an S-curve that leaves and arrives vertically: the cubic
                   // Bézier curve with control points (x0, y0 + bend) and (x1, y1 − bend)
  float alpha = 1;
};
struct Label {
  float x = 0, y = 0;  // of the anchor; y is the vertical centre
  float size = 12;
  Align align{};
  Face face{};
  Role role = Role::text;
  bool on_role = false;  // true: text in the ink colour for `role`'s fill
  std::string text;
  bool strong = false;  // semibold
};
// What a shape stands for; hovering it highlights related shapes.
struct Tag {
  std::string text;  // tooltip
  std::int32_t lane = -1;
  std::uint64_t first_byte = 0, bytes = 0;
  std::int64_t step = -1;  // film: the step that a click selects
  std::int32_t line = 0;   // line of the kernel's source; 0 = none
};

// An item of the legend: how a shape looks, and what it means in this picture.
struct LegendItem {
  Role role{};
  Pattern pattern{};
  std::string text;
};

// Coordinates in device-independent pixels, origin top left. In drawing order: rects, lines, labels.
struct Scene {
  float width = 0, height = 0;
  std::vector<Rect> rects;
  std::vector<Line> lines;
  std::vector<Label> labels;
  std::vector<Tag> tags;
  std::string caption;  // the sentence under the picture
  std::string title, subtitle;
  std::vector<LegendItem> legend;  // only of roles in the picture; may be empty
  Language language{};             // of all texts
};

enum class Theme : std::uint8_t { dark, light };
// The colour of a role in a theme as 0xRRGGBB. `ink` is the text colour on that fill, with a contrast of at least 4.5 :
// 1. `none` is the window behind the panels.
std::uint32_t colour(Role role, Theme theme);
std::uint32_t ink(Role role, Theme theme);
// The colour of a text that has the role, on a ground of the window: that of the role, where it can be read.
std::uint32_t text_colour(Role role, Theme theme);

// How a patterned fill is drawn everywhere, as opacities of its role's colour.
struct PatternLook {
  float ground = 0;     // opacity of the whole shape
  float lines = 0;      // opacity of diagonal lines, 5 px apart, 1 px wide, from bottom left to top right
  float border = 0;     // opacity of the 1 px outline
  bool dashed = false;  // the outline is dashed, 3 px on, 3 px off
};
PatternLook look_of(Pattern pattern);

// The meaning of a role in a picture's legend: "executed", "moved for nothing". Empty for roles that need none.
std::string meaning_of(Role role, Language language = Language::english);

// A complete SVG document: a panel with title, subtitle, picture, caption and legend, and a title and description for
// screen readers.
std::string to_svg(const Scene& scene, Theme theme);

}  // namespace lanescope::diagram
