// The window with a GPU: what the three witnesses say, about one launch and about several.

#include <algorithm>

#include "core/os/clock.h"
#include "gpu/with_a_gpu.h"

namespace lanescope::test {
namespace {

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
