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
