// A run that fails is shown up to there: at the step that failed, labelled, and never taken for a whole run.

#include "driver.h"

#include <cstdlib>

#include "imgui_internal.h"
#include "kernel_folder.h"
#include "on_screen.h"

namespace lanescope {
namespace {

using gui::RunResult;
using gui::Session;
using test::KernelFolder;
using test::Learner;

// n is 4,096: thread 0 of block 16 reads in[4096].
const std::string one_too_many =
    "// run: --grid 17 --block 256 --arg f32[4096]=0 --arg f32[4096]=iota --arg i32=4096\n"
    "__global__ void copy(float* out, const float* in, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i <= n) out[i] = in[i];\n"
    "}\n";

gui::Options opens(const std::string& file) {
  gui::Options options;
  options.run = file;
  return options;
}

// The place on screen is the step that failed.
bool stands_at_fault(const Session& s) {
  const RunResult* shown = s.runs.shown();
  if (shown == nullptr || shown->fault() == nullptr) return false;
  const gui::Position at = s.place.position();
  return at.block == shown->fault()->block && at.warp == shown->fault()->warp && at.step == shown->fault_step();
}

// Clicks the first message below the code.
void clicks_message(ImGuiTestContext& ui) {
  const ImGuiWindow* problems = test::window_of_part("problems");
  ASSERT_NE(problems, nullptr);
  ui.MouseMoveToPos({problems->Pos.x + 60, problems->Pos.y + 20});
  ui.Yield(2);
  ui.MouseClick();
  ui.Yield(2);
}

TEST(LongRun, ThePanelsTellHowFarItIs) {
  const KernelFolder folder;
  const std::string file = folder.write("long.cu",
                                        "// run: --grid 50000000 --block 32 --arg f32[32]=0\n"
                                        "__global__ void long_run(float* out) { out[threadIdx.x] = threadIdx.x; }\n");
  Learner learner(opens(file));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.running().blocks_done > 0; }));
    EXPECT_TRUE(learner.wait_for(
        ui, [&] { return learner.says(ui, "of 50,000,000 blocks done"); }, 5));
    learner.saves(ui, "long run");
    s.stop();
    learner.wait(ui);
  });
}

// A loop without an end: where it was when it was stopped.
TEST(Fault, ARunThatIsStoppedIsShownUpToThere) {
  const KernelFolder folder;
  const std::string file = folder.write("endless.cu",
                                        "// run: --grid 2 --block 64 --arg i32[128]=0\n"
                                        "__global__ void spin(int* out) {\n"
                                        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                        "  for (int k = 0;; ++k)\n"
                                        "    out[i] = k;\n"
                                        "}\n");
  Learner learner(opens(file));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.running().busy && s.runs.running().seconds > 2; }));
    ui.ItemClick("**/run kernel");  // the button now says Stop
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().code, "run.cancelled");
    EXPECT_GE(s.runs.problems().front().place.line, 4);
    ASSERT_NE(s.runs.shown(), nullptr);
    ASSERT_NE(s.runs.shown()->fault(), nullptr);
    EXPECT_EQ(s.runs.shown()->fault()->block, 0u);
    EXPECT_TRUE(stands_at_fault(s));
    EXPECT_GE(s.place.site()->line, 4);
    EXPECT_TRUE(learner.says(ui, "kernel spin was stopped: block (0, 0, 0), warp"));
    EXPECT_TRUE(learner.says(ui, "up to the stop"));
    EXPECT_FALSE(learner.says(ui, "fault"));
    EXPECT_FALSE(learner.says(ui, "failed"));
    EXPECT_FALSE(s.runs.running().busy);
    learner.saves(ui, "stopped_in_a_loop");
  });
}

TEST(Fault, TheFirstRunOfAFileIsShownUpToThere) {
  const KernelFolder folder;
  const std::string file = folder.write("one_too_many.cu", one_too_many);
  Learner learner(opens(file));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.shown(), nullptr);
    ASSERT_NE(s.runs.shown()->fault(), nullptr);
    EXPECT_FALSE(s.runs.stale());
    EXPECT_FALSE(s.runs.shows_whole());
    EXPECT_TRUE(stands_at_fault(s));
    EXPECT_EQ(s.place.position().block, 16u);
    EXPECT_EQ(s.place.site()->line, 4);
    EXPECT_TRUE(learner.says(ui, "up to the fault"));
    EXPECT_TRUE(learner.says(ui, "The run failed at this step, in lane 0."));
    EXPECT_TRUE(learner.says(ui, "The access failed, so nothing was moved."));
    EXPECT_FALSE(learner.says(ui, "32 moved"));
    EXPECT_FALSE(learner.says(ui, "moved for nothing"));
    EXPECT_TRUE(test::part_is_shown("problems"));
    learner.saves(ui, "fault_first_run");

    // Which index was it? The values of the step that failed, before it.
    s.replays.open = true;
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.values() != nullptr; }));
    const auto& values = *s.replays.values();
    ASSERT_TRUE(values) << format(values.errors().front());
    EXPECT_FALSE(values->done);
    ui.Yield(3);
    learner.saves(ui, "fault_values");
    s.replays.open = false;

    // Elsewhere nothing is said; the message leads back.
    s.place.set_block(2);
    s.place.set_step(0);
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "The run failed at this step"));
    EXPECT_TRUE(learner.says(ui, "up to the fault"));
    clicks_message(ui);
    learner.wait(ui);
    EXPECT_TRUE(stands_at_fault(s));
  });
}

TEST(Fault, IsSaidInFrontOfAClass) {
  const KernelFolder folder;
  const std::string file = folder.write("one_too_many.cu", one_too_many);
  Learner learner(opens(file));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().present = true;
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "The run failed at this step, in lane 0."));
    EXPECT_TRUE(learner.says(ui, "The access failed, so nothing was moved."));
    EXPECT_FALSE(learner.says(ui, "32 moved"));
    EXPECT_FALSE(learner.says(ui, "moved for nothing"));
    learner.saves(ui, "fault_presented");

    // Another warp of the same line moved what it says.
    s.place.set_block(2);
    for (std::size_t step = 0; step < s.place.step_count(); ++step) {
      s.place.set_step(step);
      if (s.place.site()->operation == trace::Operation::load && s.place.site()->space == trace::MemorySpace::global)
        break;
    }
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "128 moved"));
    EXPECT_FALSE(learner.says(ui, "The run failed"));
  });
}

// The launch that failed is shown until a whole run replaces it: then the chosen one is there again.
TEST(Fault, OfALaterLaunchLeadsThereAndBack) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    s.choose("cooperative_groups", "full_multi_launch", {});
    learner.wait(ui);
    ASSERT_EQ(s.runs.launch_count(), 3);
    const std::string own = s.selection.source();
    std::string failing = own;
    failing.replace(failing.find("  // @phase store"), 0, "  if (gridDim.x == 1) sums[1000000000] = 1;\n");
    const auto runs = [&](const std::string& text) {
      s.selection.set_source(text);
      s.runs.run();
      learner.wait(ui);
    };
    for (const int chosen : {1, 2}) {
      SCOPED_TRACE(chosen);
      s.runs.set_launch(chosen);
      runs(failing);
      ASSERT_EQ(s.runs.shown(s.selection.variant_index())->faulty_launch(), 3);
      EXPECT_EQ(s.runs.launch(), 3);
      EXPECT_TRUE(stands_at_fault(s));
      runs(failing);
      EXPECT_EQ(s.runs.launch(), 3) << "still";
      runs(own);
      ASSERT_TRUE(s.runs.shows_whole());
      EXPECT_EQ(s.runs.launch(), chosen);
    }
    // Chosen since the fault: it stays.
    runs(failing);
    s.runs.set_launch(1);
    runs(own);
    EXPECT_EQ(s.runs.launch(), 1);
  });
}

TEST(Fault, TheLastWriterOfAnElementIsFoundUpToThere) {
  const KernelFolder folder;
  const std::string file = folder.write("one_too_many.cu", one_too_many);
  Learner learner(opens(file));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.replays.go_to_writer_of("out[70]");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return !s.replays.said.empty(); }));
    EXPECT_EQ(s.place.position().block, 0u);
    EXPECT_EQ(s.place.position().warp, 2u);
    EXPECT_EQ(s.replays.lane, 6);
  });
}

TEST(Fault, OfEveryKindLeadsToItsStep) {
  struct Kind {
    std::string code, kernel;
    bool is_step;  // the step on screen is the access that failed
  };
  const Kind kinds[] = {
      {"memory.out_of_bounds", "out[threadIdx.x * 1000] = 1;", true},
      {"memory.misaligned", "*(float2*)(out + 1 + threadIdx.x) = make_float2(1, 2);", true},
      {"memory.null", "float* none = out - ((unsigned long long)out >> 2); none[0] = 1;", true},
      {"memory.out_of_bounds", "__shared__ int s[40]; s[threadIdx.x] = 1; out[0] = s[(threadIdx.x + 1) % 40];", true},
      {"run.trap", "if (threadIdx.x == 37) __trap(); out[threadIdx.x] = 1;", false},
      {"barrier.not_reached_by_all",
       "if (threadIdx.x < 32) __syncthreads(); else while (((volatile float*)out)[0] == 0);", false},
  };
  const KernelFolder folder;
  int number = 0;
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.kernel);
    const std::string file = folder.write(
        "kind" + std::to_string(++number) + ".cu",
        "// run: --grid 2 --block 64 --arg f32[64]=0\n__global__ void k(float* out) {\n  " + kind.kernel + "\n}\n");
    Learner learner(opens(file));
    Session& s = learner.session();
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      ASSERT_FALSE(s.runs.problems().empty());
      ASSERT_NE(s.runs.shown(), nullptr) << format(s.runs.problems().front());
      EXPECT_TRUE(stands_at_fault(s)) << format(s.runs.problems().front());
      EXPECT_TRUE(learner.says(ui, kind.is_step ? "The run failed at this step" : "The run failed after this step"));
      learner.saves(ui, "fault_kind_" + std::to_string(number));
    });
  }
}

// The events up to the block that fails do not fit: those of its own block are shown.
TEST(Fault, LateInALongRunHasItsStepsToo) {
  ASSERT_EQ(::setenv("LANESCOPE_EVENTS_MIB", "1", 1), 0);
  const KernelFolder folder;
  const std::string file = folder.write(
      "late.cu", "// run: --grid 4097 --block 256 --arg f32[1048576]=0 --arg f32[1048576]=iota --arg i32=1048576\n" +
                     one_too_many.substr(one_too_many.find('\n') + 1));
  Learner learner(opens(file));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_TRUE(stands_at_fault(s));
    EXPECT_EQ(s.place.position().block, 4096u);
    EXPECT_TRUE(s.runs.shown()->reaches_fault());
    EXPECT_TRUE(learner.says(ui, "The run failed at this step, in lane 0."));
    s.place.set_block(0);
    EXPECT_GT(s.place.step_count(), 0u) << "the first block is there to compare with";
  });
  ::unsetenv("LANESCOPE_EVENTS_MIB");
}

// In a lesson: neither checks nor answers come from it, and mended code is shown as a whole run again.
TEST(Fault, OfALessonsCodeIsNoResult) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    ASSERT_TRUE(s.runs.shows_whole());
    const std::string own = s.selection.source();
    ASSERT_TRUE(learner.runs_changed(ui, "[i * stride]", "[i * stride + 100000000]"));
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_FALSE(s.runs.stale());
    EXPECT_FALSE(s.runs.shows_whole());
    EXPECT_TRUE(stands_at_fault(s));
    EXPECT_TRUE(s.runs.shown()->outcome.checks.empty());
    EXPECT_TRUE(s.runs.shown()->wrong.empty());
    EXPECT_FALSE(s.selection.versions(s.selection.variant_index())) << "it is no version to go back to";
    EXPECT_TRUE(learner.says(ui, "up to the fault"));
    learner.saves(ui, "fault_in_a_lesson");
    // It does not compile now: what is on screen is of the run before, and says so.
    s.selection.set_source("__global__ void mistake(");
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(s.runs.stale());
    EXPECT_TRUE(learner.says(ui, "old: up to a fault"));
    learner.saves(ui, "fault_old");
    s.selection.set_source(own);
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(s.runs.shows_whole());
    EXPECT_FALSE(learner.says(ui, "up to a"));
    EXPECT_FALSE(learner.says(ui, "up to the fault"));
  });
}

}  // namespace
}  // namespace lanescope
