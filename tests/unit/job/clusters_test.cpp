// Clusters in CUDA C++ as NVIDIA's compiler makes them: cooperative_groups::this_cluster(). Results are checked by
// arithmetic on the host.

#include <cstring>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "job/request/directives.h"
#include "job/run/job.h"
#include "job/run/race_text.h"
#include "job/witness/gpu_run.h"
#include "job/witness/idle_gpu.h"

namespace lanescope::job {
namespace {

constexpr const char* cluster_source = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// A histogram whose bins are spread over the shared memory of a cluster.
// run: --grid 8 --block 128 --cluster 4 --shared 256 --arg i32[256]=0 --arg i32=64 --arg i32[4096]=random:7:0:255 --arg i32=4096
__global__ void histogram(int* bins, int bins_of_block, const int* values, int count) {
  extern __shared__ int part[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) part[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < count; i += cg::this_grid().num_threads()) {
    int* owner = cluster.map_shared_rank(part, values[i] / bins_of_block);
    atomicAdd(&owner[values[i] % bins_of_block], 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * bins_of_block + i], part[i]);
}

// What the cluster says of itself, by block.
// run: --grid 4,6 --block 32 --cluster 2,3 --arg i32[96]=0
__global__ void who(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x != 5) return;
  int* mine = out + 4 * (blockIdx.x + gridDim.x * blockIdx.y);
  mine[0] = cluster.block_rank();
  mine[1] = cluster.num_blocks();
  mine[2] = cluster.thread_rank();
  mine[3] = cluster.block_index().y * 10 + cluster.block_index().x;
}

// __cluster_dims__ without --cluster.
// run: --grid 4 --block 32 --arg i32[128]=0
__global__ void __cluster_dims__(4, 1, 1) rotate(int* out) {
  __shared__ int tile[32];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  cluster.sync();
  const int* next = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % cluster.num_blocks());
  out[blockIdx.x * 32 + threadIdx.x] = next[31 - threadIdx.x];
  cluster.sync();
}
)";

Outcome cluster_kernel(const std::string& name) {
  const Result<std::vector<DirectedRun>> runs = directed_runs("clusters.cu", cluster_source);
  if (!runs) {
    ADD_FAILURE() << format(runs.errors().front());
    return {};
  }
  for (const DirectedRun& one : *runs) {
    if (one.request.first().kernel != name) continue;
    Request request = one.request;
    request.races = true;
    Outcome outcome = run(request);
    if (!outcome.completed) ADD_FAILURE() << format(outcome.diagnostics.back());
    EXPECT_FALSE(outcome.race_found()) << name;
    return outcome;
  }
  ADD_FAILURE() << "no kernel " << name;
  return {};
}

std::vector<std::int32_t> ints_of(const Outcome& outcome, std::size_t argument) {
  const auto& bytes = outcome.arguments.at(argument).contents;
  std::vector<std::int32_t> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(ClusterKernels, AHistogramInDistributedSharedMemory) {
  const Outcome outcome = cluster_kernel("histogram");
  std::vector<std::int32_t> expected(256);
  for (const std::int32_t value : ints_of(outcome, 2)) ++expected[static_cast<std::size_t>(value)];
  ASSERT_EQ(std::accumulate(expected.begin(), expected.end(), 0), 4096);
  EXPECT_EQ(ints_of(outcome, 0), expected);
  // Each value is one atomic, in the block's own shared memory or in another block's.
  const trace::Totals& totals = outcome.first().trace.totals;
  EXPECT_EQ(totals.of(trace::MemoryClass::distributed_atomic).executed_lanes +
                totals.of(trace::MemoryClass::shared_atomic).executed_lanes,
            4096u);
  const auto note = std::ranges::find(outcome.diagnostics, "count.distributed", &Diagnostic::code);
  ASSERT_NE(note, outcome.diagnostics.end());
  EXPECT_EQ(note->severity, Severity::note);
}

TEST(ClusterKernels, KnowTheirCluster) {
  const std::vector<std::int32_t> out = ints_of(cluster_kernel("who"), 0);
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 4; ++x) {
      const std::int32_t* block = out.data() + 4 * (x + 4 * y);
      const int rank = x % 2 + 2 * (y % 3);
      EXPECT_THAT(std::vector<std::int32_t>(block, block + 3), testing::ElementsAre(rank, 6, rank * 32 + 5));
      EXPECT_EQ(block[3], y % 3 * 10 + x % 2);
    }
}

TEST(ClusterKernels, MayDeclareTheirCluster) {
  const Outcome outcome = cluster_kernel("rotate");
  const std::vector<std::int32_t> out = ints_of(outcome, 0);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], (i / 32 + 1) % 4 * 100 + 31 - i % 32);
  EXPECT_EQ(outcome.first().trace.launch.cluster, (Dim3{4, 1, 1}));
}

// As CUDA does: cudaErrorInvalidClusterSize, also for a cluster of one block that the launch asks for.
TEST(ClusterKernels, AreLaunchedOnlyWithTheClusterThatTheyDeclare) {
  Request request;
  request.source = {.name = "pairs.cu",
                    .text = "__global__ void __cluster_dims__(2) k(int* out) { out[blockIdx.x] = 1; }"};
  request.first().kernel = "k";
  request.first().shape.grid = {4, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments.push_back({"i32[4]=0", ""});
  EXPECT_TRUE(run(request).completed) << "none asked for";
  request.first().cluster_given = true;
  for (const std::uint32_t blocks : {1u, 2u, 4u}) {
    request.first().shape.cluster = {blocks, 1, 1};
    const Outcome outcome = run(request);
    EXPECT_EQ(outcome.completed, blocks == 2) << blocks;
    if (blocks == 2) continue;
    EXPECT_EQ(outcome.diagnostics.back().code, "launch.cluster_not_as_declared") << blocks;
  }
}

TEST(ClusterKernels, ARunLineSaysWhetherAClusterIsGiven) {
  for (const std::string option : {"", " --cluster 1"}) {
    const auto runs = directed_runs("k.cu", "// run: --grid 2 --block 32" + option + "\n__global__ void k() {}\n");
    ASSERT_TRUE(runs.ok());
    EXPECT_EQ(runs->front().request.first().cluster_given, !option.empty());
  }
}

TEST(ClusterKernels, MoreThanEightBlocksNeedTheHostsLeave) {
  Request request;
  request.source = {.name = "large.cu", .text = "__global__ void k(int* out) { out[blockIdx.x] = 1; }"};
  request.first().kernel = "k";
  request.first().shape.grid = {16, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.first().shape.cluster = {16, 1, 1};
  request.arguments.push_back({"i32[16]=0", ""});
  const Outcome refused = run(request);
  ASSERT_FALSE(refused.completed);
  EXPECT_EQ(refused.diagnostics.back().code, "launch.cluster_not_portable");
  request.first().shape.cluster = {8, 1, 1};
  EXPECT_TRUE(run(request).completed);
}

TEST(ClusterKernels, ARaceIsToldInWords) {
  Request request;
  request.source = {.name = "late.cu", .text = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int tile[32];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x] = 5;
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}
)"};
  request.first().kernel = "k";
  request.first().shape.grid = request.first().shape.cluster = {2, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments.push_back({"i32[64]=0", ""});
  request.races = true;
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.race_found());
  const RaceText text = race_text(outcome.first().races.races[0], outcome.first().trace, outcome.request);
  EXPECT_EQ(text.title, "An access to the shared memory of block 1, which may not have begun.");
  EXPECT_THAT(text.first, testing::HasSubstr("Thread 0 of block 0 writes, line 6"));
  EXPECT_EQ(text.second, "Nothing orders the beginning of block 1 before it");
  EXPECT_EQ(text.where, "It touches bytes 0 to 3 of the shared memory of block 1");
  EXPECT_THAT(text.cure, testing::HasSubstr("cluster.sync()"));
  EXPECT_THAT(text.both, testing::EndsWith("` Nothing orders the beginning of block 1 before it."));
}

// A GPU that keeps the launches that it is given.
class GpuOfLaunches : public test::IdleGpu {
 public:
  GpuOfLaunches() : IdleGpu("idle") {}
  Result<gpu::KernelAttributes> load(std::span<const std::uint8_t> cubin,
                                     const std::vector<gpu::Launch>& launches) override {
    given = launches;
    return IdleGpu::load(cubin, launches);
  }
  std::vector<gpu::Launch> given;
};

TEST(ClusterKernels, KeepTheirClustersOnAGpu) {
  for (const char* name : {"rotate", "histogram"}) {
    GpuOfLaunches gpu;
    const Result<GpuRun> run = run_on_gpu(cluster_kernel(name), gpu, {.time = false, .disassemble = false});
    ASSERT_TRUE(run.ok()) << format(run.errors().front());
    ASSERT_EQ(gpu.given.size(), 1u);
    EXPECT_EQ(gpu.given.front().shape.cluster, (Dim3{4, 1, 1})) << name;
  }
}

}  // namespace
}  // namespace lanescope::job
