#include "gui/layout.h"

#include <algorithm>
#include <cmath>

namespace lanescope::gui {
namespace {

// The smallest usable sizes of panels, in device-independent pixels.
constexpr float least_lesson = 248, least_code = 320, least_warp = 360;             // widths
constexpr float least_steps = 154, least_time = 170;                                // heights
constexpr float least_over_steps = 290, least_over_time = 340;                      // heights of the panels above them
constexpr float film_labels = 90, film_rows = 32, least_row = 2, greatest_row = 6;  // the film of the steps panel

// Clamps `value`; leaves it unchanged if the bounds contradict.
float bounded(float value, float least, float most) {
  return most < least ? value : std::clamp(value, least, most);
}

float size_of(float share, float whole, float usual) {
  return share > 0 && share < 1 ? std::round(share * whole) : usual;
}

// A height in which each of the film's 32 rows has a whole number of pixels.
float film_height(float wanted, float most) {
  const float largest = std::clamp(std::floor((most - film_labels) / film_rows), least_row, greatest_row);
  return film_labels + film_rows * std::clamp(std::round((wanted - film_labels) / film_rows), least_row, largest);
}

}  // namespace

bool is_small(float width_px, float height_px, const Look& look) {
  return width_px / look.scale() < 1200 || height_px / look.scale() < 720;
}

Layout layout_of(float width_px, float height_px, const Look& look, bool schedules, const PanelShares& chosen,
                 float strip) {
  const float k = look.scale();
  const float w = width_px / k, h = height_px / k;
  const bool compact = is_small(width_px, height_px, look);
  const float gap = compact ? 8 : 16, top = compact ? 48 : 56;
  const float inner = w - 2 * gap;
  const float usual_lesson = std::clamp(std::round(inner * 0.218f), least_lesson, 440.0f);
  const float lesson =
      bounded(size_of(chosen.lesson, w, usual_lesson), least_lesson, inner - 2 * gap - least_code - least_warp);
  const float rest = inner - lesson - 2 * gap;
  const float code = bounded(size_of(chosen.code, w, std::round(rest * 0.47f)), least_code, rest - least_warp);

  const float y0 = top + strip + gap, both = h - gap - y0 - gap;  // the height of two panels, one above the other
  const float usual_steps = film_height(h * 0.24f, h);
  // Results of schedules are text: in a low window they get space from the panels above.
  const float usual_schedules = std::max(usual_steps, std::min(std::round(h * 0.42f), 360.0f));
  const float most_steps = both - least_over_steps;
  float steps = schedules ? bounded(size_of(chosen.schedules, h, usual_schedules), least_steps, most_steps)
                          : size_of(chosen.steps, h, usual_steps);
  if (!schedules) steps = film_height(steps, most_steps);
  // Times are above their plot, which needs a height of a few lines.
  const float time =
      bounded(size_of(chosen.time, h, std::max(usual_steps, least_time)), least_time, both - least_over_time);
  const auto rect = [k](float x, float y, float width, float height) {
    const float left = std::round(x * k), up = std::round(y * k);
    return PanelRect{left, up, std::round((x + width) * k) - left, std::round((y + height) * k) - up};
  };
  Layout l;
  const float x_code = 2 * gap + lesson, x_warp = x_code + code + gap, y1 = h - gap;
  l.top = {0, 0, width_px, std::round(top * k)};
  l.lesson = rect(gap, y0, lesson, both - steps);
  l.code = rect(x_code, y0, code, both - steps);
  l.warp = rect(x_warp, y0, rest - code, both - time);
  l.steps = rect(gap, y1 - steps, lesson + gap + code, steps);
  l.time = rect(x_warp, y1 - time, rest - code, time);
  return l;
}

void give_code_the_room(Layout& l) {
  const float right = l.warp.x + l.warp.width, gap = l.code.x - l.lesson.x - l.lesson.width;
  const bool times = l.time.height > 0;
  const float bottom = times ? std::min(l.steps.y, l.time.y) : l.steps.y;
  if (!times) l.steps.width = right - l.steps.x;
  for (PanelRect* below : {&l.steps, &l.time}) {
    if (below->height <= 0) continue;
    below->height += below->y - bottom;
    below->y = bottom;
  }
  l.code = {l.lesson.x, l.lesson.y, right - l.lesson.x, bottom - gap - l.lesson.y};
  l.lesson = l.warp = {};
}

}  // namespace lanescope::gui
