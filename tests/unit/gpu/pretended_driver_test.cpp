// Errors of the driver and of CUPTI, from return code to message, without a GPU: the program's own worker process loads
// a driver that computes nothing (tests/tools/pretend_driver) and fails where a test wants it to.

#include "core/os/clock.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/program.h"
#include "compile/toolchain.h"
#include "gpu/worker.h"
#include "job/witness/gpu_run.h"
#include "test_paths.h"

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;
const fs::path pretended = LANESCOPE_PRETENDED;

std::vector<std::string> worker(const std::string& told, const char* driver = "driver") {
  return {"/usr/bin/env", "LD_LIBRARY_PATH=" + (pretended / driver).string(), "LANESCOPE_PRETEND=" + told,
          LANESCOPE_BINARY, "gpu-worker"};
}

// Leaves its memory unchanged. So does the pretended GPU, so the results are equal.
constexpr const char* adds_nothing =
    "__global__ void adds_nothing(float* all, const float* zero) {\n"
    "  const int i = blockIdx.x * 64 + threadIdx.x;\n"
    "  all[i] = all[i] + zero[0];\n"
    "}\n";

class PretendedDriver : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
    job::Request request;
    request.source = {"adds_nothing.cu", adds_nothing, {}};
    request.first().kernel = "adds_nothing";
    request.first().shape.grid = {2, 1, 1};
    request.first().shape.block = {64, 1, 1};
    request.arguments = {{"f32[128]=iota", "all"}, {"f32[1]=0", "zero"}};
    interpreted_ = job::run(request);
    ASSERT_TRUE(interpreted_.completed) << format(interpreted_.diagnostics.front());
  }

  static std::unique_ptr<Session> session(const std::string& told) {
    Result<std::unique_ptr<Session>> opened = open_in_worker(worker(told), 0);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : format(opened.errors().front()));
    return opened ? std::move(*opened) : nullptr;
  }
  Result<job::GpuRun> run_on(Session& session, bool cooperative = false) const {
    job::Outcome outcome = interpreted_;
    outcome.request.first().shape.cooperative = cooperative;
    return job::run_on_gpu(outcome, session, {.time = false, .watchdog_seconds = 0.2});
  }
  Diagnostic refused(const std::string& told, bool cooperative = false) const {
    const std::unique_ptr<Session> gpu = session(told);
    if (!gpu) return {};
    const Result<job::GpuRun> run = run_on(*gpu, cooperative);
    EXPECT_FALSE(run.ok()) << told;
    return run.ok() ? Diagnostic{} : run.errors().front();
  }

  job::Outcome interpreted_;
};

TEST_F(PretendedDriver, RunsWhereNothingIsRefused) {
  const std::unique_ptr<Session> gpu = session("");
  ASSERT_TRUE(gpu);
  EXPECT_EQ(gpu->device().name, "Pretended");
  EXPECT_EQ(gpu->device().driver_version, "13.0");
  const Result<job::GpuRun> run = run_on(*gpu);
  ASSERT_TRUE(run.ok()) << format(run.errors().front());
  EXPECT_TRUE(run->same_result);
}

// Stores what it loads, so the pretended GPU's texels are equal too.
TEST_F(PretendedDriver, MakesTexturesAndSurfaces) {
  job::Request request;
  request.source = {"keeps.cu",
                    "__global__ void keeps(cudaTextureObject_t in, cudaSurfaceObject_t all, float* out) {\n"
                    "  const float texel = surf2Dread<float>(all, threadIdx.x * 4, threadIdx.y);\n"
                    "  surf2Dwrite(texel + tex2D<float>(in, 7, 3), all, threadIdx.x * 4, threadIdx.y);\n"
                    "  if (texel < 0) *out = tex2D<float>(in, 0, 0);\n"
                    "}\n",
                    {}};
  request.first().kernel = "keeps";
  request.first().shape.block = {8, 4, 1};
  request.arguments = {{"tex:linear:f32[8,4]=0", ""}, {"surf:f32[8,4]=iota", ""}, {"f32[1]=0", ""}};
  interpreted_ = job::run(request);
  ASSERT_TRUE(interpreted_.completed) << format(interpreted_.diagnostics.front());
  const std::unique_ptr<Session> gpu = session("");
  ASSERT_TRUE(gpu);
  job::Outcome outcome = interpreted_;
  const Result<job::GpuRun> run =
      job::run_on_gpu(outcome, *gpu, {.time = true, .timing = {.max_samples = 3}, .watchdog_seconds = 0.2});
  ASSERT_TRUE(run.ok()) << format(run.errors().front());
  EXPECT_TRUE(run->same_result);
  for (const char* call : {"cuArray3DCreate_v2", "cuMemcpy3D_v2", "cuTexObjectCreate", "cuSurfObjectCreate"})
    EXPECT_EQ(refused(call + std::string("=2")).code, "gpu.cuda_error") << call;
}

// The worker is not the program that the user called, but messages must name that one.
TEST_F(PretendedDriver, TheWorkerTellsWhatTheUserCanType) {
  const std::string told = "LD_LIBRARY_PATH=" + (pretended / "driver").string() + " LANESCOPE_PRETEND=cuMemAlloc_v2=3";
  const test::Ran ran = test::lanescope({"run", "coalescing", "--device", "gpu"}, {told, "", "", ""});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.err.find("Run `lanescope doctor` to see"), std::string::npos) << ran.err;
}

TEST_F(PretendedDriver, TooLittleDeviceMemorySaysSoAndTheNextRunWorks) {
  const Diagnostic told = refused("cuMemAlloc_v2=2");
  EXPECT_EQ(told.code, "gpu.cuda_error");
  EXPECT_EQ(std::string(told.message), "The GPU call cuMemAlloc failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY).");
  EXPECT_NE(told.cure.find("Make the buffers smaller"), std::string::npos) << told.cure;
  // Memory kept for later launches is released before a request fails, so a failure means that the second attempt
  // failed.
  const std::unique_ptr<Session> gpu = session("");
  ASSERT_TRUE(gpu);
  std::vector<Argument> too_much(1);
  too_much[0].is_buffer = true;
  too_much[0].zero_bytes = std::uint64_t{1} << 60;
  ASSERT_TRUE(run_on(*gpu).ok());
  const Result<Completed> refused_once = gpu->run(too_much, 1);
  ASSERT_FALSE(refused_once.ok());
  EXPECT_NE(refused_once.errors().front().message.find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos);
  EXPECT_TRUE(run_on(*gpu).ok());
}

TEST_F(PretendedDriver, AFaultIsTheKernelsAndTheNextRunHasAnotherWorker) {
  // A run launches twice. The count starts again in a new process.
  const std::unique_ptr<Session> gpu = session("cuStreamQuery=700:3");
  ASSERT_TRUE(gpu);
  EXPECT_TRUE(run_on(*gpu).ok());
  const Result<job::GpuRun> lost = run_on(*gpu);
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.errors().front().code, "gpu.kernel_fault");
  EXPECT_NE(lost.errors().front().message.find("an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"),
            std::string::npos)
      << lost.errors().front().message;
  ASSERT_EQ(lost.errors().size(), 2u) << "what the interpreter found stands beside it";
  EXPECT_EQ(lost.errors()[1].code, "gpu.fault_elsewhere");
  EXPECT_TRUE(run_on(*gpu).ok());
}

// CUDA's default limit is that of static and dynamic shared memory together.
TEST_F(PretendedDriver, StaticSharedMemoryCountsToo) {
  interpreted_.request.first().shape.dynamic_shared_bytes = 32 << 10;
  for (const char* told : {"", "static_shared=16384", "static_shared=16400", "static_shared=40000"}) {
    const std::unique_ptr<Session> gpu = session(told);
    ASSERT_TRUE(gpu);
    const Result<job::GpuRun> run = run_on(*gpu);
    EXPECT_TRUE(run.ok()) << told << ": " << (run.ok() ? "" : format(run.errors().front()));
  }
}

// A recursive kernel gets the stack that the interpreter saw it use, or as much of it as the driver gives. Others keep
// CUDA's 1,024 bytes.
TEST_F(PretendedDriver, RecursionGetsItsStack) {
  job::Request request = interpreted_.request;
  request.source = {"recursive.cu",
                    "__device__ __noinline__ int deep(int n, const float* zero) {\n"
                    "  int kept[16];\n"
                    "  for (int i = 0; i < 16; ++i) kept[i] = i + n + static_cast<int>(zero[0]);\n"
                    "  if (n == 0) return kept[static_cast<int>(zero[0])];\n"
                    "  const int below = deep(n - 1, zero);\n"
                    "  return below + kept[(below + n) & 15];\n"
                    "}\n"
                    "__global__ void adds_nothing(float* all, const float* zero) {\n"
                    "  const int i = blockIdx.x * 64 + threadIdx.x;\n"
                    "  all[i] = all[i] + deep(12, zero) * zero[0];\n"
                    "}\n",
                    {}};
  const job::Outcome recursive = job::run(request);
  ASSERT_TRUE(recursive.completed) << format(recursive.diagnostics.front());
  const auto on_gpu = [](const job::Outcome& outcome, const char* told) {
    const std::unique_ptr<Session> gpu = session(told);
    return job::run_on_gpu(outcome, *gpu, {.time = false, .watchdog_seconds = 0.2});
  };
  EXPECT_TRUE(on_gpu(recursive, "needs_stack=12000").ok());
  EXPECT_TRUE(on_gpu(recursive, "needs_stack=6000 stack_room=8000").ok());
  EXPECT_FALSE(on_gpu(recursive, "needs_stack=12000 stack_room=8000").ok());
  EXPECT_FALSE(on_gpu(interpreted_, "needs_stack=1025").ok());
}

TEST_F(PretendedDriver, AHangEndsByTheWatchdogAndTheNextRunHasAnotherWorker) {
  const std::unique_ptr<Session> gpu = session("cuStreamQuery=600:3");  // not ready
  ASSERT_TRUE(gpu);
  EXPECT_TRUE(run_on(*gpu).ok());
  const auto begin = std::chrono::steady_clock::now();
  const Result<job::GpuRun> hung = run_on(*gpu);
  ASSERT_FALSE(hung.ok());
  EXPECT_EQ(hung.errors().front().code, "gpu.hang");
  EXPECT_EQ(std::string(hung.errors().front().message), "The kernel did not end within 0.2 s on the GPU.");
  EXPECT_LT(seconds_since(begin), 20) << "not the patience with a worker that says nothing";
  EXPECT_TRUE(run_on(*gpu).ok());
}

TEST_F(PretendedDriver, ALaunchThatIsRefusedSaysWhatToChange) {
  const Diagnostic too_many = refused("cuLaunchCooperativeKernel=720", true);
  EXPECT_EQ(too_many.code, "gpu.cuda_error");
  EXPECT_NE(too_many.message.find("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"), std::string::npos) << too_many.message;
  EXPECT_NE(too_many.cure.find("Use fewer blocks"), std::string::npos) << too_many.cure;
  const Diagnostic too_large = refused("cuLaunchKernel=701");
  EXPECT_NE(too_large.cure.find("Use fewer threads per block, or fewer registers"), std::string::npos)
      << too_large.cure;
}

// The pretended cuLaunchKernelEx refuses what is not a launch in clusters.
class PretendedClusters : public PretendedDriver {
 protected:
  Result<job::GpuRun> run_in(Dim3 cluster, const std::string& told, Dim3 grid = {2, 1, 1}, bool cooperative = false) {
    const std::unique_ptr<Session> gpu = session(told);
    if (!gpu) return Diagnostic{};
    job::Outcome outcome = interpreted_;
    trace::Launch& shape = outcome.request.first().shape;
    shape.grid = grid;
    shape.cluster = cluster;
    shape.cooperative = cooperative;
    outcome.first().trace.launch = shape;
    return job::run_on_gpu(outcome, *gpu, {.timing = {.min_samples = 1, .time_limit_seconds = 0.1}});
  }
  static std::string said(const Result<job::GpuRun>& run) { return run.ok() ? "" : format(run.errors().front()); }
  static constexpr const char* only_in_clusters = "cuLaunchKernel=1 cuLaunchCooperativeKernel=1";
};

TEST_F(PretendedClusters, AreAnAttributeOfTheLaunchAlsoWhenItIsTimed) {
  const Result<job::GpuRun> run = run_in({2, 1, 1}, only_in_clusters);
  ASSERT_TRUE(run.ok()) << said(run);
  ASSERT_TRUE(run->timing.has_value());
  EXPECT_FALSE(run->timing->samples.empty());
  EXPECT_FALSE(run_in({1, 1, 1}, only_in_clusters).ok()) << "a cluster of one block is a plain launch";
  const Result<job::GpuRun> both = run_in({2, 1, 1}, only_in_clusters, {2, 1, 1}, true);
  EXPECT_TRUE(both.ok()) << said(both);
}

TEST_F(PretendedClusters, AreNotRepeatedWhereTheKernelDeclaresThem) {
  const Result<job::GpuRun> run = run_in({2, 1, 1}, "declared_cluster=2 cuLaunchKernelEx=1");
  EXPECT_TRUE(run.ok()) << said(run);
}

TEST_F(PretendedClusters, OfMoreThanEightBlocksAreAllowedFirst) {
  const Result<job::GpuRun> run = run_in({16, 1, 1}, only_in_clusters, {16, 1, 1});
  EXPECT_TRUE(run.ok()) << said(run);
  EXPECT_FALSE(run_in({16, 1, 1}, "cuFuncSetAttribute=1", {16, 1, 1}).ok());
  EXPECT_TRUE(run_in({8, 1, 1}, "cuFuncSetAttribute=1", {16, 1, 1}).ok());
}

TEST_F(PretendedClusters, ThatTheDriverRefusesSaySo) {
  const Result<job::GpuRun> run = run_in({3, 1, 1}, "");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.errors().front().code, "gpu.cuda_error");
  EXPECT_EQ(std::string(run.errors().front().message),
            "The GPU call cuLaunchKernelEx failed: a kernel launch error has occurred due to cluster misconfiguration "
            "(CUDA_ERROR_INVALID_CLUSTER_SIZE).");
  EXPECT_NE(run.errors().front().cure.find("The grid must be a multiple of the cluster"), std::string::npos);
}

TEST_F(PretendedClusters, NeedComputeCapabilityNine) {
  const Result<job::GpuRun> run = run_in({2, 1, 1}, "major=8");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.errors().front().code, "gpu.no_clusters");
  EXPECT_EQ(std::string(run.errors().front().message),
            "Pretended has no thread block clusters: it has compute capability 8.0, and clusters need 9.0.");
  EXPECT_TRUE(run_in({1, 1, 1}, "major=8").ok());
}

TEST_F(PretendedDriver, ADriverOfAnOlderCudaThanTheCompilersIsTooOld) {
  const Diagnostic told = refused("version=12040 cuModuleLoadData=200");
  EXPECT_EQ(told.code, "gpu.driver_too_old");
  EXPECT_NE(told.message.find(
                "supports CUDA 12.4 and cannot load code from the CUDA 13 compiler: device kernel image is invalid."),
            std::string::npos)
      << told.message;
  EXPECT_NE(told.cure.find("580 or newer"), std::string::npos) << told.cure;
  EXPECT_EQ(refused("version=13000 cuModuleLoadData=200").code, "gpu.cuda_error")
      << "the same refusal by a driver that is new enough";
  EXPECT_EQ(refused("version=12040 cuModuleLoadData=2").code, "gpu.cuda_error") << "no memory for it";
  // GPUs below 7.5 use CUDA 12's compiler, so CUDA 13's driver requirement does not apply to its code.
  const std::unique_ptr<Session> old_gpu = session("version=12040 cuModuleLoadData=200 major=7");
  ASSERT_TRUE(old_gpu);
  const std::vector<std::uint8_t> cubin{0x7f, 'E', 'L', 'F'};
  const Result<KernelAttributes> loaded = old_gpu->load(cubin, {{"k", interpreted_.request.first().shape, {}}});
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.errors().front().code, "gpu.cuda_error");
}

TEST_F(PretendedDriver, OneFromBeforeCuda128IsUsedAllTheSame) {
  const Result<std::vector<Device>> found = devices_in_worker(worker("version=12040", "old_driver"));
  ASSERT_TRUE(found.ok()) << format(found.errors().front());
  EXPECT_EQ(found->front().driver_version, "12.4");
}

TEST_F(PretendedDriver, OneThatSeesNoGpuOrDoesNotStartSaysWhich) {
  struct Case {
    const char *told, *code, *message;
  };
  for (const Case& one : {Case{"cuInit=100", "gpu.no_device", "no CUDA-capable device is detected"},
                          Case{"cuInit=3", "gpu.no_driver", "does not start: initialization error"},
                          Case{"devices=0", "gpu.no_device", "sees no GPU"}}) {
    const Result<std::vector<Device>> found = devices_in_worker(worker(one.told));
    ASSERT_FALSE(found.ok()) << one.told;
    EXPECT_EQ(found.errors().front().code, one.code) << one.told;
    EXPECT_NE(found.errors().front().message.find(one.message), std::string::npos) << found.errors().front().message;
    EXPECT_NE(found.errors().front().cure.find("kernels run in the CPU interpreter"), std::string::npos)
        << found.errors().front().cure;
  }
}

// The installed compiler with another CUPTI beside it.
class PretendedCounters : public PretendedDriver {
 protected:
  void SetUp() override {
    PretendedDriver::SetUp();
    if (IsSkipped()) return;
    // A wheel's lib, or a toolkit's lib64.
    const fs::path libraries = fs::path(compile::locate_toolchain()->parts.nvrtc_path).parent_path();
    const fs::path here = libraries.parent_path();
    fs::create_directories(folder_ / "cuda/lib");
    for (const auto& entry : fs::directory_iterator(here))
      if (entry.path().filename() != "lib" && entry.path() != libraries)
        fs::create_symlink(entry.path(), folder_ / "cuda" / entry.path().filename());
    for (const auto& entry : fs::directory_iterator(libraries))
      if (!entry.path().filename().string().starts_with("libcupti"))
        fs::create_symlink(entry.path(), folder_ / "cuda/lib" / entry.path().filename());
    fs::create_symlink(pretended / "cupti/libcupti.so.13", folder_ / "cuda/lib/libcupti.so.13");
    test::write_file(folder_ / "adds_nothing.cu", adds_nothing);
  }

  test::Ran traced(const std::string& told, const std::vector<std::string>& more = {"--json"}) const {
    return test::lanescope(
        test::with({"trace", (folder_ / "adds_nothing.cu").string(), "--kernel", "adds_nothing", "--grid", "2",
                    "--block", "64", "--arg", "f32[128]=iota", "--arg", "f32[1]=0", "--device", "gpu"},
                   more),
        {.environment = "LD_LIBRARY_PATH=" + test::quoted((pretended / "driver").string()) + " LANESCOPE_DEPS=" +
                        test::quoted((folder_ / "").string()) + " LANESCOPE_PRETEND=" + test::quoted(told)});
  }

  test::TempFolder folder_;
};

const nlohmann::json* with_code(const nlohmann::json& diagnostics, const std::string& code) {
  for (const nlohmann::json& one : diagnostics)
    if (one.at("code") == code) return &one;
  return nullptr;
}

TEST_F(PretendedCounters, AreReadWhereTheyAreAllowed) {
  const test::Ran ran = traced("");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const nlohmann::json json = ran.json();
  for (const nlohmann::json& one : json.at("diagnostics"))
    EXPECT_FALSE(one.at("code").get<std::string>().starts_with("gpu.counters")) << one;
  ASSERT_FALSE(json.at("gpu").at("agreement").at("rows").empty());
  for (const nlohmann::json& row : json.at("gpu").at("agreement").at("rows")) {
    EXPECT_EQ(row.at("counted"), 0) << row;
    EXPECT_EQ(row.at("verdict"), "UNEXPLAINED")
        << "nothing was recorded and nothing counted: that shows nothing. " << row;
  }
}

// For any failing CUPTI call: the run continues, time and result are there, no number is labelled as counted, and the
// message names the setting that permits counters.
TEST_F(PretendedCounters, ForbiddenTheRunGoesOnAndTheSettingIsTold) {
  for (const char* call : {"cuptiProfilerGetCounterAvailability", "cuptiProfilerHostInitialize",
                           "cuptiRangeProfilerEnable", "cuptiRangeProfilerStart"}) {
    const test::Ran ran = traced(std::string(call) + "=35");
    EXPECT_EQ(ran.code, 0) << call << ": " << ran.err;
    const nlohmann::json json = ran.json();
    const nlohmann::json* told = with_code(json.at("diagnostics"), "gpu.counters_forbidden");
    ASSERT_NE(told, nullptr) << call << ": " << json.at("diagnostics");
    EXPECT_EQ(told->at("severity"), "warning") << call;
    EXPECT_NE(told->at("cure").get<std::string>().find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos)
        << *told;
    EXPECT_FALSE(json.at("gpu").at("time").is_null()) << call;
    EXPECT_EQ(json.at("gpu").at("agreement").at("same_result"), true) << call;
    ASSERT_FALSE(json.at("gpu").at("agreement").at("rows").empty()) << call;
    for (const nlohmann::json& row : json.at("gpu").at("agreement").at("rows"))
      EXPECT_TRUE(row.at("counted").is_null()) << call << ": " << row;
  }
}

TEST_F(PretendedCounters, ForbiddenIsToldInTheLearnersLanguage) {
  const test::Ran english = traced("cuptiRangeProfilerEnable=35", {});
  EXPECT_NE(english.err.find("warning: The driver lets only administrators read the hardware counters."),
            std::string::npos)
      << english.err;
  EXPECT_NE(english.err.find("NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d"), std::string::npos)
      << english.err;
  const test::Ran chinese = traced("cuptiRangeProfilerEnable=35", {"--language", "zh-CN"});
  EXPECT_NE(chinese.err.find("驱动只允许管理员读取硬件计数器。"), std::string::npos) << chinese.err;
}

TEST_F(PretendedCounters, AnotherProgramThatCountsIsWaitedFor) {
  const nlohmann::json json = traced("cuptiRangeProfilerStart=26:1-3").json();
  for (const nlohmann::json& told : json.at("diagnostics"))
    EXPECT_FALSE(told.at("code").get<std::string>().starts_with("gpu.counters")) << told;
  for (const nlohmann::json& row : json.at("gpu").at("agreement").at("rows"))
    EXPECT_FALSE(row.at("counted").is_null()) << row;
}

// Counting the machine instructions is a further witness: without it, the others say what they say.
TEST_F(PretendedCounters, WithoutCountsOfTheCodeNothingChanges) {
  const nlohmann::json with = traced("").json();
  for (const char* call : {"cuptiSassMetricsGetProperties", "cuptiSassMetricsSetConfig", "cuptiSassMetricsEnable",
                           "cuptiSassMetricsGetDataProperties"}) {
    const nlohmann::json json = traced(std::string(call) + "=8").json();
    EXPECT_EQ(json.at("gpu").at("agreement").at("rows"), with.at("gpu").at("agreement").at("rows")) << call;
    for (const nlohmann::json& told : json.at("diagnostics"))
      EXPECT_FALSE(told.at("code").get<std::string>().starts_with("gpu.counters")) << call << ": " << told;
  }
}

TEST_F(PretendedCounters, WhatElseCuptiRefusesNamesItsCall) {
  const nlohmann::json json = traced("cuptiRangeProfilerStart=17").json();
  const nlohmann::json* told = with_code(json.at("diagnostics"), "gpu.counters_failed");
  ASSERT_NE(told, nullptr) << json.at("diagnostics");
  EXPECT_NE(told->at("message").get<std::string>().find("cuptiRangeProfilerStart failed: CUPTI's result 17"),
            std::string::npos)
      << *told;
}

}  // namespace
}  // namespace lanescope::gpu
