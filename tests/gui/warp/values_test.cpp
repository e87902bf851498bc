// Time travel: the values of the step on screen, and the way from a wrong element to its last writer.

#include "driver.h"
#include "imgui_internal.h"
#include "on_screen.h"

#include <gmock/gmock.h>

namespace lanescope {
namespace {

using gui::Session;
using test::Learner;

TEST(Values, AreThoseOfTheStepOnScreenInThreeBases) {
  gui::Options options;
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.selection.set_control("stride", 8);
    s.runs.run_if_needed();
    learner.wait(ui);
    // The load of in[i * stride] by block 1's warp 2.
    s.place.set_block(1);
    s.place.set_warp(2);
    const std::uint32_t block_threads = s.runs.shown()->outcome.first().trace.launch.block.x;
    for (std::size_t step = 0; step < s.place.step_count(); ++step) {
      s.place.set_step(step);
      if (s.place.site()->operation == trace::Operation::load && s.place.event()->space == trace::MemorySpace::global)
        break;
    }
    ui.ItemClick("**/values");
    ASSERT_TRUE(s.replays.open);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.values() != nullptr; }));
    const Result<job::StepValues>& values = *s.replays.values();
    ASSERT_TRUE(values) << format(values.errors()[0]);
    ASSERT_EQ(values->access.size(), 1u);
    const std::uint32_t first = 8 * (block_threads + 64);
    EXPECT_EQ(values->access[0].elements[0].names[3], "in[" + std::to_string(first + 24) + "]");
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "in[" + std::to_string(first) + "]"));
    EXPECT_TRUE(learner.says(ui, job::value_text(values->access[0].elements[0].before[3], values->access[0].type)));
    learner.saves(ui, "values");

    ui.ItemClick("**/bits");
    EXPECT_EQ(s.replays.base, job::Base::bits);
    ui.Yield(2);
    EXPECT_TRUE(learner.says(
        ui, job::value_text(values->access[0].elements[0].before[3], values->access[0].type, job::Base::bits)));
    ui.ItemClick("**/decimal");

    // Never the values of another step.
    const sim::Step before = values->step;
    s.place.step_by(1);
    const Result<job::StepValues>* next = s.replays.values();
    EXPECT_TRUE(next == nullptr || (next->ok() && (*next)->step != before));
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.values() != nullptr; }));
    EXPECT_EQ((*s.replays.values())->step.sequence, s.place.event()->sequence);

    // The store that follows is the first to write there: the 0 in the interpreter's memory is no value.
    while (s.place.site()->operation != trace::Operation::store) s.place.step_by(1);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.values() != nullptr; }));
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "never written"));
    ui.ItemClick("**/memory");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.memory.window() != nullptr; }));
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "–"));
    EXPECT_TRUE(learner.says(ui, "never written"));

    ui.ItemClick("**/sectors");
    EXPECT_FALSE(s.replays.open);
  });
}

// Two threads write out[300]. The kept data does not tell who was last; a replay does.
TEST(Values, AWrongElementLeadsToItsLastWriterByReplay) {
  gui::Options options;
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string text = s.selection.original_source();
    const std::size_t at = text.find("out[i] = value;");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 15, "out[i] = value;\n  if (i == 700) out[300] = 1;");
    s.selection.set_source(text);
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "out[300] is 1, expected 2400."));
    ASSERT_TRUE(s.replays.go_to_writer(0));
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.open && s.replays.values() != nullptr; }));
    const std::uint32_t threads = s.runs.shown()->outcome.first().trace.launch.block.x;
    EXPECT_EQ(s.place.position().block, 700 / threads);
    EXPECT_EQ(s.place.position().warp, 700 % threads / 32);
    const Result<job::StepValues>& values = *s.replays.values();
    ASSERT_TRUE(values);
    EXPECT_EQ(values->executed.bits, 1u << (700 % 32));
    EXPECT_EQ(values->access.at(0).elements.at(0).names[700 % 32], "out[300]");
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "out[300]"));
    learner.saves(ui, "last writer");
    EXPECT_EQ(s.replays.lane, 700 % 32);
    ASSERT_EQ(s.replays.trail.size(), 1u);

    // Without the late store, thread 44 of block 1 wrote the element before it; asked for by name.
    s.selection.set_source(s.selection.original_source());
    s.runs.run();
    learner.wait(ui);
    s.replays.go_to_writer_of("out[300]");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.trail.size() == 1 && s.replays.origins() != nullptr; }));
    EXPECT_EQ(s.place.position().block, 1u);
    EXPECT_EQ(s.replays.lane, 44 % 32);
    const gui::Position store = s.place.position();
    ui.Yield(2);
    // From the store back to the load of in[2400], by a click on the step from which the value came.
    const Result<job::Origins>& origins = *s.replays.origins();
    ASSERT_TRUE(origins);
    const auto& from = origins->operands.at(0).from;
    const auto load = std::ranges::find_if(from, [](const job::Origin& one) { return one.parameter.empty(); });
    ASSERT_NE(load, from.end());
    const std::uint32_t sequence = load->step.sequence;
    ui.ItemClick(("**/from-" + std::to_string(sequence)).c_str());
    ASSERT_TRUE(
        learner.wait_for(ui, [&] { return s.place.event()->sequence == sequence && s.replays.origins() != nullptr; }));
    ASSERT_TRUE(*s.replays.origins());
    ASSERT_EQ((*s.replays.origins())->memory.size(), 1u);
    EXPECT_EQ((*s.replays.origins())->memory[0].place, "in[2400]");
    EXPECT_EQ(s.replays.trail.size(), 2u);
    learner.saves(ui, "where it came from");
    s.replays.go_back_to(0);
    EXPECT_EQ(s.place.position().step, store.step);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.values() != nullptr; }));
    ui.Yield(2);
    ui.ItemClick("**/lane-13");
    EXPECT_EQ(s.replays.lane, 13);
    s.replays.go_to_writer_of("nothing[1]");
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "There is no element `nothing[1]`."));
    s.selection.set_source(s.selection.original_source());
    s.runs.run();
    learner.wait(ui);
  });
}

// The panel's buttons come with the pointer.
TEST(Values, TheButtonsOfThePanelLieOverNeitherStepsNorOrigins) {
  gui::Options options;
  options.width = 1280, options.height = 800;
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.replays.go_to_writer_of("out[0]");
    learner.wait(ui);
    const ImRect values = test::window_of_part("origins")->Rect();
    ui.MouseMoveToPos({values.Min.x + 60, values.Min.y - 100});
    ui.Yield(2);
    const ImRect menu = ui.ItemInfo("**/save").RectFull, grow = ui.ItemInfo("**/grow").RectFull;
    for (const char* part : {"way", "origins"}) {
      const ImRect of = test::window_of_part(part)->Rect();
      EXPECT_FALSE(of.Overlaps(menu)) << part;
      EXPECT_FALSE(of.Overlaps(grow)) << part;
    }
    learner.saves(ui, "values_with_buttons");
  });
}

}  // namespace
}  // namespace lanescope
