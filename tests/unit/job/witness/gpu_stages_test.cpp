// A run on a GPU in stages: their order, what each one reports, and how the run ends if it is stopped or fails. A
// session without a GPU answers.

#include "job/witness/gpu_stages.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "job/witness/idle_gpu.h"

namespace lanescope::job {
namespace {

// Gives every launch the result that it is told, and records nothing.
class NoGpu final : public test::IdleGpu {
 public:
  explicit NoGpu(const Outcome& interpreted) : IdleGpu("none"), interpreted_(interpreted) {}

  int steady_samples = 100;  // samples per time; few of them make a wide interval
  std::string fails;         // "run", "time", "record", "count"
  std::vector<std::string> asked;

  Result<gpu::Completed> run(std::vector<gpu::Argument> arguments, double) override {
    const bool recording = arguments.size() > interpreted_.arguments.size();
    asked.push_back(recording ? "record" : "run");
    if (fails == asked.back()) return fault();
    for (std::size_t i = 0; i < interpreted_.arguments.size(); ++i)
      if (arguments[i].is_buffer) arguments[i].bytes = interpreted_.arguments[i].contents;
    return IdleGpu::run(std::move(arguments), 0);
  }
  Result<gpu::Timing> time(const std::vector<gpu::Argument>&, const gpu::TimingOptions& options,
                           const std::function<bool()>&) override {
    asked.push_back("time");
    if (fails == "time") return fault();
    gpu::Timing timing;
    timing.cache = options.cache;
    const int samples = options.time_limit_seconds >= 1 ? 200 : steady_samples;
    for (int i = 0; i < samples; ++i) timing.samples.push_back(samples < 20 ? 1e-6 * (1 + i) : 1e-6);
    timing.seconds = metrics::median_interval(timing.samples);
    return timing;
  }
  Result<gpu::Counted> count(const std::vector<gpu::Argument>&, const std::vector<std::string>& names) override {
    asked.push_back("count");
    if (fails == "count") return fault();
    return gpu::Counted{names, std::vector<double>(names.size(), 1), 1};
  }
  Result<gpu::Timing> time_copy(std::uint64_t, const gpu::TimingOptions&) override { return fault(); }
  Result<gpu::Timing> time_library(const std::string&, std::uint64_t, const gpu::TimingOptions&) override {
    return fault();
  }

 private:
  static Diagnostic fault() { return {.code = "gpu.cuda_error", .message = "It failed.", .cure = "Run again."}; }
  const Outcome& interpreted_;
};

class GpuStages : public testing::Test {
 protected:
  void SetUp() override {
    Request request;
    request.source = {
        "twice.cu",
        "__global__ void twice(const float* in, float* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }\n",
        {}};
    request.first().kernel = "twice";
    request.first().shape.grid = {1, 1, 1};
    request.first().shape.block = {32, 1, 1};
    request.arguments = {{"f32[32]=iota", "in"}, {"f32[32]", "out"}};
    request.record.events = true;
    interpreted_ = job::run(request);
    if (!interpreted_.completed && interpreted_.diagnostics.front().code == "toolchain.no_nvrtc")
      GTEST_SKIP() << "no compiler";
    ASSERT_TRUE(interpreted_.completed) << format(interpreted_.diagnostics.front());
    if (compile::find_toolchain()->sass_compiler_path.empty())
      GTEST_SKIP() << "no nvJitLink, which assembles kernels that record themselves";
  }

  Result<GpuReport> in_stages(NoGpu& gpu, const GpuStageOptions& options = {}, GpuStage stop_at = GpuStage::done) {
    told_.clear();
    bool stopped = false;
    return run_in_stages(
        interpreted_, gpu, options,
        [&](const GpuSoFar& so_far) {
          told_.push_back(so_far.stage);
          if (so_far.stage == stop_at && stop_at != GpuStage::done) stopped = true;
          EXPECT_EQ(so_far.report.run.timing.has_value(), so_far.stage >= GpuStage::recording)
              << static_cast<int>(so_far.stage);
          EXPECT_TRUE(so_far.has_agreement || so_far.stage < GpuStage::refining || so_far.stage == GpuStage::done);
        },
        [&] { return !stopped; });
  }

  Outcome interpreted_;
  std::vector<GpuStage> told_;
};

using enum GpuStage;

TEST_F(GpuStages, ComeInOrderAndEachKnowsWhatCameBefore) {
  if (compile::find_toolchain()->disassembler_path.empty()) GTEST_SKIP() << "no nvdisasm on this machine";
  NoGpu gpu(interpreted_);
  const Result<GpuReport> report = in_stages(gpu);
  ASSERT_TRUE(report.ok()) << format(report.errors().front());
  EXPECT_EQ(told_, (std::vector{running, timing, recording, recording, counting, done}));
  EXPECT_TRUE(report->run.same_result);
  EXPECT_FALSE(report->run.sass.instructions.empty()) << "what explains a difference is there in the end";
  EXPECT_EQ(std::ranges::count(gpu.asked, "time"), 1) << "the first time was good enough";
  EXPECT_EQ(gpu.asked.back(), "count");
}

TEST_F(GpuStages, AWideFirstTimeIsTakenAgainForLonger) {
  NoGpu gpu(interpreted_);
  gpu.steady_samples = 8;
  const Result<GpuReport> report = in_stages(gpu);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(told_, (std::vector{running, timing, recording, recording, refining, counting, done}));
  EXPECT_EQ(report->run.timing->samples.size(), 200u);
}

TEST_F(GpuStages, RecordsAreNotComparedWithEventsThatWereNotKept) {
  NoGpu gpu(interpreted_);
  Result<GpuReport> report = in_stages(gpu);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->first().agreement.records.size(), 3u);
  for (const Diagnostic& one : report->first().agreement.diagnostics) EXPECT_NE(one.code, "gpu.events_not_kept");
  interpreted_.first().trace.events_dropped = 5;
  report = in_stages(gpu);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->first().agreement.records.empty());
  EXPECT_EQ(std::ranges::count(report->first().agreement.diagnostics, "gpu.events_not_kept", &Diagnostic::code), 1);
}

// What the GPU returns is not the interpreter's result. The second half of the warps reads what the first half writes.
TEST_F(GpuStages, ARaceExplainsAnotherResult) {
  Request request = interpreted_.request;
  request.source.text =
      "__global__ void twice(const float* in, float* out) {\n"
      "  out[threadIdx.x] = in[threadIdx.x];\n"
      "  out[threadIdx.x] += out[threadIdx.x ^ 32];\n"
      "}\n";
  request.first().shape.block = {64, 1, 1};
  request.arguments = {{"f32[64]=iota", "in"}, {"f32[64]=0", "out"}};
  request.races_if_small = true;
  const Outcome racy = job::run(request);
  ASSERT_TRUE(racy.completed);
  EXPECT_EQ(why_results_differ(racy, {}),
            "the kernel has a data race (lines 2 and 3), so its result depends on timing");
  EXPECT_TRUE(why_results_differ(interpreted_, {}).empty()) << "neither a race nor code that shows a reason";
  Outcome other = racy;
  other.arguments[1].contents[0] ^= std::byte{1};
  NoGpu gpu(other);
  const auto report = run_in_stages(
      racy, gpu, {}, [](const GpuSoFar&) {}, [] { return true; });
  ASSERT_TRUE(report.ok()) << format(report.errors().front());
  EXPECT_FALSE(report->run.same_result);
  const Agreement& agreement = report->first().agreement;
  EXPECT_FALSE(agreement.repeatable);
  EXPECT_EQ(agreement.why_result_differs,
            "the kernel has a data race (lines 2 and 3), so its result depends on timing");
}

TEST_F(GpuStages, TheTimeAloneAsksForNoWitness) {
  NoGpu gpu(interpreted_);
  GpuStageOptions options;
  options.witnesses = false;
  ASSERT_TRUE(in_stages(gpu, options).ok());
  EXPECT_EQ(told_, (std::vector{running, timing, done}));
  EXPECT_EQ(gpu.asked, (std::vector<std::string>{"run", "time"}));
}

TEST_F(GpuStages, WhatIsThereIsKeptWhenItIsStopped) {
  NoGpu gpu(interpreted_);
  const Result<GpuReport> report = in_stages(gpu, {}, recording);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(told_, (std::vector{running, timing, recording, recording, done}));
  EXPECT_TRUE(report->run.timing);
  EXPECT_EQ(std::ranges::count(gpu.asked, "record"), 0);
  EXPECT_EQ(std::ranges::count(gpu.asked, "count"), 0);
}

TEST_F(GpuStages, AFailureOfTheKernelEndsThemOneOfAWitnessDoesNot) {
  for (const char* what : {"run", "time"}) {
    NoGpu gpu(interpreted_);
    gpu.fails = what;
    const Result<GpuReport> report = in_stages(gpu);
    ASSERT_FALSE(report.ok()) << what;
    EXPECT_EQ(report.errors().front().code, "gpu.cuda_error");
    EXPECT_NE(told_.back(), done);
  }
  for (const char* what : {"record", "count"}) {
    NoGpu gpu(interpreted_);
    gpu.fails = what;
    const Result<GpuReport> report = in_stages(gpu);
    ASSERT_TRUE(report.ok()) << what;
    EXPECT_EQ(told_.back(), done);
    ASSERT_FALSE(report->first().agreement.diagnostics.empty()) << what;
    EXPECT_EQ(report->first().agreement.diagnostics.front().code, "gpu.cuda_error");
  }
}

}  // namespace
}  // namespace lanescope::job
