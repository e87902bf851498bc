// What only a real GPU can show; each test skips itself if there is none.
//   lanescope_tests --gtest_filter='OnGpu*'

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gpu/worker.h"
#include "job/launch_chain.h"
#include "job/lesson/lesson_request.h"
#include "job/request/directives.h"
#include "job/witness/gpu_report.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

const std::filesystem::path source_dir = LANESCOPE_SOURCE_DIR;

std::string source_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// In a worker process, as in the program: a faulting kernel must not end the tests.
class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto devices = gpu::devices(); !devices) GTEST_SKIP() << "no GPU: " << devices.errors().front().message;
    auto session = gpu::open_in_worker({LANESCOPE_BINARY, "gpu-worker"}, 0);
    ASSERT_TRUE(session.ok()) << format(session.errors().front());
    session_ = std::move(*session);
  }

  Request request(const std::string& source, const std::string& kernel, std::uint32_t grid, std::uint32_t block,
                  std::vector<std::string> arguments) {
    Request made;
    made.source = {"kernel.cu", source, {}};
    made.first().kernel = kernel;
    made.first().shape.grid = {grid, 1, 1};
    made.first().shape.block = {block, 1, 1};
    for (std::string& argument : arguments) made.arguments.push_back({std::move(argument), ""});
    made.record.events = true;
    return made;
  }

  // Only the PTX: kernels that must not be interpreted first.
  Outcome compiled(const Request& made) {
    compile::Options options;
    options.name_expressions = {made.first().kernel};
    Result<compile::Ptx> ptx = compile::compile(made.source, options);
    Outcome outcome;
    outcome.request = made;
    EXPECT_TRUE(ptx.ok()) << format(ptx.errors().front());
    if (!ptx) return outcome;
    outcome.first().ptx = ptx->text;
    outcome.first().mangled_kernel = ptx->mangled[made.first().kernel];
    return outcome;
  }

  void expect_agreement(const Request& made, const std::string& name) {
    const Outcome interpreted = run(made);
    ASSERT_TRUE(interpreted.completed) << name;
    const Result<std::vector<Agreement>> agreements = verify(interpreted, *session_);
    ASSERT_TRUE(agreements.ok()) << name << ": " << format(agreements.errors().front());
    ASSERT_EQ(agreements->size(), made.launches.size()) << name;
    for (const Agreement& agreement : *agreements)
      expect_agreement(agreement, name + ", launch " + std::to_string(agreement.which.number));
  }
  void expect_agreement(const Agreement& agreement, const std::string& name) {
    for (const AgreementRow& row : agreement.rows)
      EXPECT_NE(row.agreed, Agreed::unexplained)
          << name << ", " << row.number << ": " << row.interpreted.value_or(0) << " interpreted, "
          << row.recorded.value_or(0) << " recorded, " << row.counted.value_or(0) << " counted";
    if (agreement.repeatable) {
      EXPECT_TRUE(agreement.same_result && agreement.recording_kept_result) << name;
    }
    for (const RecordComparison& records : agreement.records) EXPECT_EQ(records.dropped, 0u) << name;
  }

  std::unique_ptr<gpu::Session> session_;
};

TEST_F(OnGpu, WitnessesAgreeOnEveryLesson) {
  const lesson::Library library = lesson::load_library((source_dir / "lessons").string());
  ASSERT_GE(library.lessons.size(), 6u);
  for (const lesson::Lesson& lesson : library.lessons)
    for (const lesson::Variant& variant : lesson.variants) {
      if (variant.gpu_only || variant.broken_on_purpose) continue;
      const Result<Request> made = from_lesson(lesson, variant, {});
      ASSERT_TRUE(made.ok());
      expect_agreement(*made, lesson.id + ", " + variant.id);
    }
}

// Repetitions, buffers that change places, different kernels: each launch starts from the memory that those before it
// leave.
TEST_F(OnGpu, EveryLaunchOfAChainIsComparedFromTheMemoryThatItFinds) {
  const Outcome interpreted = run(test::launch_chain());
  ASSERT_TRUE(interpreted.completed);
  const Result<std::vector<Agreement>> agreements = verify(interpreted, *session_);
  ASSERT_TRUE(agreements.ok()) << format(agreements.errors().front());
  ASSERT_EQ(agreements->size(), 5u);
  for (const Agreement& agreement : *agreements) {
    const std::string name =
        "launch " + std::to_string(agreement.which.number) + ", repeat " + std::to_string(agreement.which.repeat);
    expect_agreement(agreement, name);
    EXPECT_TRUE(agreement.repeatable) << name;
    ASSERT_EQ(agreement.records.size(), 3u) << name;
    for (const RecordComparison& records : agreement.records)
      EXPECT_TRUE(records.agrees()) << name << ": " << instrument::to_string(records.pass);
    for (const AgreementRow& row : agreement.rows)
      EXPECT_TRUE(row.recorded && row.counted) << name << ", " << row.number;
  }
  const Result<GpuReport> report = run_with_witnesses(interpreted, *session_, {});
  ASSERT_TRUE(report.ok()) << format(report.errors().front());
  const Outcome on = on_gpu(interpreted, *report, nullptr);
  for (int launch = 1; launch <= on.launch_count(); ++launch)
    EXPECT_EQ(on.trace_of(launch)->origin, trace::Origin::recorded) << launch;
  EXPECT_EQ(on.all_totals().of(trace::MemoryClass::global_load),
            interpreted.all_totals().of(trace::MemoryClass::global_load));
  EXPECT_EQ(on.all_totals().of(trace::MemoryClass::global_store),
            interpreted.all_totals().of(trace::MemoryClass::global_store));
}

TEST_F(OnGpu, WitnessesAgreeOnTheCalibrationKernels) {
  for (const auto& entry : std::filesystem::directory_iterator(source_dir / "kernels" / "calibration")) {
    if (entry.path().extension() != ".cu") continue;
    const auto runs = directed_runs(entry.path().filename().string(), source_text(entry.path()));
    ASSERT_TRUE(runs.ok());
    for (const DirectedRun& one : *runs) expect_agreement(one.request, one.request.first().kernel);
  }
}

// Kernels of realistic shapes; an unexplained difference is our error.
TEST_F(OnGpu, WitnessesAgreeOnKernelsOfEveryShape) {
  for (const auto& entry : std::filesystem::directory_iterator(source_dir / "tests" / "cases" / "witnesses")) {
    if (entry.path().extension() != ".cu") continue;
    const auto runs = directed_runs(entry.path().filename().string(), source_text(entry.path()));
    ASSERT_TRUE(runs.ok());
    for (const DirectedRun& one : *runs) expect_agreement(one.request, one.request.first().kernel);
  }
}

// Two counts by the hardware, of the launch and of each machine instruction, made by different means.
TEST_F(OnGpu, TheCountsOfTheInstructionsAddUpToTheLaunchs) {
  VerifyOptions options;
  options.lines = true;
  int compared = 0;
  for (const char* file : {"accesses.cu", "shared_memory.cu", "cluster_shapes.cu"}) {
    const auto runs = directed_runs(file, source_text(source_dir / "tests" / "cases" / "witnesses" / file));
    ASSERT_TRUE(runs.ok());
    for (const DirectedRun& one : *runs) {
      const Result<std::vector<Agreement>> agreements = verify(run(one.request), *session_, options);
      ASSERT_TRUE(agreements.ok()) << format(agreements.errors().front());
      for (const Agreement& agreement : *agreements)
        for (const AgreementRow& row : agreement.rows) {
          std::optional<std::uint64_t> sum = 0;
          for (const AgreementLine& line : agreement.lines)
            if (line.number == row.number)
              sum = sum && line.counted ? std::optional(*sum + *line.counted) : std::nullopt;
          if (!sum || row.agreed != Agreed::equal) continue;
          EXPECT_EQ(sum, row.counted) << one.request.first().kernel << ", " << row.number;
          ++compared;
        }
    }
  }
  EXPECT_GT(compared, 100);
}

TEST_F(OnGpu, TimesAndReportsTheWholeRun) {
  const Outcome interpreted =
      run(request("__global__ void twice(const float* in, float* out) { int i = blockIdx.x * 256 + threadIdx.x; out[i] "
                  "= 2 * in[i]; }",
                  "twice", 64, 256, {"f32[16384]=iota", "f32[16384]"}));
  const Result<GpuReport> report = run_with_witnesses(interpreted, *session_, {});
  ASSERT_TRUE(report.ok()) << format(report.errors().front());
  EXPECT_TRUE(report->run.same_result);
  ASSERT_TRUE(report->run.timing);
  EXPECT_GT(report->run.timing->seconds.low, 0);
  EXPECT_LE(report->run.timing->seconds.low, report->run.timing->seconds.median);
  EXPECT_LE(report->run.timing->seconds.median, report->run.timing->seconds.high);
  ASSERT_TRUE(report->first().recorded);
  EXPECT_EQ(report->first().recorded->origin, trace::Origin::recorded);
  trace::Totals recorded = report->first().recorded->totals, model = interpreted.first().trace.totals;
  model.of(trace::MemoryClass::param_load) = {};  // parameter reads are not recorded
  EXPECT_EQ(recorded.warp_instructions, model.warp_instructions);
  EXPECT_EQ(recorded.lane_instructions, model.lane_instructions);
  EXPECT_EQ(recorded.memory, model.memory);
}

TEST_F(OnGpu, WhatDoesNotFitTheBufferIsRecordedInRanges) {
  const Request made = request(
      "__global__ void shift(const float* in, float* out) { int i = blockIdx.x * 64 + threadIdx.x; out[i] = in[i] + "
      "in[i ^ 1]; }",
      "shift", 40, 64, {"f32[2560]=iota", "f32[2560]"});
  const Outcome interpreted = run(made);
  const Result<GpuRun> plain = run_on_gpu(interpreted, *session_, {.time = false});
  ASSERT_TRUE(plain.ok());
  RecordingLimits small{.bytes = 16 << 10};
  const Result<GpuRecording> ranges =
      record_on_gpu(interpreted, *plain, *session_, instrument::Pass::memory, 0, 40, small);
  ASSERT_TRUE(ranges.ok()) << format(ranges.errors().front());
  EXPECT_GT(ranges->launches, 3u);
  EXPECT_EQ(ranges->blocks, 40u);
  EXPECT_TRUE(ranges->same_result);
  const RecordComparison compared = compare_with(interpreted, *ranges, instrument::Pass::memory);
  EXPECT_TRUE(compared.agrees()) << testing::PrintToString(compared.differences);
  EXPECT_EQ(compared.launches, ranges->launches);
  small.launches = 2;
  const Result<GpuRecording> part =
      record_on_gpu(interpreted, *plain, *session_, instrument::Pass::memory, 0, 40, small);
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->launches, 2u);
  EXPECT_LT(part->blocks, 40u);
  EXPECT_TRUE(compare_with(interpreted, *part, instrument::Pass::memory).agrees());  // for the recorded blocks
  VerifyOptions options;
  options.recording = small;
  const Agreement told = agree(interpreted, *plain, *session_, options);
  ASSERT_FALSE(told.diagnostics.empty());
  EXPECT_EQ(told.diagnostics.front().code, "gpu.recording_incomplete");
}

// nvJitLink leaves its array in local memory, so the driver assembles the recording kernel.
TEST_F(OnGpu, AFewBlocksOfAKernelWithAnArrayOfEachThreadAreRecorded) {
  const auto runs = directed_runs("recording.cu", source_text(source_dir / "bench/gpu/recording.cu"));
  ASSERT_TRUE(runs.ok());
  const auto one = std::find_if(runs->begin(), runs->end(),
                                [](const DirectedRun& run) { return run.request.first().kernel == "own_arrays"; });
  ASSERT_NE(one, runs->end());
  Request made = one->request;
  made.record.events = true;
  made.record.event_budget_bytes = 2ull << 30;
  const Outcome interpreted = run(made);
  ASSERT_TRUE(interpreted.completed && interpreted.first().trace.events_dropped == 0);
  const Result<GpuRun> plain = run_on_gpu(interpreted, *session_, {.time = false});
  ASSERT_TRUE(plain.ok()) << format(plain.errors().front());
  EXPECT_EQ(plain->attributes.local_bytes, 0u) << "or there is nothing to see here";
  for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations}) {
    const Result<GpuRecording> few = record_on_gpu(interpreted, *plain, *session_, pass, 100, 16);
    ASSERT_TRUE(few.ok()) << instrument::to_string(pass) << ": " << format(few.errors().front());
    EXPECT_EQ(few->blocks, 16u);
    EXPECT_TRUE(few->same_result) << instrument::to_string(pass);
    const RecordComparison compared = compare_with(interpreted, *few, pass);
    EXPECT_TRUE(compared.agrees()) << instrument::to_string(pass) << ": "
                                   << testing::PrintToString(compared.differences);
  }
}

TEST_F(OnGpu, EveryLaunchStartsFromTheSameMemoryWhileTimed) {
  // Increments a counter: without fresh memory before each sample it would write past the end.
  const char* append = "__global__ void append(int* next, float* out) { out[atomicAdd(next, 1)] = 1; }";
  const Result<GpuReport> report =
      run_with_witnesses(run(request(append, "append", 4, 64, {"i32[1]=0", "f32[256]"})), *session_, {});
  ASSERT_TRUE(report.ok()) << format(report.errors().front());
  EXPECT_TRUE(report->run.timing);
}

TEST_F(OnGpu, AFaultIsADiagnosticAndTheNextRunWorks) {
  const Request faulty =
      request("__global__ void wild(float* out) { out[1ull << 40] = 1; }", "wild", 1, 32, {"f32[32]=0"});
  const Result<GpuRun> lost = run_on_gpu(compiled(faulty), *session_, {.time = false});
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.errors().front().code, "gpu.kernel_fault");
  EXPECT_NE(lost.errors().front().message.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos)
      << lost.errors().front().message;
  ASSERT_EQ(lost.errors().size(), 2u);
  EXPECT_EQ(lost.errors()[1].code, "gpu.fault_elsewhere");
  EXPECT_EQ(lost.errors()[1].place.line, 1) << "the interpreter names the line";
  const Request good = request("__global__ void one(float* out) { out[threadIdx.x] = 1; }", "one", 1, 32, {"f32[32]"});
  EXPECT_TRUE(run_on_gpu(run(good), *session_, {.time = false}).ok());
}

TEST_F(OnGpu, AHangEndsByTheWatchdogAndTheNextRunWorks) {
  const Request endless =
      request("__global__ void endless(volatile int* flag) { while (*flag == 0) {} }", "endless", 1, 32, {"i32[1]=0"});
  const Result<GpuRun> hung = run_on_gpu(compiled(endless), *session_, {.time = false, .watchdog_seconds = 1});
  ASSERT_FALSE(hung.ok());
  EXPECT_EQ(hung.errors().front().code, "gpu.hang");
  const Request good = request("__global__ void one(float* out) { out[threadIdx.x] = 1; }", "one", 1, 32, {"f32[32]"});
  EXPECT_TRUE(run_on_gpu(run(good), *session_, {.time = false}).ok());
}

TEST_F(OnGpu, TooLittleDeviceMemoryIsADiagnostic) {
  const Request good = request("__global__ void one(float* out) { out[threadIdx.x] = 1; }", "one", 1, 32, {"f32[32]"});
  const Result<GpuRun> plain = run_on_gpu(run(good), *session_, {.time = false});
  ASSERT_TRUE(plain.ok());
  std::vector<gpu::Argument> arguments(1);
  arguments[0].is_buffer = true;
  arguments[0].zero_bytes = std::uint64_t{1} << 46;
  const auto refused = session_->run(arguments, 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.errors().front().message.find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos)
      << refused.errors().front().message;
  EXPECT_TRUE(run_on_gpu(run(good), *session_, {.time = false}).ok());
}

TEST_F(OnGpu, ACooperativeGridThatDoesNotFitIsRefused) {
  Request too_many = request(
      "#include <cooperative_groups.h>\n__global__ void meet(int* out) { cooperative_groups::this_grid().sync(); "
      "out[0] = 1; }",
      "meet", 100000, 1024, {"i32[1]=0"});
  too_many.first().shape.cooperative = true;
  const Result<GpuRun> refused = run_on_gpu(compiled(too_many), *session_, {.time = false});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.errors().front().message.find("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"), std::string::npos)
      << refused.errors().front().message;
}

}  // namespace
}  // namespace lanescope::job
