// The window with a GPU: what it says if something does not arrive. A stand-in fails in place of the GPU.

#include <algorithm>

#include "core/os/clock.h"
#include "gpu/with_a_gpu.h"

namespace lanescope::test {
namespace {

TEST(Gpu, AFaultIsSaidAndTheNextRunGoesOn) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->mood = Mood::faults;
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu(), nullptr);
    ASSERT_EQ(s.runs.gpu()->problems.size(), 2u);
    EXPECT_EQ(s.runs.gpu()->problems[0].code, "gpu.kernel_fault");
    EXPECT_EQ(s.runs.gpu()->problems[1].place.line, 7) << "the interpreter's word, and its line";
    EXPECT_FALSE(s.runs.gpu()->timing);
    EXPECT_FALSE(s.runs.gpu()->first().recorded);
    EXPECT_NE(s.runs.shown(), nullptr) << "the interpreter's picture stays";
    learner.saves(ui, "gpu-fault");
    const int before = gpu->runs;
    learner.wait(ui);
    EXPECT_EQ(gpu->runs, before) << "what failed is not tried again by itself";
    gpu->mood = Mood::answers;
    ui.KeyPress(ImGuiKey_Space);
    learner.wait(ui);
    EXPECT_EQ(gpu->runs, before + 1);
    EXPECT_TRUE(s.runs.gpu()->problems.empty());
    EXPECT_TRUE(s.runs.gpu()->timing);
  });
}

TEST(Gpu, AWorkerThatIsLostWhileRecordingLeavesTheTimeAndSaysWhy) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->mood = Mood::crashes_while_recording;
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu(), nullptr);
    EXPECT_TRUE(s.runs.gpu()->timing);
    ASSERT_TRUE(s.runs.gpu()->first().agreement);
    ASSERT_FALSE(s.runs.gpu()->first().agreement->diagnostics.empty());
    EXPECT_FALSE(s.runs.gpu()->first().recorded);
    s.runs.show_recorded(true);
    EXPECT_FALSE(s.runs.shows_recorded()) << "nothing was recorded";
    ui.ItemClick("**/results agreement");
    ui.Yield(2);
    learner.saves(ui, "agreement-lost");
  });
}

TEST(Gpu, WhatHangsIsStoppedByTheLearner) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->mood = Mood::hangs;
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.gpu_running().busy && gpu->runs == 1; }));
    ui.Yield(3);
    ui.ItemClick("**/stop gpu");
    learner.wait(ui);
    EXPECT_FALSE(s.runs.gpu_running().busy);
    ASSERT_NE(s.runs.gpu(), nullptr);
    EXPECT_TRUE(s.runs.gpu()->stopped);
    EXPECT_FALSE(s.runs.gpu()->timing);
    EXPECT_TRUE(s.runs.gpu()->problems.empty()) << "what was stopped did not fail";
  });
}

TEST(Gpu, StoppedBetweenStagesWhatHasArrivedStays) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->last_stage = static_cast<int>(GpuStage::timing);
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return reached(s, GpuStage::recording); }));
    ui.Yield(3);
    ui.ItemClick("**/stop gpu");
    learner.wait(ui);
    EXPECT_TRUE(s.runs.gpu()->stopped);
    EXPECT_TRUE(s.runs.gpu()->timing);
    EXPECT_FALSE(s.runs.gpu()->first().agreement);
  });
}

TEST(Gpu, TheWindowClosesAtOnceWhileTheGpuHangs) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->mood = Mood::hangs;
  double began = 0;
  {
    Learner learner(with(gpu));
    learner.does([&](ImGuiTestContext& ui) { ASSERT_TRUE(learner.wait_for(ui, [&] { return gpu->runs == 1; })); });
    began = seconds_now();
  }
  EXPECT_LT(seconds_now() - began, 2.0);
}

TEST(Gpu, WhatTheInterpreterRefusesIsNotRun) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const int before = gpu->runs;
    s.selection.set_source("this is no kernel");
    s.runs.run();
    learner.wait(ui);
    EXPECT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(gpu->runs, before);
  });
}

}  // namespace
}  // namespace lanescope::test
