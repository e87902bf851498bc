// Blocks that pass values to each other give the same result on any number of threads, with buffers that can be made
// again and with buffers from files, which are kept.

#include <gtest/gtest.h>

#include "golden.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

constexpr const char* hands_on = R"x(
__global__ void hand_on(float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[(i + blockDim.x) % n] += 0.5f * sums[i];
}
)x";
// Enough work for several threads.
constexpr int blocks = 1024, threads = 256, count = blocks * threads;

std::string hash_after(const std::string& contents, int workers) {
  Request request;
  request.source = {"hand_on.cu", hands_on, {}};
  request.first().kernel = "hand_on";
  request.first().shape.grid = {blocks, 1, 1};
  request.first().shape.block = {threads, 1, 1};
  request.arguments = {{"f32[" + std::to_string(count) + "]=" + contents, "sums"},
                       {"i32=" + std::to_string(count), "n"}};
  request.threads = workers;
  const Outcome outcome = run(request);
  EXPECT_TRUE(outcome.completed);
  return outcome.buffers.empty() ? "" : outcome.buffers.front().hash;
}

TEST(DependentBlocks, LeaveTheSameOnAnyNumberOfThreads) {
  test::TempFolder folder;
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 97);
  test::write_file(folder / "numbers", {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
  // The same on the host, block after block.
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[(i + threads) % count] += 0.5f * numbers[i];
  const std::string file = "@" + (folder / "numbers").string();
  test::write_file(folder / "after", {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
  const auto expected = make_argument({"f32[" + std::to_string(count) + "]=@" + (folder / "after").string(), "after"});
  ASSERT_TRUE(expected.ok());
  Request named;
  named.arguments = {{"", "after"}};
  const std::string in_order = summaries(named, {*expected}).front().hash;
  for (const int workers : {1, 2, 8}) {
    EXPECT_EQ(hash_after(file, workers), in_order) << workers << " threads";
    EXPECT_EQ(hash_after("random:7", workers), hash_after("random:7", 1)) << workers << " threads";
  }
}

}  // namespace
}  // namespace lanescope::job
