// Tooltips that are written one by one.

#include <gtest/gtest.h>

#include <vector>

#include "diagram/film.h"
#include "diagram/views.h"
#include "gallery.h"
#include "metrics/step_pyramid.h"
#include "metrics/steps.h"

namespace lanescope::diagram {
namespace {

// The window asks for the one under its pointer.
TEST(Diagram, ASingleTooltipIsTheOneInThePicture) {
  const trace::Trace trace = test::modulo_reduction();
  const Options options{.width = 900, .max_height = 150};
  metrics::StepPyramid steps(trace, 0, 0);
  steps.extend(1 << 20);
  const auto check = [&](const Options& with, const FilmPart& part) {
    const Scene whole = film(trace, 0, 0, 12, with, part);
    Options without = with;
    without.tips = false;
    const Scene bare = film(trace, 0, 0, 12, without, part);
    ASSERT_EQ(bare.tags.size(), whole.tags.size());
    EXPECT_EQ(bare.tags.front().text, "");
    for (std::size_t i = 0; i < whole.tags.size(); ++i)
      EXPECT_EQ(film_tip(trace, 0, 0, 12, without, part, i), whole.tags[i].text) << i;
    EXPECT_EQ(film_tip(trace, 0, 0, 12, without, part, whole.tags.size()), "");
  };
  check(options, {});
  Options narrow = options;
  narrow.width = 160;
  check(narrow, {.first = 0, .count = steps.size(), .steps = &steps, .phases = {}});
  const std::vector<const trace::WarpEvent*> events = metrics::across_warps(trace, 0, 0, 3);
  Options bare = options;
  bare.tips = false;
  const Scene whole = block_lanes(trace, 0, events, options);
  EXPECT_EQ(block_lanes(trace, 0, events, bare).tags.front().text, "");
  for (std::size_t i = 0; i < whole.tags.size(); ++i)
    EXPECT_EQ(block_lanes_tip(trace, events, i, options.language), whole.tags[i].text) << i;
}

}  // namespace
}  // namespace lanescope::diagram
