// GPUs of compute capability below 7.5: every lesson and every witness kernel through CUDA 12's compiler, the
// interpreter, the recorder and both assemblers. Only the compiler may report what needs a newer GPU.

#include <gtest/gtest.h>

#include "compile/toolchain.h"
#include "instrument/record_check.h"
#include "job/lesson/lesson_request.h"
#include "job/request/directives.h"
#include "job/shipped_lessons/lesson_run.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

constexpr const char* old_gpu = "sm_70";

// Functions for all lanes of a warp that the headers leave out below compute capability 8.0. The other kernels of such
// a file still compile.
constexpr const char* instead_of_redux =
    "__device__ inline unsigned __reduce_add_sync(unsigned mask, unsigned value) { for (int d = 16; d > 0; d /= 2) "
    "value += __shfl_xor_sync(mask, value, d); return value; } "
    "__device__ inline unsigned __reduce_max_sync(unsigned mask, unsigned value) { for (int d = 16; d > 0; d /= 2) "
    "value = max(value, __shfl_xor_sync(mask, value, d)); return value; } ";

class OldGpuKernels : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::locate_toolchain_for(old_gpu).ok())
      GTEST_SKIP() << "CUDA 12's compiler is not here: third_party/fetch cuda12 brings it";
  }
  static Outcome on_old_gpu(Request request, const lesson::Variant* variant, const std::string& name) {
    request.arch = old_gpu;
    request.record.events = true;
    Outcome outcome = run(request, variant);
    EXPECT_TRUE(outcome.completed) << name << ": " << test::first_of(outcome.diagnostics);
    for (const CheckResult& check : outcome.checks)
      EXPECT_TRUE(check.holds) << name << ", " << check.description << ": " << check.detail;
    EXPECT_TRUE(outcome.diagnostics.empty()) << name << ": " << test::first_of(outcome.diagnostics);
    return outcome;
  }
  static void expect_machine_code(const Outcome& outcome, const std::string& name) {
    const compile::Options options{
        .arch = old_gpu, .name_expressions = {outcome.request.first().kernel}, .machine_code = true};
    const auto by_nvrtc = compile::compile(outcome.request.source, options);
    EXPECT_TRUE(by_nvrtc.ok() && !by_nvrtc->cubin.empty()) << name;
    const auto plain = compile::to_cubin(outcome.first().ptx, outcome.first().mangled_kernel, old_gpu);
    EXPECT_TRUE(plain.ok()) << name << ": " << (plain.ok() ? "" : format(plain.errors().front()));
    const Result<ptx::Module> module = ptx::parse(outcome.first().ptx, "plain.ptx");
    ASSERT_TRUE(module.ok()) << name;
    for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations}) {
      const auto recording = instrument::instrument(*module, outcome.first().mangled_kernel, pass);
      ASSERT_TRUE(recording.ok()) << name << ": " << format(recording.errors().front());
      const auto assembled = compile::to_cubin(recording->ptx, recording->kernel, old_gpu);
      EXPECT_TRUE(assembled.ok()) << name << ", " << instrument::to_string(pass) << ": "
                                  << (assembled.ok() ? "" : format(assembled.errors().front()));
    }
  }
};

TEST_F(OldGpuKernels, EveryLessonIsRunAndAssembledPlainAndRecording) {
  const lesson::Library library = lesson::load_library(LANESCOPE_SOURCE_DIR "/lessons");
  ASSERT_GE(library.lessons.size(), 6u);
  for (const lesson::Lesson& lesson : library.lessons)
    for (const lesson::Variant& variant : lesson.variants) {
      if (variant.gpu_only || variant.broken_on_purpose) continue;
      const std::string name = lesson.id + ", " + variant.id;
      const Result<Request> request = from_lesson(lesson, variant, {});
      ASSERT_TRUE(request.ok()) << name;
      const Outcome outcome = on_old_gpu(*request, &variant, name);
      expect_machine_code(outcome, name);
      for (const LaunchOutcome& launch : outcome.launches) {
        if (launch.repeats == 0) continue;
        const auto assembled = compile::to_cubin(launch.ptx, launch.mangled_kernel, old_gpu);
        EXPECT_TRUE(assembled.ok()) << name << ", one of its launches: "
                                    << (assembled.ok() ? "" : format(assembled.errors().front()));
      }
    }
}

TEST_F(OldGpuKernels, EveryWitnessIsRunAssembledAndRecordsTheInterpretersEvents) {
  for (const test::Case& file : test::cases("witnesses", ".cu")) {
    Result<std::vector<DirectedRun>> runs = directed_runs(file.path.filename().string(), file.text());
    ASSERT_TRUE(runs.ok()) << file.name;
    for (DirectedRun& one : *runs) {
      if (one.request.source.text.find("__reduce_") != std::string::npos)
        one.request.source.text = instead_of_redux + one.request.source.text;
      const std::string name = file.name + ", " + one.request.first().kernel;
      const Outcome outcome = on_old_gpu(one.request, nullptr, name);
      if (!outcome.completed) continue;
      expect_machine_code(outcome, name);
      const bool polls = one.request.first().kernel == "look_back" || one.request.first().kernel == "grid_sync_twice";
      for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations})
        test::expect_equal_records(one.request, outcome, pass, polls);
    }
  }
}

}  // namespace
}  // namespace lanescope::job
