#pragma once
// Plain pictures: rectangles, lines, arrows and labels with colour roles, made by pure functions from events and
// metrics, drawn alike by ImGui, the SVG writer and a test. No colours here, only roles; no fonts, only sizes.

#include <cstdint>
#include <string>
#include <vector>

#include "words/language.h"

namespace lanescope::diagram {

// What a colour means (visual.md). Each role also has its own shape or hatching, so that colour is never alone.
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
  std::uint32_t tag = 0;  // index into Scene::tags + 1; 0 = none: what hovering it says and links to
  float alpha = 1;        // opacity of the whole shape: less for what stands back
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
  bool on_role = false;  // true: text in the contrasting ink of `role`'s fill
  std::string text;
  bool strong = false;  // semibold
};
// What a shape stands for, so that hovering one lights up its partners.
struct Tag {
  std::string text;  // tooltip
  std::int32_t lane = -1;
  std::uint64_t first_byte = 0, bytes = 0;
  std::int64_t step = -1;  // film: the step that clicking it chooses
  std::int32_t line = 0;   // of the kernel's source; 0 = of none
};

// A line of the legend: how a shape looks in this picture, and what it stands for there.
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
  std::string caption;  // the sentence under the picture: its answer
  std::string title, subtitle;
  std::vector<LegendItem> legend;  // only of what is in the picture; may be empty
  Language language{};             // of all its texts
};

enum class Theme : std::uint8_t { dark, light };
// 0xRRGGBB of a role in a theme. `ink` is the text colour to put on that fill: at least 4.5 : 1 against it. `none` is
// the window behind the panels.
std::uint32_t colour(Role role, Theme theme);
std::uint32_t ink(Role role, Theme theme);

// How a patterned fill is drawn, everywhere alike, as opacities of its role's colour.
struct PatternLook {
  float ground = 0;     // of the whole shape
  float lines = 0;      // of the diagonal lines, 5 px apart, 1 px thick, from bottom left to top right
  float border = 0;     // of the 1 px outline
  bool dashed = false;  // the outline is dashed, 3 px on, 3 off
};
PatternLook look_of(Pattern pattern);

// What a role means in a picture, for a legend: "executed", "moved for nothing". Empty for roles that need none.
std::string meaning_of(Role role, Language language = Language::english);

// A complete SVG document: a panel with title, subtitle, picture, caption and legend; title and description for screen
// readers.
std::string to_svg(const Scene& scene, Theme theme);

}  // namespace lanescope::diagram
