// Every launch of a run is compared, starting from the memory that the launches before it leave. The interpreter runs
// plain and recording kernels in place of a GPU.

#include "job/run/one_launch.h"

#include <cstring>

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "job/launch_chain.h"
#include "job/witness/interpreted_gpu.h"
#include "job/witness/verify.h"

namespace lanescope::job {
namespace {

class OneLaunchTest : public testing::Test {
 protected:
  void SetUp() override {
    request_ = test::launch_chain();
    whole_ = run(request_);
    if (!whole_.completed && whole_.diagnostics.front().code == "toolchain.no_nvrtc") GTEST_SKIP() << "no compiler";
    ASSERT_TRUE(whole_.completed) << format(whole_.diagnostics.front());
    if (compile::find_toolchain()->sass_compiler_path.empty())
      GTEST_SKIP() << "no nvJitLink, which assembles kernels that record themselves";
  }

  static std::vector<int> ints(const sim::Argument& buffer) {
    std::vector<int> list(buffer.contents.size() / 4);
    std::memcpy(list.data(), buffer.contents.data(), list.size() * 4);
    return list;
  }
  static std::vector<int> places_of(const OneLaunch& one) {
    std::vector<int> places;
    for (const OneLaunch::Place& place : one.places) places.push_back(place.of_whole);
    return places;
  }
  // The contents of buffers `a` and `b` after so many launches of the chain, computed here.
  static std::pair<std::vector<int>, std::vector<int>> by_hand(int executions) {
    std::vector<int> a(128), b(128);
    for (int i = 0; i < 128; ++i) a[static_cast<std::size_t>(i)] = b[static_cast<std::size_t>(i)] = i;
    for (int k = 0; k + 1 < executions; ++k)
      for (int i = 0; i < 128; ++i)
        if (i % 3 != 2)
          (k % 2 ? a : b)[static_cast<std::size_t>(i)] =
              (k % 2 ? b : a)[static_cast<std::size_t>(i * 9 % 128)] + 10 + k;
    return {a, b};
  }

  Request request_;
  Outcome whole_;
};

TEST_F(OneLaunchTest, EachTimeHasItsPlaceInTheRun) {
  EXPECT_EQ(executions(whole_),
            (std::vector<WhichLaunch>{{1, 3, 1, 1}, {2, 3, 1, 3}, {2, 3, 2, 3}, {2, 3, 3, 3}, {3, 3, 1, 1}}));
  EXPECT_EQ(first_execution(whole_, 2), 1u);
  EXPECT_EQ(first_execution(whole_, 3), 4u);
  EXPECT_EQ(telling_executions(whole_), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(telling_executions(whole_, 3), (std::vector<std::size_t>{0, 1, 4}))
      << "one of each kernel and shape, and the last";
}

TEST_F(OneLaunchTest, IsARunOfItsOwnAfterThoseBeforeIt) {
  for (std::size_t execution = 1; execution <= 3; ++execution) {
    const Result<OneLaunch> one = one_launch(whole_, execution);
    ASSERT_TRUE(one.ok()) << format(one.errors().front());
    EXPECT_EQ(one->outcome.request.first().kernel, "gather");
    const bool even = execution != 2;
    EXPECT_EQ(places_of(*one), even ? (std::vector<int>{-1, 3, 1, 0, 2, 4}) : (std::vector<int>{-1, 1, 3, 0, 2, 4}));
    const auto [a, b] = by_hand(static_cast<int>(execution) + 1);
    EXPECT_EQ(ints(one->outcome.arguments[even ? 1 : 2]), b);
    EXPECT_EQ(ints(one->outcome.arguments[even ? 2 : 1]), a);
    // Counts this repetition alone, not all three.
    EXPECT_EQ(one->outcome.first().trace.totals.of(trace::MemoryClass::global_store).requests, 4u);
  }
  EXPECT_EQ(whole_.launches[1].trace.totals.of(trace::MemoryClass::global_store).requests, 12u)
      << "the run's own are summed";
}

TEST_F(OneLaunchTest, TheWitnessesAgreeOnEachFromTheMemoryThatItFinds) {
  if (compile::find_toolchain()->disassembler_path.empty()) GTEST_SKIP() << "no nvdisasm on this machine";
  test::InterpretedGpu gpu(whole_);
  const Result<std::vector<Agreement>> agreements = verify(whole_, gpu);
  ASSERT_TRUE(agreements.ok()) << format(agreements.errors().front());
  ASSERT_EQ(agreements->size(), 5u);
  EXPECT_EQ(gpu.counts, 5) << "the counters are asked of each";
  const auto all = executions(whole_);
  for (std::size_t i = 0; i < agreements->size(); ++i) {
    const Agreement& agreement = (*agreements)[i];
    SCOPED_TRACE(i);
    EXPECT_EQ(agreement.which, all[i]);
    EXPECT_EQ(agreement.kernel, i == 0 ? "spread" : i < 4 ? "gather" : "finish");
    EXPECT_TRUE(agreement.same_result && agreement.recording_kept_result && agreement.repeatable);
    for (const Diagnostic& why : agreement.diagnostics) ADD_FAILURE() << format(why);
    ASSERT_EQ(agreement.records.size(), 3u);
    for (const RecordComparison& records : agreement.records)
      EXPECT_TRUE(records.agrees()) << instrument::to_string(records.pass)
                                    << testing::PrintToString(records.differences);
    EXPECT_GT(agreement.records[0].interpreted, 0u);
    ASSERT_FALSE(agreement.rows.empty());
    for (const AgreementRow& row : agreement.rows) {
      EXPECT_EQ(row.agreed, Agreed::equal) << row.number;
      EXPECT_TRUE(row.recorded && row.counted) << row.number;
    }
  }
  // i * 9 % 128: a warp's 32 words are 36 bytes apart, nearly each in its own sector. If the indices had not been
  // written, all lanes would read one word.
  const auto loads = std::ranges::find((*agreements)[1].rows, "global_load.sectors", &AgreementRow::number);
  ASSERT_NE(loads, (*agreements)[1].rows.end());
  EXPECT_GT(*loads->recorded, 4u * 15u);
}

TEST_F(OneLaunchTest, TheReportBringsTheRecordingOfThatLaunch) {
  test::InterpretedGpu gpu(whole_);
  for (const std::size_t execution : {0u, 2u, 4u}) {
    const Result<LaunchReport> report = verify_launch(whole_, execution, gpu);
    ASSERT_TRUE(report.ok()) << format(report.errors().front());
    ASSERT_TRUE(report->witness.recorded);
    EXPECT_EQ(report->witness.recorded->origin, trace::Origin::recorded);
    EXPECT_EQ(report->witness.recorded->kernel, report->one.outcome.request.first().kernel);
    trace::Totals model = report->one.outcome.first().trace.totals;
    model.of(trace::MemoryClass::param_load) = {};
    EXPECT_EQ(report->witness.recorded->totals.memory, model.memory);
    EXPECT_EQ(report->witness.recorded->totals.warp_instructions, model.warp_instructions);
  }
}

TEST_F(OneLaunchTest, AStartThatIsTheMachinesIsSaid) {
  request_.source.text += "__global__ void add(float* sum, int* where) { atomicAdd(sum, where[threadIdx.x]); }\n";
  request_.launches = {
      request_.first(),
      {.number = 2, .kernel = "add", .shape = {.grid = {1}, .block = {64}}, .parameters = {{4, {}}, {0, {}}}},
      request_.launches[4]};
  request_.buffers[1] = {"f32[1]=0", request_.buffers[1].name()};
  const Outcome whole = run(request_);
  ASSERT_TRUE(whole.completed) << format(whole.diagnostics.front());
  const Result<OneLaunch> second = one_launch(whole, 1), third = one_launch(whole, 2);
  ASSERT_TRUE(second.ok() && third.ok());
  EXPECT_FALSE(second->start_rounds);
  EXPECT_TRUE(third->start_rounds) << "launch 2 adds floats in the machine's order";
  test::InterpretedGpu gpu(whole);
  const Result<GpuRun> run = run_launch_on_gpu(whole, *third, gpu, {.time = false});
  ASSERT_TRUE(run.ok()) << format(run.errors().front());
  EXPECT_TRUE(run->start_rounds);
  EXPECT_TRUE(run->same_start && run->same_result) << "here the order is always the same";
}

constexpr const char* shared_memory_source = R"x(
__constant__ int factor[2];
__device__ int total;
__global__ void add(const int* in) { atomicAdd(&total, in[threadIdx.x] * factor[1]); }
__global__ void put(int* out, const int* half) { out[threadIdx.x] = total + half[threadIdx.x]; }
)x";

// `factor` comes from the request, `total` from launch 1. Launch 2 takes one buffer twice, the second time from its
// middle.
Request with_shared_memory() {
  Request request;
  request.source = {"shared.cu", shared_memory_source, {}};
  request.first().kernel = "add";
  request.first().shape = {.grid = {1}, .block = {64}};
  request.arguments = {{"i32[64]=iota", "in"}};
  request.symbols = {{"i32[2]=3", "factor"}};
  request.launches.push_back({.number = 2,
                              .kernel = "put",
                              .shape = {.grid = {1}, .block = {32}},
                              .parameters = {{0, {}}, {.buffer = 0, .offset = 128}}});
  request.record.events = true;
  return request;
}

TEST(LaunchesOnAGpu, ShareVariablesAndABufferUnderTwoNames) {
  const Outcome whole = run(with_shared_memory());
  if (!whole.completed && whole.diagnostics.front().code == "toolchain.no_nvrtc") GTEST_SKIP() << "no compiler";
  ASSERT_TRUE(whole.completed) << format(whole.diagnostics.front());
  if (compile::find_toolchain()->sass_compiler_path.empty()) GTEST_SKIP() << "no nvJitLink on this machine";
  constexpr int total = 63 * 64 / 2 * 3;
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) expected[static_cast<std::size_t>(i)] = i < 32 ? total + i + 32 : i;
  const auto ints = [](const sim::Argument& buffer) {
    std::vector<int> list(buffer.contents.size() / 4);
    std::memcpy(list.data(), buffer.contents.data(), list.size() * 4);
    return list;
  };
  EXPECT_EQ(ints(whole.arguments[0]), expected);

  test::InterpretedGpu gpu(whole);
  const GpuOptions options{.time = false, .disassemble = false};
  const Result<GpuRun> done = run_on_gpu(whole, gpu, options);
  ASSERT_TRUE(done.ok()) << format(done.errors().front());
  EXPECT_TRUE(done->same_result) << done->first_difference;
  EXPECT_EQ(ints(done->arguments[0]), expected);

  const Result<OneLaunch> second = one_launch(whole, 1);
  ASSERT_TRUE(second.ok()) << format(second.errors().front());
  const Result<GpuRun> alone = run_launch_on_gpu(whole, *second, gpu, options);
  ASSERT_TRUE(alone.ok()) << format(alone.errors().front());
  EXPECT_TRUE(alone->same_result) << alone->first_difference;
  EXPECT_EQ(ints(alone->arguments[0]), expected);
}

// Launch 1 stores the pointer; the GPU's buffers lie elsewhere.
TEST(LaunchesOnAGpu, APointerInAVariableIsThatOnTheGpu) {
  Request request = with_shared_memory();
  request.source.text =
      "__device__ int* kept;\n__global__ void add(int* in) { kept = in + 1; }\n"
      "__global__ void put(int* out, const int* half) { kept[threadIdx.x] = half[1 + threadIdx.x / 2] + (kept == out + "
      "1); }\n";
  request.symbols.clear();
  const Outcome whole = run(request);
  if (!whole.completed && whole.diagnostics.front().code == "toolchain.no_nvrtc") GTEST_SKIP() << "no compiler";
  ASSERT_TRUE(whole.completed) << format(whole.diagnostics.front());
  const Result<OneLaunch> second = one_launch(whole, 1);
  ASSERT_TRUE(second.ok()) << format(second.errors().front());
  test::InterpretedGpu gpu(whole);
  const Result<GpuRun> done = run_launch_on_gpu(whole, *second, gpu, {.time = false, .disassemble = false});
  ASSERT_TRUE(done.ok()) << format(done.errors().front());
  EXPECT_TRUE(done->same_result) << done->first_difference;
  std::vector<int> made(64), expected(64);
  std::memcpy(made.data(), done->arguments[0].contents.data(), 256);
  for (int i = 0; i < 64; ++i) expected[static_cast<std::size_t>(i)] = i >= 1 && i < 33 ? 33 + (i - 1) / 2 + 1 : i;
  EXPECT_EQ(made, expected);
}

TEST(LaunchesOnAGpu, AnAddressOfNoBufferInAVariableIsRefused) {
  Request request = with_shared_memory();
  request.source.text =
      "__device__ int* kept;\n__device__ int other;\n__global__ void add(int* in) { kept = &other; }\n"
      "__global__ void put(int* out, const int* half) { out[threadIdx.x] = half[threadIdx.x] + *kept; }\n";
  request.symbols.clear();
  const Outcome whole = run(request);
  if (!whole.completed && whole.diagnostics.front().code == "toolchain.no_nvrtc") GTEST_SKIP() << "no compiler";
  ASSERT_TRUE(whole.completed) << format(whole.diagnostics.front());
  const Result<OneLaunch> second = one_launch(whole, 1);
  ASSERT_TRUE(second.ok()) << format(second.errors().front());
  test::InterpretedGpu gpu(whole);
  const Result<GpuRun> refused = run_launch_on_gpu(whole, *second, gpu, {.time = false, .disassemble = false});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().code, "gpu.stored_address");
}

}  // namespace
}  // namespace lanescope::job
