// A bug in a lesson's kernel is found by following last writers, as docs/using.md tells click by click.

#include "driver.h"

#include <gmock/gmock.h>

namespace lanescope {
namespace {

using gui::Session;
using test::Learner;

class SeededBug : public testing::Test {
 protected:
  // Runs the lesson's code with `right` replaced by `seeded`, and goes to the last writer of the first wrong element.
  void finds(const std::string& lesson, const std::string& variant, const std::string& right, const std::string& seeded,
             const std::function<void(Session&, Learner&, ImGuiTestContext&)>& follow) {
    gui::Options options;
    options.lesson = lesson;
    options.variant = variant;
    Learner learner(options);
    Session& s = learner.session();
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      learner.state().uncovered = true;
      ASSERT_TRUE(learner.runs_changed(ui, right, seeded));
      ASSERT_NE(s.runs.shown(), nullptr);
      ASSERT_FALSE(s.runs.shown()->wrong.empty()) << "the bug does not show";
      follow(s, learner, ui);
    });
  }
  static bool follows(Session& s, Learner& learner, ImGuiTestContext& ui) {
    return s.replays.go_to_writer(0) &&
           learner.wait_for(ui, [&] { return s.replays.open && s.replays.origins() != nullptr; });
  }
  // By a click on the step of the nth value that a lane of the step got, whichever it is.
  static bool goes_back(Session& s, Learner& learner, ImGuiTestContext& ui) {
    for (const job::OperandOrigins& operand : (*s.replays.origins())->operands)
      for (const job::Origin& from : operand.from) {
        if (operand.address || !from.parameter.empty()) continue;
        const std::uint32_t sequence = from.step.sequence;  // what it is of goes with the step
        const std::string row = "**/from-" + std::to_string(sequence);
        if (!learner.wait_for(ui, [&] { return ui.ItemExists(row.c_str()); })) return false;
        ui.ItemClick(row.c_str());
        return learner.wait_for(ui, [&] {
          return s.place.event()->sequence == sequence && s.replays.origins() != nullptr &&
                 s.replays.values() != nullptr;
        });
      }
    return false;
  }
};

// Coalescing: the value of out[0] was loaded from in[1].
TEST_F(SeededBug, IndexOffByOne) {
  finds("coalescing", "stride", "in[i * stride]", "in[i * stride + 1]", [](Session& s, Learner& learner, auto& ui) {
    ASSERT_TRUE(follows(s, learner, ui));
    ASSERT_TRUE(goes_back(s, learner, ui));
    ASSERT_TRUE(*s.replays.origins());
    EXPECT_EQ((*s.replays.origins())->memory.at(0).place, "in[1]");
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "in[1]"));
    learner.saves(ui, "bug off by one");
  });
}

// Divergence: warp 0 adds elements that warp 2 has not yet added to.
TEST_F(SeededBug, MissingBarrier) {
  const char* const loop_end = "    }\n    __syncthreads();";
  finds("divergence", "reduce_sequential", loop_end, "    }", [](Session& s, Learner& learner, auto& ui) {
    ASSERT_TRUE(follows(s, learner, ui));
    ASSERT_TRUE(goes_back(s, learner, ui));  // to the load of partial[0]
    // The add before it that reads partial[64].
    const auto reads_64 = [&] {
      const trace::WarpEvent& at = *s.place.event();
      return at.kind == trace::EventKind::memory && at.space == trace::MemorySpace::shared && at.executed.test(0) &&
             s.place.site()->operation == trace::Operation::load &&
             s.runs.shown()->outcome.first().trace.address(at, 0) == 64 * 4;
    };
    while (s.place.position().step > 0 && !reads_64()) s.place.step_by(-1);
    ASSERT_TRUE(reads_64());
    ui.ItemClick("**/memory");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.memory.window() != nullptr && ui.ItemExists("**/cell-64"); }));
    ui.ItemClick("**/cell-64");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.memory.told() != nullptr; }));
    ASSERT_TRUE(*s.memory.told());
    const gui::Memory::Told& told = **s.memory.told();
    ASSERT_TRUE(told.writer && told.next.overwrite);
    EXPECT_EQ(told.writer->thread, 64u);
    EXPECT_EQ(told.next.overwrite->thread, 64u);
    EXPECT_GT(told.next.overwrite->line, told.writer->line);  // stored at the load, added to only afterwards
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "Then written again"));
    learner.saves(ui, "bug missing barrier");
  });
}

// Divergence: nobody writes the last block's sum.
TEST_F(SeededBug, WrongGuard) {
  finds("divergence", "reduce_sequential", "if (t == 0) block_sums",
        "if (t == 0 && blockIdx.x + 1 < gridDim.x) block_sums", [](Session& s, Learner& learner, auto& ui) {
          const job::WrongElement wrong = s.runs.shown()->wrong[0].element;
          const std::string element = wrong.buffer + "[" + std::to_string(wrong.index) + "]";
          s.replays.go_to_writer_of(element);
          ASSERT_TRUE(learner.wait_for(ui, [&] { return !s.replays.said.empty(); }));
          ui.Yield(3);
          EXPECT_TRUE(learner.says(ui, "No thread writes to " + element));
          learner.saves(ui, "bug wrong guard");
        });
}

// Half atomics: the sum goes through a half that cannot hold it.
TEST_F(SeededBug, HalfOverflow) {
  finds("half_atomics", "block_then_half", "__float2half(value));",
        "__hmul(__float2half(value * 512.0f), __float2half(1.0f / 512)));", [](Session& s, Learner& learner, auto& ui) {
          ASSERT_TRUE(follows(s, learner, ui));
          ASSERT_TRUE(*s.replays.origins());
          const auto& operands = (*s.replays.origins())->operands;
          EXPECT_TRUE(std::ranges::any_of(operands, [](const auto& one) { return one.value == "inf"; }));
          ui.Yield(3);
          EXPECT_TRUE(learner.says(ui, "inf"));
          learner.saves(ui, "bug half overflow");
        });
}

}  // namespace
}  // namespace lanescope
