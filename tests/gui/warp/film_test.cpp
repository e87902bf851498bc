// The film of a warp with many steps: zoom, scroll, overview map, and search.

#include <algorithm>
#include <string>

#include "driver.h"
#include "imgui_internal.h"
#include "metrics/step_pyramid.h"

namespace lanescope::test {
namespace {

using gui::Session;
using trace::EventKind;

// The lesson's kernel with a long loop before it. Every 97th iteration diverges, and every 61st reads far apart.
std::string with_long_loop(std::string source) {
  const std::size_t brace = source.find("{", source.find("__global__"));
  return source.insert(brace + 1, R"(
  float long_sum = 0;
  for (int turn = 0; turn < 20000; ++turn) {
    int at = threadIdx.x % 32;
    if (turn % 61 == 0) at *= 8;
    if (turn % 97 == 0 && threadIdx.x % 2 == 0) at = 1 + *(volatile const float*)(in + at);
    long_sum += *(volatile const float*)(in + at);
  }
  if (long_sum == 12345.5f) out[0] = long_sum;
)");
}

void runs_long_loop(ImGuiTestContext& ui, Learner& learner) {
  learner.wait(ui);
  learner.types_over_everything(ui, with_long_loop(learner.session().selection.source()));
  ui.KeyPress(ImGuiKey_Escape);
  learner.session().runs.run();
  learner.wait(ui);
  ASSERT_TRUE(learner.session().runs.problems().empty())
      << learner.session().runs.problems().front().message << learner.session().selection.source();
  ASSERT_GT(learner.session().place.step_count(), 40'000u);
}

// The middle of the film, for the pointer.
ImVec2 middle_of_film(ImGuiTestContext& ui) {
  const ImRect at = ui.ItemInfo("**/masks").RectFull;
  return at.GetCenter();
}

TEST(FilmView, ZoomsAndScrollsByWheelAndKeys) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    runs_long_loop(ui, learner);
    const std::size_t steps = s.place.step_count();
    const auto of_all = [steps](double share) { return share * static_cast<double>(steps); };
    const auto part = [&] { return learner.app().window().film().painted(); };
    EXPECT_FALSE(learner.app().window().film().shows_all());
    const std::size_t usual = part().count;
    EXPECT_LT(usual, 400u);

    ui.KeyPress(ImGuiKey_0);
    ui.Yield(2);
    EXPECT_EQ(part().first, 0u);
    EXPECT_EQ(part().count, steps);
    learner.saves(ui, "film_whole");
    // Zooming keeps the step under the pointer in place.
    ui.MouseMoveToPos(middle_of_film(ui));
    for (int i = 0; i < 20; ++i) ui.MouseWheelY(1);
    ui.Yield(2);
    EXPECT_LT(part().count, steps / 50);
    EXPECT_NEAR(static_cast<double>(part().first + part().count / 2), of_all(0.5), of_all(0.02));
    const std::size_t first = part().first;
    ui.KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
    ui.Yield(2);
    EXPECT_NEAR(static_cast<double>(part().first), static_cast<double>(first + part().count / 2), 2.0);
    ui.KeyPress(ImGuiMod_Shift | ImGuiKey_LeftArrow);
    ui.Yield(2);
    EXPECT_NEAR(static_cast<double>(part().first), static_cast<double>(first), 2.0);
    const std::size_t count = part().count;
    ui.KeyPress(ImGuiKey_Equal);
    ui.Yield(2);
    EXPECT_LT(part().count, count);
    // Going to a step scrolls it into view.
    ui.KeyPress(ImGuiKey_End);
    ui.Yield(2);
    EXPECT_EQ(s.place.position().step, steps - 1);
    EXPECT_EQ(part().first + part().count, steps);
    // Zoom ends when each step has its own column.
    for (int i = 0; i < 40; ++i) ui.KeyPress(ImGuiKey_Equal);
    ui.Yield(2);
    EXPECT_GE(part().count, 4u);
    EXPECT_LT(part().count, 40u);
  });
}

TEST(FilmView, TheMapGoesToAnyStepAndAClickChoosesIt) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    runs_long_loop(ui, learner);
    const auto of_all = [steps = s.place.step_count()](double share) { return share * static_cast<double>(steps); };
    ui.ItemClick("**/scrub");  // its middle
    ui.Yield(2);
    EXPECT_NEAR(static_cast<double>(s.place.position().step), of_all(0.5), of_all(0.01));
    ui.KeyPress(ImGuiKey_0);
    ui.Yield(2);
    const ImRect film = ui.ItemInfo("**/masks").RectFull;
    ui.MouseMoveToPos({film.Min.x + film.GetWidth() / 4, film.GetCenter().y});
    ui.MouseClick();
    ui.Yield(2);
    EXPECT_NEAR(static_cast<double>(s.place.position().step), of_all(0.25), of_all(0.01));
    // Dragging moves the film and selects nothing.
    for (int i = 0; i < 12; ++i) ui.MouseWheelY(1);
    ui.Yield(2);
    const std::size_t before = s.place.position().step, first = learner.app().window().film().painted().first;
    ui.MouseDown();
    ui.MouseMoveToPos({film.Min.x + film.GetWidth() / 8, film.GetCenter().y});
    ui.MouseUp();
    ui.Yield(2);
    EXPECT_GT(learner.app().window().film().painted().first, first);
    EXPECT_EQ(s.place.position().step, before);
  });
}

// What was clicked can be gone away from and come back to.
// One step's number is wider than another's.
TEST(FilmView, NothingBesideTheCountMovesWhileStepping) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    runs_long_loop(ui, learner);
    s.place.set_step(0);
    ui.Yield(3);
    const ImRect map = ui.ItemInfo("**/scrub").RectFull, find = ui.ItemInfo("**/find step").RectFull;
    for (const std::size_t step : {6u, 10u, 110u, 1110u, 8887u, 40000u}) {
      s.place.set_step(step);
      ui.Yield(3);
      EXPECT_EQ(ui.ItemInfo("**/scrub").RectFull.Max.x, map.Max.x) << step;
      EXPECT_EQ(ui.ItemInfo("**/find step").RectFull.Min.x, find.Min.x) << step;
    }
  });
}

TEST(FilmView, AClickedColumnIsPinnedAndItsLineIsLinked) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::FilmView& film = learner.app().window().film();
    const std::size_t load = s.place.position().step;
    const int line = s.place.site()->line;
    EXPECT_FALSE(film.pinned(s));
    const ImRect masks = ui.ItemInfo("**/masks").RectFull;
    const float pitch = std::min(72.0f, masks.GetWidth() / static_cast<float>(s.place.step_count()));
    ui.MouseMoveToPos({masks.Min.x + pitch * (static_cast<float>(load) + 0.4f), masks.GetCenter().y});
    ui.Yield(3);
    EXPECT_EQ(learner.state().linked_line.shown, line) << "under the pointer";
    ui.MouseClick();
    ui.Yield(2);
    EXPECT_EQ(film.pinned(s), load);
    ui.MouseMoveToPos({10, 10});
    ui.KeyPress(ImGuiKey_Home);
    ui.Yield(3);
    EXPECT_EQ(s.place.position().step, 0u);
    EXPECT_EQ(film.pinned(s), load);
    EXPECT_EQ(learner.state().linked_line.shown, line) << "of the pin";
    EXPECT_TRUE(learner.says(ui, "step " + std::to_string(load + 1) + " · ld.global.f32 · line " +
                                     std::to_string(line) + " · 32 of 32 executed"));
    learner.saves(ui, "film_pinned");
    ui.ItemClick("**/pinned step");
    ui.Yield(2);
    EXPECT_EQ(s.place.position().step, load);
    // Another warp has its own steps.
    ui.KeyPress(ImGuiKey_DownArrow);
    ui.Yield(2);
    EXPECT_FALSE(film.pinned(s));
    ui.KeyPress(ImGuiKey_UpArrow);
    ui.Yield(2);
    EXPECT_EQ(film.pinned(s), load);
    ui.MouseMoveToPos({10, 10});
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_FALSE(film.pinned(s));
    EXPECT_EQ(learner.state().linked_line.shown, 0);
  });
}

TEST(FilmView, FindsWhatHappensByKeysAndFromTheMenu) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    runs_long_loop(ui, learner);
    const trace::Trace& trace = s.runs.shown()->outcome.first().trace;
    const auto events = [&] { return trace.warp(s.place.position().block, s.place.position().warp); };
    const auto divergent = [&](const trace::WarpEvent& e) {
      return e.kind == EventKind::branch && !e.executed.empty() && e.executed != e.active;
    };
    ui.KeyPress(ImGuiKey_Home);
    ui.KeyPress(ImGuiKey_D);
    ui.Yield(2);
    const auto first = std::ranges::find_if(events(), divergent);
    if (first == events().end()) {  // the compiler turned it into a guard
      EXPECT_TRUE(learner.says(ui, "No kept step is a branch on which lanes disagree."));
    } else {
      EXPECT_EQ(s.place.position().step, static_cast<std::size_t>(first - events().begin()));
    }
    ui.KeyPress(ImGuiKey_Home);
    ui.ItemClick("**/find step");
    ui.ItemClick("//$FOCUSED/worst");
    ui.Yield(2);
    std::uint32_t most = 0;
    for (const trace::WarpEvent& event : events()) most = std::max(most, metrics::excess(trace, event));
    ASSERT_GT(most, 0u);
    const std::size_t worst = s.place.position().step;
    EXPECT_EQ(metrics::excess(trace, *s.place.event()), most);
    ui.KeyPress(ImGuiKey_W);
    ui.Yield(2);
    EXPECT_GT(s.place.position().step, worst);
    EXPECT_EQ(metrics::excess(trace, *s.place.event()), most);
    ui.KeyPress(ImGuiMod_Shift | ImGuiKey_W);
    ui.Yield(2);
    EXPECT_EQ(s.place.position().step, worst);

    const int line = s.place.site()->line;
    ui.KeyPress(ImGuiKey_L);
    ui.Yield(2);
    EXPECT_EQ(s.place.site()->line, line);
    EXPECT_EQ(s.place.event()->kind, EventKind::memory);
    EXPECT_GT(s.place.position().step, worst);
    const std::size_t there = s.place.position().step;
    EXPECT_TRUE(std::none_of(events().begin() + static_cast<std::ptrdiff_t>(worst) + 1,
                             events().begin() + static_cast<std::ptrdiff_t>(there), [&](const trace::WarpEvent& e) {
                               return e.kind == EventKind::memory && trace.sites[e.site].line == line;
                             }));
  });
}

TEST(FilmView, ShortFilmsLookAsEver) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::FilmView& film = learner.app().window().film();
    ASSERT_LT(s.place.step_count(), 100u);
    EXPECT_TRUE(film.shows_all());
    const std::size_t all = film.painted().count;
    ui.KeyPress(ImGuiKey_Minus);
    ui.KeyPress(ImGuiKey_0);
    ui.Yield(2);
    EXPECT_EQ(film.painted().count, all);
    EXPECT_TRUE(film.shows_all());
  });
}

}  // namespace
}  // namespace lanescope::test
