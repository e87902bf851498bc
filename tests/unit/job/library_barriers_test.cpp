// libcu++'s barriers, pipelines and asynchronous copies, as NVIDIA's compiler makes them.

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "job/request/directives.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

constexpr const char* library_source = R"(#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

// Each round, a thread reads what the one opposite wrote; arrive() and wait() let it be written again.
// run: --grid 1 --block 64 --arg i32[256]=0 --arg i32[256]=iota --arg i32=4
__global__ void phases(int* out, const int* in, int rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    tile[threadIdx.x] = in[i * 64 + threadIdx.x];
    bar.arrive_and_wait();
    out[i * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    auto token = bar.arrive();
    bar.wait(std::move(token));
  }
}

// The same through two stages of asynchronous copies.
// run: --grid 1 --block 64 --arg i32[256]=0 --arg i32[256]=iota --arg i32=4
__global__ void stages(int* out, const int* in, int rounds) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int tile[2][64];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int i = 0, next = 0; i < rounds; ++i) {
    for (; next < rounds && next < i + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[next % 2][threadIdx.x], in + next * 64 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[i * 64 + threadIdx.x] = tile[i % 2][63 - threadIdx.x];
    pipe.consumer_release();
  }
}
)";

TEST(LibraryBarriers, PhasesAndPipelinesRunAndAreNotAccused) {
  const Result<std::vector<DirectedRun>> runs = directed_runs("barriers.cu", library_source);
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 2u);
  std::vector<std::int32_t> expected(256);
  for (int i = 0; i < 256; ++i) expected[static_cast<std::size_t>(i)] = i / 64 * 64 + 63 - i % 64;
  for (const DirectedRun& one : *runs) {
    Request request = one.request;
    request.races = true;
    const Outcome outcome = run(request);
    const std::string kernel = request.first().kernel;
    ASSERT_TRUE(outcome.completed) << kernel << ": " << format(outcome.diagnostics.back());
    std::vector<std::int32_t> got(256);
    ASSERT_EQ(outcome.arguments[0].contents.size(), 1024u);
    std::memcpy(got.data(), outcome.arguments[0].contents.data(), 1024);
    EXPECT_EQ(got, expected) << kernel;
    EXPECT_TRUE(outcome.first().races.complete()) << kernel;
    EXPECT_FALSE(outcome.race_found()) << kernel;
  }
}

// Their waits read the clock between two looks, only to sleep longer and longer.
TEST(LibraryBarriers, AWaitThatNeverEndsIsTold) {
  const std::string source = R"(#include <cuda/barrier>
#include <cuda/semaphore>
// run: --grid 1 --block 64
__global__ void one_too_many() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x + 1);
  __syncthreads();
  bar.arrive_and_wait();
}
// run: --grid 2 --block 32
__global__ void nobody_releases() {
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> signal;
  if (threadIdx.x == 0) new (&signal) cuda::binary_semaphore<cuda::thread_scope_block>(0);
  __syncthreads();
  signal.acquire();
}
)";
  const Result<std::vector<DirectedRun>> runs = directed_runs("stuck.cu", source);
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 2u);
  for (const DirectedRun& one : *runs) {
    Request request = one.request;
    request.max_steps = 50'000'000;
    const Outcome outcome = run(request);
    EXPECT_FALSE(outcome.completed);
    ASSERT_FALSE(outcome.diagnostics.empty());
    EXPECT_EQ(outcome.diagnostics.back().code, "run.deadlock") << format(outcome.diagnostics.back());
  }
}

}  // namespace
}  // namespace lanescope::job
