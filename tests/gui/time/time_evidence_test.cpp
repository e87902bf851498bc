// What the time panel says below the bars: why a variant takes the time that it takes.

#include <map>
#include <optional>
#include <string>

#include "core/worded.h"
#include "driver.h"
#include "gui/time/time_evidence.h"

namespace lanescope::test {
namespace {

job::RecordedRun run_of(double microseconds, std::map<std::string, double> counters) {
  job::RecordedRun run;
  run.timing.emplace();
  run.timing->seconds.median = microseconds * 1e-6;
  run.counters = std::move(counters);
  return run;
}

TEST(TimeEvidence, IsWhatTheInterpreterCountedIfNoCounterSaysWhy) {
  const std::string loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  const job::RecordedRun one = run_of(60, {{loads, 1000}}), fastest = run_of(10, {{loads, 1000}});
  const auto said = [&](const gui::CountInterpreted& counted) {
    std::string text;
    for (const Wording& sentence : gui::time_evidence({one, "A"}, {fastest, "B"}, 0, counted)) text += sentence;
    return text.substr(text.find("time.") + 5);
  };
  gui::InterpretedCounts counts{"rows = 128",
                                {{worded("wavefronts"), 32000, 2000}, {worded("instructions"), 5000, 200}}};
  EXPECT_EQ(said([&] { return counts; }), "Interpreted at rows = 128: 5,000 instructions, against 200: 25.0 ×.");
  EXPECT_EQ(said([&] { return std::nullopt; }), "") << "not known yet";
  counts.counts = {{worded("wavefronts"), 1000, 900}, {worded("barriers"), 9, 1}};
  EXPECT_EQ(said([&] { return counts; }), "None of the recorded memory counters explains it.")
      << "nine barriers beside a thousand wavefronts are no reason";
  EXPECT_EQ(said({}), "None of the recorded memory counters explains it.");
}

// A bulk copy is no request of a warp: as many bytes in as much time are not "half of the sectors".
TEST(TimeEvidence, SaysNothingOfSectorsThatBulkCopiesBypass) {
  const std::string loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                    stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", l2 = "lts__t_sectors_op_read.sum";
  const job::RecordedRun bulk = run_of(69.3, {{loads, 0}, {stores, 4194304}, {l2, 6330000}}),
                         loaded = run_of(69.2, {{loads, 4194304}, {stores, 4194304}, {l2, 6340000}});
  EXPECT_TRUE(gui::time_evidence({bulk, "bulk copies"}, {loaded, "stages"}, 2.7e-6).empty());
  EXPECT_TRUE(gui::time_evidence({loaded, "stages"}, {bulk, "bulk copies"}, 2.7e-6).empty());
  const job::RecordedRun few = run_of(69.3, {{loads, 2097152}, {stores, 2097152}, {l2, 3170000}});
  EXPECT_FALSE(gui::time_evidence({few, "A"}, {loaded, "B"}, 2.7e-6).empty());
}

TEST(TimeEvidence, NamesWhatTheProgramItselfCounts) {
  gui::Options options;
  options.lesson = "matrix_multiply", options.variant = "registers";
  options.width = 1920, options.height = 1080;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(learner.says(
        ui, "5.86 × its time. Interpreted at rows = 128: 193,056 warp instructions, against 7,792: 24.8 ×."));
    EXPECT_FALSE(learner.says(ui, "None of the recorded"));
    learner.saves(ui, "time_interpreted");
  });
}

// The tiles are shared among the blocks: "32 Ki × 256" would read as so many tiles.
TEST(TimeEvidence, SizesThatAreNoFactorsAreNotMultiplied) {
  gui::Options options;
  options.lesson = "pipelines", options.variant = "bulk";
  options.width = 1920, options.height = 1080;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "measure 32 Ki · 256"));
    EXPECT_FALSE(learner.says(ui, "the sectors of")) << "bulk copies are not among the sectors";
  });
}

// What the lesson asks: not beside the fastest variant, but beside the same kernel's own best value.
TEST(TimeEvidence, HoldsAVariantAgainstItsOwnFastestValue) {
  gui::Options options;
  options.width = 1920, options.height = 1080;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "2.65 × the time of stride = 1"));
    learner.saves(ui, "time_own_fastest");
  });
}

}  // namespace
}  // namespace lanescope::test
