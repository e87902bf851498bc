// The window with a GPU: which one it uses, what arrives when, and what it says if something does not arrive. A
// stand-in answers in place of the GPU.

#include <algorithm>
#include <cstdlib>

#include "core/os/clock.h"
#include "driver.h"
#include "gpu/pretend_gpu.h"
#include "gui/time/sweep_plot.h"

namespace lanescope::test {
namespace {

using gui::GpuResult;
using gui::Session;
using job::GpuStage;
using Mood = PretendGpu::Mood;

gui::Options with(const std::shared_ptr<PretendGpu>& gpu) {
  gui::Options options;
  options.gpus = gpu;
  return options;
}

bool reached(const Session& s, GpuStage stage) {
  return s.runs.gpu() != nullptr && !s.runs.gpu_stale() && s.runs.gpu()->stage >= stage;
}

void turn(ImGuiTestContext& ui, const char* entry) {
  ui.ItemClick("**/device");
  ui.ItemClick((std::string("//$FOCUSED/") + entry).c_str());
  ui.Yield(2);
}

void choose(Session& s, const char* lesson, const char* variant) {
  for (std::size_t i = 0; i < s.selection.lessons().size(); ++i)
    for (std::size_t v = 0; s.selection.lessons()[i].id == lesson && v < s.selection.lessons()[i].variants.size(); ++v)
      if (s.selection.lessons()[i].variants[v].id == variant) s.choose_lesson(i), s.choose_variant(v);
}

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

TEST(Gpu, ASilentWitnessSaysWhatOpensItAndADifferenceItsEvidence) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->differs = true;
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/results agreement");
    ui.Yield(2);
    EXPECT_EQ(s.runs.gpu()->first().agreement->rows[1].agreed, job::Agreed::explained);
    learner.saves(ui, "agreement-explained");
    gpu->counters = false;
    ui.KeyPress(ImGuiKey_Space);
    learner.wait(ui);
    ASSERT_FALSE(s.runs.gpu()->first().agreement->diagnostics.empty());
    const Diagnostic& why = s.runs.gpu()->first().agreement->diagnostics.front();
    EXPECT_EQ(why.code, "gpu.counters_forbidden");
    EXPECT_NE(why.cure.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << why.cure;
    EXPECT_TRUE(s.runs.gpu()->timing) << "the time stays";
    EXPECT_FALSE(s.runs.gpu()->first().agreement->rows.front().counted);
    learner.saves(ui, "agreement-silent");
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

TEST(Gpu, TheInterpreterStandsBesideTheRecordingOfTheSameRun) {
  auto gpu = std::make_shared<PretendGpu>();
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    ui.ItemClick("**/choose b");
    ui.ItemClick("//$FOCUSED/###recorded");
    ui.KeyPress(ImGuiKey_Escape);
    learner.wait(ui);
    ASSERT_TRUE(s.selection.comparison() != nullptr && s.selection.comparison()->recorded);
    EXPECT_EQ(s.selection.compared(), s.selection.variant_index());
    const auto recorded = s.runs.compared_run();
    ASSERT_NE(recorded, nullptr);
    EXPECT_EQ(recorded->outcome.first().trace.origin, trace::Origin::recorded);
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.origin, trace::Origin::interpreted);
    EXPECT_EQ(recorded->key, s.runs.shown()->key);
    EXPECT_FALSE(s.runs.compared_stale());
    EXPECT_TRUE(learner.says(ui, "recorded on Pretend 9000"));
    // A recording has its accesses but no instruction count, so none is compared with the interpreter's.
    EXPECT_TRUE(learner.says(ui, "A interpreted · B recorded"));
    EXPECT_TRUE(learner.says(ui, "global load requests"));
    EXPECT_FALSE(learner.says(ui, "warp instructions"));
    learner.saves(ui, "compare-recorded");

    // Another variant on screen: its recording is shown when it arrives, and never the one before.
    gpu->last_stage = -1;
    const std::size_t other = s.selection.variant_index() + 2;  // the next variant was already compared before
    s.choose_variant(other);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown() != nullptr; }));
    ui.Yield(3);
    EXPECT_EQ(s.selection.compared(), other);
    EXPECT_EQ(s.runs.compared_run(), nullptr);
    gpu->last_stage = static_cast<int>(GpuStage::done);
    learner.wait(ui);
    ASSERT_NE(s.runs.compared_run(), nullptr);
    EXPECT_EQ(s.runs.compared_run()->key, s.runs.shown()->key);
    ui.ItemClick("**/compare");
    ui.Yield(3);
    EXPECT_EQ(s.selection.comparison(), nullptr);
  });
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

// A variant with several launches. The kernel was launched three times to be recorded.
TEST(Gpu, TheAgreementSaysWhichLaunchItIsAboutAndHowManyItTookToRecord) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->recording_launches = 3;
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    choose(s, "cooperative_groups", "full_multi_launch");
    ASSERT_EQ(s.selection.variant().id, "full_multi_launch");
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu(), nullptr);
    ASSERT_TRUE(s.runs.gpu()->first().agreement);
    EXPECT_GT(s.runs.gpu()->first().agreement->which.launches, 1);
    EXPECT_EQ(s.runs.gpu()->first().agreement->which.number, 1);
    ASSERT_FALSE(s.runs.gpu()->first().agreement->records.empty());
    EXPECT_EQ(s.runs.gpu()->first().agreement->records[0].launches, 3u);
    ui.ItemClick("**/results agreement");
    ui.Yield(2);
    learner.saves(ui, "agreement-of-launch");
  });
}

// Choosing a launch brings its own recording, counts and registers. Until they arrive, no other launch's are shown.
TEST(Gpu, ALaunchThatIsChosenBringsItsOwnWitnesses) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->holds_launches = true;
  Learner learner(with(gpu));
  Session& s = learner.session();
  const auto row = [&](const char* number) -> std::optional<std::uint64_t> {
    const auto found = std::ranges::find(s.runs.agreement()->rows, number, &job::AgreementRow::number);
    return found == s.runs.agreement()->rows.end() ? std::nullopt : found->recorded;
  };
  learner.does([&](ImGuiTestContext& ui) {
    choose(s, "cooperative_groups", "full_multi_launch");
    learner.wait(ui);
    ASSERT_EQ(s.runs.launch_count(), 3);
    ASSERT_NE(s.runs.agreement(), nullptr);
    EXPECT_EQ(gpu->launches, 0) << "only those that are looked at";
    const auto first = row("global_load.requests");
    ui.ItemClick("**/show recorded");
    ui.ItemClick("**/results agreement");
    ui.Yield(2);
    EXPECT_TRUE(s.runs.shows_recorded());

    ui.ItemClick("**/launch/up");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return gpu->launches == 1; }));
    EXPECT_EQ(s.runs.launch(), 2);
    EXPECT_EQ(s.runs.agreement(), nullptr) << "launch 1's are not shown for it";
    EXPECT_EQ(s.runs.gpu()->attributes_of(2), nullptr);
    EXPECT_FALSE(s.runs.shows_recorded());
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.origin, trace::Origin::interpreted);
    EXPECT_EQ(s.runs.gpu_launch_under_way(), 2);
    ui.Yield(2);
    learner.saves(ui, "launch-comes");

    gpu->holds_launches = false;
    learner.wait(ui);
    ASSERT_NE(s.runs.agreement(), nullptr);
    EXPECT_EQ(s.runs.agreement()->which, (job::WhichLaunch{2, 3, 1, 1}));
    EXPECT_TRUE(s.runs.shows_recorded());
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.origin, trace::Origin::recorded);
    EXPECT_EQ(s.runs.shown()->launch, 2);
    const trace::Totals& model = s.runs.shown(s.selection.variant_index(), 2)->outcome.first().trace.totals;
    EXPECT_EQ(row("global_load.requests"), model.of(trace::MemoryClass::global_load).requests);
    EXPECT_NE(row("global_load.requests"), first);
    for (const job::AgreementRow& one : s.runs.agreement()->rows) EXPECT_TRUE(one.counted) << one.number;
    ASSERT_NE(s.runs.gpu()->attributes_of(2), nullptr);
    EXPECT_EQ(s.runs.gpu()->attributes_of(2)->registers, 22);
    EXPECT_EQ(s.runs.gpu()->attributes_of(1)->registers, 16);
    ui.Yield(2);
    learner.saves(ui, "launch-2");

    // Kept: nothing is asked for twice, in any order.
    ui.ItemClick("**/launch/down");
    learner.wait(ui);
    EXPECT_EQ(s.runs.agreement()->which.number, 1);
    ui.ItemClick("**/launch/up");
    learner.wait(ui);
    EXPECT_EQ(gpu->launches, 1);
    ui.ItemClick("**/launch/up");
    learner.wait(ui);
    EXPECT_EQ(gpu->launches, 2);
    EXPECT_EQ(s.runs.agreement()->which.number, 3);
    // Another run has its own.
    s.runs.run();
    learner.wait(ui);
    EXPECT_EQ(gpu->launches, 3) << "the one on screen";
    EXPECT_EQ(s.runs.gpu()->launch(2), nullptr);
    EXPECT_EQ(s.runs.agreement()->which.number, 3);
  });
}

TEST(Gpu, ALaunchThatFailsOrIsStoppedSaysSoAndLeavesTheOthers) {
  auto gpu = std::make_shared<PretendGpu>();
  gpu->launches_fault = true;
  Learner learner(with(gpu));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    choose(s, "cooperative_groups", "full_multi_launch");
    learner.wait(ui);
    s.runs.set_launch(2);
    learner.wait(ui);
    EXPECT_EQ(s.runs.agreement(), nullptr);
    ASSERT_NE(s.runs.gpu()->launch(2), nullptr);
    ASSERT_EQ(s.runs.gpu()->launch(2)->problems.size(), 1u);
    EXPECT_EQ(gpu->launches, 1) << "known to fail: not asked again";
    gpu->launches_fault = false;
    gpu->holds_launches = true;
    s.runs.set_launch(3);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return gpu->launches == 2; }));
    s.runs.stop_gpu();
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu()->launch(3), nullptr);
    EXPECT_TRUE(s.runs.gpu()->launch(3)->stopped);
    EXPECT_TRUE(s.runs.gpu()->launch(3)->problems.empty());
    // Choosing another launch cancels the one in progress.
    s.runs.run();
    ASSERT_TRUE(learner.wait_for(ui, [&] { return gpu->launches == 3; }));
    s.runs.set_launch(2);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return gpu->launches == 4; }));
    gpu->holds_launches = false;
    learner.wait(ui);
    EXPECT_EQ(s.runs.agreement()->which.number, 2);
    EXPECT_EQ(s.runs.gpu()->launch(3), nullptr);
    s.runs.set_launch(1);
    learner.wait(ui);
    EXPECT_EQ(s.runs.agreement()->which.number, 1);
  });
}

// From the smallest window on, every part is visible, and the plot is high enough that its ticks do not overlap.
TEST(Gpu, TimesAndWitnessesFitFrom1024x640On) {
  struct Look {
    int width, height;
    const char *theme, *language;
  };
  for (const Look look :
       {Look{1024, 640, "dark", "en"}, Look{1280, 800, "light", "zh-CN"}, Look{1920, 1080, "light", "en"}}) {
    auto gpu = std::make_shared<PretendGpu>();
    gpu->differs = true;
    gui::Options options = with(gpu);
    options.width = look.width, options.height = look.height;
    options.theme = look.theme, options.language = look.language;
    Learner learner(options);
    const std::string name = std::to_string(look.width) + "-" + look.theme + "-" + look.language;
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      learner.plots_over(ui, "stride");
      ui.ItemClick("**/measure");
      learner.wait(ui);
      ui.MouseMoveToPos({5, 5});
      learner.saves(ui, "fit-time-" + name);
      const float legend_end = ui.ItemInfo("**/measure").RectFull.Max.y;
      EXPECT_GE(static_cast<float>(look.height) - legend_end, 78) << name << ": the plot and the margin below it";
      ui.ItemClick("**/results agreement");
      ui.MouseMoveToPos({5, 5});
      learner.saves(ui, "fit-agreement-" + name);
      ui.ItemClick("**/device");
      ui.MouseMoveToPos({5, 5});
      learner.saves(ui, "fit-menu-" + name);
      ui.PopupCloseAll();
    });
  }
}

}  // namespace
}  // namespace lanescope::test
