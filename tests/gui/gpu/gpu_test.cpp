// The window with a GPU: which one it uses, and what arrives when. A stand-in answers in place of the GPU.

#include <algorithm>

#include "core/os/clock.h"
#include "gpu/with_a_gpu.h"
#include "gui/time/sweep_plot.h"

namespace lanescope::test {
namespace {

TEST(Gpu, WithoutOneTheMenuSaysWhyAndOffersTheInterpreterAlone) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->missing = {{Severity::error, "gpu.no_driver", {}, "No NVIDIA driver was found.", "Install one."}};
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(s.runs.gpus().chosen(), nullptr);
    ASSERT_FALSE(s.runs.gpus().missing().empty());
    ui.ItemClick("**/device");
    EXPECT_TRUE(ui.ItemExists("//$FOCUSED/cpu"));
    EXPECT_FALSE(ui.ItemExists("//$FOCUSED/gpu 0"));
    EXPECT_FALSE(ui.ItemExists("//$FOCUSED/l2 warm"));
    learner.saves(ui, "gpu-missing");
    ui.PopupCloseAll();
    ui.ItemClick("**/results agreement");
    ui.Yield(2);
    learner.saves(ui, "agreement-missing");
    EXPECT_EQ(s.runs.gpu(), nullptr);
    EXPECT_EQ(gpu->runs, 0);
  });
}

TEST(Gpu, OneElsewhereIsAskedForByItsPlace) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->missing = {{Severity::error, "gpu.no_driver", {}, "No NVIDIA driver was found.", "Install one."}};
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto ask = [&](const char* place) {
      ui.ItemClick("**/device");
      ui.ItemInputValue("//$FOCUSED/##place", place);
      learner.wait(ui);
    };
    ask("ssh:nowhere");
    ASSERT_EQ(s.runs.gpus().unreachable().size(), 1u);
    EXPECT_EQ(s.runs.gpus().chosen(), nullptr);
    learner.saves(ui, "gpu-unreachable");
    ui.PopupCloseAll();
    ask("ssh:lab");
    EXPECT_TRUE(s.runs.gpus().unreachable().empty());
    ASSERT_NE(s.runs.gpus().chosen(), nullptr);
    EXPECT_EQ(s.runs.gpus().chosen()->name_and_place(), "Pretend elsewhere (ssh:lab)");
    learner.saves(ui, "gpu-elsewhere");
    ui.PopupCloseAll();
    ASSERT_NE(s.runs.gpu(), nullptr) << "the run on screen goes there";
    EXPECT_EQ(s.runs.gpu()->device.where, "ssh:lab");
    EXPECT_EQ(std::string(gui::label_of(s.runs.gpu()->device)), "Pretend elsewhere (ssh:lab), driver 0.0.0");
  });
}

TEST(Gpu, OneThatIsThereIsTakenAndTheChoiceIsKept) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(learner.session().runs.gpus().chosen(), nullptr);
    EXPECT_EQ(learner.session().runs.gpus().chosen()->index, 0);
    ASSERT_NE(learner.session().runs.gpu(), nullptr);
    turn(ui, "gpu 1");
    learner.wait(ui);
    ASSERT_NE(learner.session().runs.gpu(), nullptr);
    EXPECT_EQ(learner.session().runs.gpu()->device.name, "Pretend 100");
    turn(ui, "l2 warm");
    learner.wait(ui);
    ASSERT_NE(learner.session().runs.gpu(), nullptr);
    EXPECT_EQ(learner.session().runs.gpu()->timing->cache, gpu::CacheState::warm);
  });
  learner.restarts();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(learner.session().runs.gpus().chosen(), nullptr);
    EXPECT_EQ(learner.session().runs.gpus().chosen()->index, 1);
    EXPECT_EQ(learner.session().runs.gpus().cache(), gpu::CacheState::warm);
    turn(ui, "cpu");
    EXPECT_EQ(learner.session().runs.gpu(), nullptr) << "what a GPU said is not shown while the interpreter is chosen";
  });
  learner.restarts();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(learner.session().runs.gpus().chosen(), nullptr);
    EXPECT_EQ(learner.session().runs.gpu(), nullptr);
  });
}

TEST(Gpu, EachAnswerIsShownAsItComes) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->last_stage = -1;
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown() != nullptr && s.runs.gpu_running().busy; }))
        << "the interpreter's picture is there before the GPU has said anything";
    ui.Yield(3);
    EXPECT_TRUE(ui.ItemExists("**/stop gpu"));
    learner.saves(ui, "gpu-waiting");
    gpu->last_stage = static_cast<int>(GpuStage::running);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return reached(s, GpuStage::timing); }));
    EXPECT_TRUE(s.runs.gpu()->ran);
    EXPECT_FALSE(s.runs.gpu()->timing);
    EXPECT_FALSE(ui.ItemExists("**/own/time row"));
    gpu->last_stage = static_cast<int>(GpuStage::timing);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return reached(s, GpuStage::recording); }));
    ui.Yield(2);
    ASSERT_TRUE(s.runs.gpu()->timing);
    EXPECT_FALSE(s.runs.gpu()->first().agreement);
    EXPECT_TRUE(ui.ItemExists("**/own/time row"));
    EXPECT_TRUE(learner.wait_for(ui, [&] { return ui.ItemExists("**/recorded/time row"); }))
        << "the shipped recording stands beside it, once it has been read";
    gpu->last_stage = static_cast<int>(GpuStage::recording);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return reached(s, GpuStage::counting); }));
    ASSERT_TRUE(s.runs.gpu()->first().agreement);
    EXPECT_FALSE(s.runs.gpu()->first().agreement->rows.front().counted);
    ui.ItemClick("**/results agreement");
    ui.Yield(2);
    EXPECT_TRUE(ui.ItemExists("**/global_load.sectors/agreement row"));
    learner.saves(ui, "agreement-recorded");
    gpu->last_stage = static_cast<int>(GpuStage::done);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return reached(s, GpuStage::done); }));
    EXPECT_TRUE(s.runs.gpu()->first().agreement->rows.front().counted);
    learner.wait(ui);
    EXPECT_FALSE(ui.ItemExists("**/stop gpu"));
    learner.saves(ui, "agreement");
    ui.ItemClick("**/results time");
    ui.Yield(2);
    learner.saves(ui, "time-own");
  });
}

TEST(Gpu, AnAnswerToAnEarlierRunIsLabelledUntilItsOwnHasCome) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(reached(s, GpuStage::done));
    gpu->last_stage = -1;
    gpu->microseconds = 99;
    s.selection.set_control("stride", 4);
    s.runs.run_if_needed();
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown()->key.controls.at("stride") == 4; }));
    EXPECT_TRUE(s.runs.gpu_stale());
    EXPECT_NE(s.runs.gpu()->key.controls.at("stride"), 4);
    ui.Yield(2);
    learner.saves(ui, "time-stale");
    gpu->last_stage = static_cast<int>(GpuStage::done);
    learner.wait(ui);
    EXPECT_FALSE(s.runs.gpu_stale());
    EXPECT_EQ(s.runs.gpu()->key, s.runs.shown()->key);
    EXPECT_NEAR(s.runs.gpu()->timing->seconds.median, 99e-6, 1e-6);
    // Quick changes of the value: only the last one counts.
    for (const int stride : {1, 2, 8, 16}) {
      s.selection.set_control("stride", stride);
      s.runs.run_if_needed();
      ui.Yield(2);
    }
    learner.wait(ui);
    EXPECT_EQ(s.runs.gpu()->key, s.selection.wanted());
    EXPECT_EQ(s.runs.gpu()->stage, GpuStage::done);
  });
}

TEST(Gpu, NoFrameWaitsForTheGpu) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) { learner.wait(ui); });
  gpu->mood = Mood::deaf;  // 0.4 s without an answer
  s.runs.run();
  double longest = 0, began = seconds_now();
  while (seconds_now() - began < 1) {
    const double frame = seconds_now();
    learner.app().frame();
    longest = std::max(longest, seconds_now() - frame);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_LT(longest, 0.3);
}

TEST(Gpu, PicturesAndNumbersOfTheRecordingTakeTheInterpretersPlaceOnRequest) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::uint64_t interpreted = s.runs.shown()->serial;
    const int line = s.place.site()->line;
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.origin, trace::Origin::interpreted);
    ui.ItemClick("**/show recorded");
    ui.Yield(3);
    EXPECT_TRUE(s.runs.shows_recorded());
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.origin, trace::Origin::recorded);
    ASSERT_NE(s.place.site(), nullptr);
    EXPECT_EQ(s.place.site()->line, line) << "the learner stays where they looked";
    for (const gui::NumberRow& row : gui::number_rows(*s.runs.shown())) EXPECT_FALSE(row.value.empty());
    learner.saves(ui, "recorded");
    // Until the GPU has recorded the new run, the interpreter's is shown.
    gpu->last_stage = -1;
    s.selection.set_control("stride", 4);
    s.runs.run_if_needed();
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown()->key.controls.at("stride") == 4; }));
    EXPECT_FALSE(s.runs.shows_recorded());
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.origin, trace::Origin::interpreted);
    gpu->last_stage = static_cast<int>(GpuStage::done);
    learner.wait(ui);
    EXPECT_TRUE(s.runs.shows_recorded());
    EXPECT_EQ(s.runs.shown()->key.controls.at("stride"), 4);
    ui.ItemClick("**/show interpreted");
    ui.Yield(2);
    EXPECT_FALSE(s.runs.shows_recorded());
    EXPECT_NE(s.runs.shown()->serial, interpreted);
  });
}

TEST(Gpu, AControlIsMeasuredWhenAskedForAndCanBeStopped) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.plots_over(ui, "stride");
    EXPECT_EQ(s.runs.gpu_sweep("stride"), nullptr) << "only when asked for";
    ui.ItemClick("**/measure");
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return s.runs.gpu_sweep("stride") && s.runs.gpu_sweep("stride")->points.size() >= 2; }));
    learner.wait(ui);
    const gui::GpuSweep* sweep = s.runs.gpu_sweep("stride");
    ASSERT_NE(sweep, nullptr);
    EXPECT_FALSE(sweep->running);
    EXPECT_EQ(sweep->points.size(), sweep->wanted);
    const gui::PlotSeries plotted = gui::measured(*sweep, *s.selection.lesson().find_control("stride"));
    EXPECT_EQ(plotted.x.size(), sweep->wanted);
    EXPECT_NEAR(plotted.y.front(), 12.5, 0.1);
    learner.saves(ui, "sweep-own");
    // Another kernel's sweep is not shown for this one.
    s.selection.set_source(s.selection.original_source() + "\n// changed");
    s.runs.run();
    learner.wait(ui);
    EXPECT_EQ(s.runs.gpu_sweep("stride"), nullptr);
    gpu->last_stage = -1;
    const int before = gpu->runs;
    ui.ItemClick("**/measure");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return gpu->runs > before; }));
    ui.Yield(2);
    ui.ItemClick("**/measure");
    gpu->last_stage = static_cast<int>(GpuStage::done);
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu_sweep("stride"), nullptr);
    EXPECT_FALSE(s.runs.gpu_sweep("stride")->running);
    EXPECT_TRUE(s.runs.gpu_sweep("stride")->points.empty());
  });
}

TEST(Gpu, TwoVariantsAreBothRun) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    ASSERT_TRUE(s.selection.compared());
    ASSERT_NE(s.runs.gpu(*s.selection.compared()), nullptr);
    EXPECT_TRUE(s.runs.gpu(*s.selection.compared())->timing);
    ui.ItemClick("**/launch");
    ui.Yield(2);
    EXPECT_TRUE(ui.ItemExists("**/time of both/total"));
    learner.saves(ui, "compare-times");
  });
}

}  // namespace
}  // namespace lanescope::test
