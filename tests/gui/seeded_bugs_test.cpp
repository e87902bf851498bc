// A bug in a lesson's kernel is found by following last writers, click by click as in docs/using.md.

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
  // Clicks the step that gave a lane of this step its nth value.
  static bool goes_back(Session& s, Learner& learner, ImGuiTestContext& ui, int nth = 0) {
    for (const job::OperandOrigins& operand : (*s.replays.origins())->operands)
      for (const job::Origin& from : operand.from) {
        if (operand.address || !from.parameter.empty() || nth-- > 0) continue;
        const std::uint32_t sequence = from.step.sequence;  // the origin's data changes with the step
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
  // Repeats this until a step reads memory; returns the element, "in[1]".
  static std::string goes_back_to_memory(Session& s, Learner& learner, ImGuiTestContext& ui) {
    for (int steps = 0; steps < 6; ++steps) {
      if (!goes_back(s, learner, ui) || !*s.replays.origins()) return "nothing to click";
      if (const auto& memory = (*s.replays.origins())->memory; !memory.empty()) return memory[0].place;
    }
    return "no memory";
  }
  // Clicks what the step loads, to go to the step that wrote it.
  static bool goes_to_who_wrote_it(Session& s, Learner& learner, ImGuiTestContext& ui) {
    const std::uint32_t before = s.place.event()->sequence;
    if (!learner.wait_for(ui, [&] { return ui.ItemExists("**/memory-origin"); })) return false;
    ui.ItemClick("**/memory-origin");
    return learner.wait_for(ui, [&] {
      return s.place.event()->sequence != before && s.replays.origins() != nullptr && s.replays.values() != nullptr;
    });
  }
  // With the arrow key, to the last load from shared memory before the step.
  static bool steps_back_to_shared_load(Session& s, ImGuiTestContext& ui) {
    while (s.place.position().step > 0) {
      ui.KeyPress(ImGuiKey_LeftArrow);
      if (s.place.event()->space == trace::MemorySpace::shared && s.place.site()->operation == trace::Operation::load)
        return true;
    }
    return false;
  }
  // Clicks an element that is on screen under Memory; null if it cannot be clicked.
  static const gui::Memory::Told* clicks_cell(Session& s, Learner& learner, ImGuiTestContext& ui, int cell) {
    const std::string item = "**/cell-" + std::to_string(cell);
    ui.ItemClick("**/memory");
    if (!learner.wait_for(ui, [&] { return s.memory.window() != nullptr && ui.ItemExists(item.c_str()); }))
      return nullptr;
    ui.ItemClick(item.c_str());
    if (!learner.wait_for(ui, [&] { return s.memory.told() != nullptr; }) || !*s.memory.told()) return nullptr;
    return &**s.memory.told();
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
    EXPECT_GT(told.next.overwrite->line, told.writer->line);  // stored at the load; the additions come later
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

// Shuffle reduce: each warp passes on lane 1's sum, which is incomplete.
TEST_F(SeededBug, WrongLane) {
  finds("shuffle_reduce", "block_shuffle", "if (lane == 0) warp_sums", "if (lane == 1) warp_sums",
        [](Session& s, Learner& learner, auto& ui) {
          ASSERT_TRUE(follows(s, learner, ui));
          ASSERT_TRUE(steps_back_to_shared_load(s, ui));
          const gui::Memory::Told* told = clicks_cell(s, learner, ui, 0);
          ASSERT_NE(told, nullptr);
          ASSERT_TRUE(told->writer);
          EXPECT_EQ(told->writer->thread, 1u);
          ui.Yield(3);
          learner.saves(ui, "bug wrong lane");
        });
}

// Shared-memory copy: the second element stored is the first one loaded.
TEST_F(SeededBug, WrongElementOfShared) {
  finds("shared_memory_copy", "copy_shared", "= tile[t + blockDim.x];", "= tile[t];",
        [](Session& s, Learner& learner, auto& ui) {
          ASSERT_TRUE(follows(s, learner, ui));
          EXPECT_EQ(goes_back_to_memory(s, learner, ui), "tile[0]");
          ASSERT_TRUE(goes_to_who_wrote_it(s, learner, ui));
          EXPECT_EQ(goes_back_to_memory(s, learner, ui), "in[0]");
          ui.Yield(2);
          EXPECT_TRUE(learner.says(ui, "in[0]"));
          learner.saves(ui, "bug wrong element");
        });
}

// Cooperative groups: one tile's sum is left over, and nobody reads it.
TEST_F(SeededBug, LoopEndsEarly) {
  finds("cooperative_groups", "batched_tiles", "i < tile.meta_group_size()", "i < tile.meta_group_size() - 1",
        [](Session& s, Learner& learner, auto& ui) {
          ASSERT_TRUE(follows(s, learner, ui));
          ASSERT_TRUE(steps_back_to_shared_load(s, ui));
          while (steps_back_to_shared_load(s, ui)) {
          }
          while (s.place.position().step + 1 < s.place.step_count() &&
                 !(s.place.event()->space == trace::MemorySpace::shared &&
                   s.place.site()->operation == trace::Operation::load))
            ui.KeyPress(ImGuiKey_RightArrow);  // to the first one
          const std::uint32_t warps = s.runs.shown()->outcome.first().trace.launch.warps_per_block();
          const gui::Memory::Told* told = clicks_cell(s, learner, ui, static_cast<int>(warps) - 1);
          ASSERT_NE(told, nullptr);
          ASSERT_TRUE(told->writer);
          EXPECT_EQ(told->writer->thread, (warps - 1) * 32);
          EXPECT_TRUE(told->next.readers.empty());
          ui.Yield(3);
          learner.saves(ui, "bug loop ends early");
        });
}

// Transpose: the tile is not transposed.
TEST_F(SeededBug, IndicesExchanged) {
  finds("transpose", "tiled", "tile[x][y];", "tile[y][x];", [](Session& s, Learner& learner, auto& ui) {
    ASSERT_TRUE(follows(s, learner, ui));
    EXPECT_EQ(goes_back_to_memory(s, learner, ui), "tile[0][1]");  // the neighbour in the row, not in the column
    ASSERT_TRUE(goes_to_who_wrote_it(s, learner, ui));
    EXPECT_EQ(goes_back_to_memory(s, learner, ui), "in[1]");
    ui.Yield(2);
    learner.saves(ui, "bug indices exchanged");
  });
}

// Matrix multiply: each row of the tile is the next row of B.
TEST_F(SeededBug, TileShifted) {
  finds("matrix_multiply", "tiled", "b[(begin + y) * n + column]", "b[(begin + (y + 1) % 32) * n + column]",
        [](Session& s, Learner& learner, auto& ui) {
          ASSERT_TRUE(follows(s, learner, ui));
          EXPECT_EQ(goes_back_to_memory(s, learner, ui), "tile_b[31][0]");
          ASSERT_TRUE(goes_to_who_wrote_it(s, learner, ui));
          EXPECT_EQ(goes_back_to_memory(s, learner, ui), "b[12288]");  // of row 96, not of row 127
          ui.Yield(2);
          learner.saves(ui, "bug tile shifted");
        });
}

// Pipelines: element 1022's neighbour is used for the last element.
TEST_F(SeededBug, WrapsTooEarly) {
  finds("pipelines", "one_tile", "(i + 1) % 1024", "(i + 1) % 1023", [](Session& s, Learner& learner, auto& ui) {
    EXPECT_EQ(s.runs.shown()->wrong[0].element.index, 1022);
    ASSERT_TRUE(follows(s, learner, ui));
    const std::uint32_t store = s.place.event()->sequence;
    std::string read;
    for (int nth = 0; nth < 2; ++nth) {
      ASSERT_TRUE(
          learner.wait_for(ui, [&] { return s.place.event()->sequence == store && s.replays.origins() != nullptr; }));
      ASSERT_TRUE(goes_back(s, learner, ui, nth)) << nth;
      ASSERT_FALSE((*s.replays.origins())->memory.empty());
      read += (*s.replays.origins())->memory[0].place + "; ";
      if (nth == 0) s.replays.go_back_to(s.replays.trail.size() - 2);
    }
    EXPECT_THAT(read, testing::AllOf(testing::HasSubstr("tile[1022];"), testing::HasSubstr("tile[0];")));
    learner.saves(ui, "bug wraps too early");
  });
}

}  // namespace
}  // namespace lanescope
