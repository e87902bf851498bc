// The window on a real GPU, through the program's own worker process. Skipped if there is none.

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "core/os/clock.h"
#include "driver.h"
#include "gui/session/gpu_backend.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

using gui::GpuResult;
using gui::Session;
using job::GpuStage;

// The program whose hidden subcommand is the worker.
std::vector<std::string> worker() {
  const char* program = std::getenv("LANESCOPE_GPU_PROGRAM");
  return {program != nullptr ? program : LANESCOPE_BINARY, "gpu-worker"};
}

// Seconds from Run until each part was on screen.
struct Waits {
  double interpreted = -1, timed = -1, recorded = -1, all = -1;
};

class RealGpu : public testing::Test {
 protected:
  void SetUp() override {
    const auto found = gui::gpus_in_worker(worker())->devices();
    if (!found) GTEST_SKIP() << "no GPU: " << found.errors().front().message;
  }

  static gui::Options options() {
    gui::Options made;
    made.gpus = gui::gpus_in_worker(worker());
    return made;
  }

  // Runs what is on screen, which must be new, and paints until the GPU has finished or the time is over.
  static Waits run(Learner& learner, double patience = 30) {
    Session& s = learner.session();
    Waits waits;
    const gui::RunKey key = s.selection.wanted();
    const double pressed = seconds_now();
    s.runs.run();
    const auto note = [&](double& when, bool there) {
      if (when < 0 && there) when = seconds_now() - pressed;
    };
    while (seconds_now() - pressed < patience && waits.all < 0) {
      learner.app().frame();
      const GpuResult* said = s.runs.gpu() != nullptr && s.runs.gpu()->key == key ? s.runs.gpu() : nullptr;
      note(waits.interpreted, s.runs.shown() != nullptr && s.runs.shown()->key == key);
      note(waits.timed, said != nullptr && said->timing);
      note(waits.recorded, said != nullptr && said->first().recorded);
      note(waits.all, said != nullptr && said->stage == GpuStage::done);
      if (!s.runs.running().busy && !s.runs.problems().empty()) break;
    }
    return waits;
  }

  static void settle(Learner& learner) {
    learner.does([&](ImGuiTestContext& ui) { learner.wait(ui); });
  }
};

// Up to four values of the first control that has some.
std::vector<std::pair<std::string, std::int64_t>> other_values(const Session& s) {
  std::vector<std::pair<std::string, std::int64_t>> values;
  for (const lesson::Control* control : s.selection.controls()) {
    for (std::int64_t v = control->min; v <= control->max && values.size() < 4;
         v = control->logarithmic ? 2 * v : v + std::max<std::int64_t>(control->step, 1))
      if (control->allows(v) && v != s.selection.control(control->name) && v >= control->value / 4 &&
          v <= control->value * 4)
        values.emplace_back(control->name, v);
    if (!values.empty()) break;
    for (const std::int64_t v : control->choices)
      if (v != s.selection.control(control->name) && values.size() < 4) values.emplace_back(control->name, v);
    if (!values.empty()) break;
  }
  return values;
}

TEST_F(RealGpu, EveryLessonIsTimedRecordedAndCounted) {
  Learner learner(options());
  Session& s = learner.session();
  for (std::size_t i = 0; i < s.selection.lessons().size(); ++i) {
    s.choose_lesson(i);
    settle(learner);
    const std::string id = s.selection.lesson().id;
    ASSERT_NE(s.runs.gpu(), nullptr) << id;
    for (const Diagnostic& d : s.runs.gpu()->problems) ADD_FAILURE() << id << ": " << format(d);
    // Every line moves, so everything is compiled again.
    s.selection.set_source("// moved\n" + s.selection.source());
    const Waits compiled = run(learner);
    settle(learner);
    ASSERT_NE(s.runs.gpu(), nullptr) << id;
    EXPECT_FALSE(s.runs.gpu_stale()) << id;
    ASSERT_TRUE(s.runs.gpu()->timing) << id;
    EXPECT_GT(s.runs.gpu()->timing->seconds.median, 0) << id;
    ASSERT_TRUE(s.runs.gpu()->first().agreement) << id;
    EXPECT_TRUE(s.runs.gpu()->first().agreement->holds()) << id;
    EXPECT_TRUE(s.runs.gpu()->first().recorded) << id;
    for (const job::CheckResult& check : s.runs.gpu()->checks)
      EXPECT_TRUE(check.holds) << id << ": " << check.description;
    s.selection.set_source(s.selection.original_source());
    s.runs.run();
    settle(learner);
    Waits least{1e9, 1e9, 1e9, 1e9};
    for (const auto& [control, value] : other_values(s)) {
      s.selection.set_control(control, value);
      const Waits waits = run(learner);
      settle(learner);
      for (double Waits::*one : {&Waits::interpreted, &Waits::timed, &Waits::recorded, &Waits::all})
        if (waits.*one >= 0) least.*one = std::min(least.*one, waits.*one);
    }
    std::printf(
        "%-22s from Run, compiled anew: interpreter %.3f s, time %.3f s, recording %.3f s, all %.3f s; "
        "a value changed (best): %.3f, %.3f, %.3f, %.3f s\n",
        id.c_str(), compiled.interpreted, compiled.timed, compiled.recorded, compiled.all, least.interpreted,
        least.timed, least.recorded, least.all);
    std::fflush(stdout);
    for (const lesson::Control* control : s.selection.controls())
      s.selection.set_control(control->name, control->value);
    s.runs.run();
    settle(learner);
    learner.does([&](ImGuiTestContext& ui) {
      learner.saves(ui, "gpu-" + id + "-time");
      ui.ItemClick("**/results agreement");
      ui.Yield(2);
      learner.saves(ui, "gpu-" + id + "-agreement");
      if (id == "coalescing") {
        ui.ItemClick("**/show recorded");
        ui.Yield(3);
        learner.saves(ui, "gpu-" + id + "-recorded");
        ui.ItemClick("**/show interpreted");
      }
      ui.ItemClick("**/results time");
    });
  }
}

// A launch chosen in the window: those before it run, it is recorded and counted, and all that is quick.
TEST_F(RealGpu, ALaterLaunchBringsItsOwnWitnesses) {
  Learner learner(options());
  Session& s = learner.session();
  for (const auto& [lesson, name] :
       {std::pair("cooperative_groups", "full_multi_launch"), std::pair("shuffle_reduce", "end_second")}) {
    const char* const variant = name;  // clang 14 cannot capture a structured binding
    for (std::size_t i = 0; i < s.selection.lessons().size(); ++i)
      for (std::size_t v = 0; s.selection.lessons()[i].id == lesson && v < s.selection.lessons()[i].variants.size();
           ++v)
        if (s.selection.lessons()[i].variants[v].id == variant) s.choose_lesson(i), s.choose_variant(v);
    settle(learner);
    ASSERT_EQ(s.selection.variant().id, variant);
    ASSERT_GT(s.runs.launch_count(), 1);
    s.runs.show_recorded(true);
    for (int launch = s.runs.launch_count(); launch >= 1; --launch) {
      const double start = seconds_now();
      double recorded = -1, all = -1;
      learner.does([&](ImGuiTestContext& ui) {
        s.runs.set_launch(launch);
        learner.wait_for(ui, [&] { return s.runs.gpu_recording() != nullptr; });
        recorded = seconds_now() - start;
        learner.wait_for(
            ui, [&] { return launch == 1 || (s.runs.gpu()->launch(launch) && s.runs.gpu()->launch(launch)->done); });
        all = seconds_now() - start;
      });
      settle(learner);
      ASSERT_NE(s.runs.agreement(), nullptr) << variant << ", launch " << launch;
      std::printf("%s, launch %d: recorded %.3f s after it was chosen, counted %.3f s\n", variant, launch, recorded,
                  all);
      EXPECT_EQ(s.runs.agreement()->which.number, launch);
      EXPECT_TRUE(s.runs.agreement()->holds());
      EXPECT_TRUE(s.runs.agreement()->recording_kept_result);
      EXPECT_TRUE(s.runs.agreement()->same_result || !s.runs.agreement()->repeatable);
      for (const Diagnostic& d : s.runs.agreement()->diagnostics) ADD_FAILURE() << format(d);
      for (const job::RecordComparison& records : s.runs.agreement()->records)
        EXPECT_TRUE(records.agrees()) << variant << ", launch " << launch << ": "
                                      << instrument::to_string(records.pass);
      for (const job::AgreementRow& row : s.runs.agreement()->rows)
        EXPECT_TRUE(row.recorded && row.counted) << row.number;
      EXPECT_TRUE(s.runs.shows_recorded());
      EXPECT_EQ(s.runs.shown()->launch, launch);
      EXPECT_EQ(s.runs.shown()->outcome.first().trace.kernel,
                s.runs.shown(s.selection.variant_index(), launch)->outcome.first().trace.kernel);
    }
    std::fflush(stdout);
    s.runs.set_launch(2);
    learner.does([&](ImGuiTestContext& ui) {
      ui.ItemClick("**/results agreement");
      ui.Yield(2);
      learner.saves(ui, std::string("gpu-") + variant + "-launch-2");
      ui.ItemClick("**/results time");
    });
    s.runs.show_recorded(false);
  }
}

TEST_F(RealGpu, AControlIsMeasured) {
  Learner learner(options());
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.plots_over(ui, s.selection.controls().front()->name);
    ui.ItemClick("**/measure");
    learner.wait(ui);
    const gui::GpuSweep* sweep = s.runs.gpu_sweep(s.selection.controls().front()->name);
    ASSERT_NE(sweep, nullptr);
    EXPECT_TRUE(sweep->problems.empty());
    EXPECT_EQ(sweep->points.size(), sweep->wanted);
    ui.MouseMoveToPos({5, 5});
    learner.saves(ui, "gpu-sweep");
  });
}

// The interpreter's timer counts its own steps from 0; a GPU's counts nanoseconds since 1970. So these kernels are
// harmless only in the interpreter.
std::string with_trap(const Session& s, const std::string& trap) {
  std::string text = s.selection.original_source();
  const std::size_t body = text.find('{', text.find("__global__"));
  return text.insert(
      body + 1,
      "\n  unsigned long long now;\n  asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n  " + trap + "\n");
}

void expect_life(Learner& learner, const char* what) {
  Session& s = learner.session();
  s.selection.set_source(s.selection.original_source());
  const double began = seconds_now();
  s.runs.run();
  learner.does([&](ImGuiTestContext& ui) { learner.wait(ui); });
  ASSERT_NE(s.runs.gpu(), nullptr) << what;
  EXPECT_TRUE(s.runs.gpu()->problems.empty())
      << what << ": " << (s.runs.gpu()->problems.empty() ? "" : format(s.runs.gpu()->problems[0]));
  EXPECT_TRUE(s.runs.gpu()->timing) << what;
  std::printf("after %s the next run was complete %.2f s after Run\n", what, seconds_now() - began);
}

TEST_F(RealGpu, AnIllegalAddressIsADiagnosticAndTheNextRunGoesOn) {
  Learner learner(options());
  Session& s = learner.session();
  settle(learner);
  s.selection.set_source(with_trap(s, "if (now > 1000000000000ull) *reinterpret_cast<volatile int*>(16) = 1;"));
  run(learner);
  ASSERT_TRUE(s.runs.problems().empty()) << format(s.runs.problems()[0]);
  ASSERT_NE(s.runs.gpu(), nullptr);
  ASSERT_FALSE(s.runs.gpu()->problems.empty());
  std::printf("illegal address: %s\n", format(s.runs.gpu()->problems[0]).c_str());
  learner.does([&](ImGuiTestContext& ui) { learner.saves(ui, "gpu-illegal-address"); });
  expect_life(learner, "an illegal address");
}

TEST_F(RealGpu, AKernelThatHangsIsADiagnosticAndTheNextRunGoesOn) {
  Learner learner(options());
  Session& s = learner.session();
  settle(learner);
  const char* trap = "while (now > 1000000000000ull) asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));";
  s.selection.set_source(with_trap(s, trap));
  const double began = seconds_now();
  const Waits waits = run(learner);
  ASSERT_NE(s.runs.gpu(), nullptr);
  ASSERT_FALSE(s.runs.gpu()->problems.empty());
  EXPECT_EQ(s.runs.gpu()->problems[0].code, "gpu.hang");
  std::printf("hang, said after %.2f s: %s\n", seconds_now() - began, format(s.runs.gpu()->problems[0]).c_str());
  learner.does([&](ImGuiTestContext& ui) { learner.saves(ui, "gpu-hang"); });
  expect_life(learner, "a hang");
  (void)waits;
}

TEST_F(RealGpu, TheWindowClosesWhileAKernelHangs) {
  double began = 0;
  {
    Learner learner(options());
    Session& s = learner.session();
    settle(learner);
    s.selection.set_source(
        with_trap(s, "while (now > 1000000000000ull) asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));"));
    s.runs.run();
    const double pressed = seconds_now();
    while (seconds_now() - pressed < 2) learner.app().frame();
    EXPECT_TRUE(s.runs.gpu_running().busy);
    began = seconds_now();
  }
  std::printf("closed in %.2f s while a kernel hung\n", seconds_now() - began);
  EXPECT_LT(seconds_now() - began, 2);
}

}  // namespace
}  // namespace lanescope::test
