#pragma once
// A run of five launches of three kernels, each of which reads what earlier ones wrote.

#include "job/run/job.h"

namespace lanescope::test {

// `spread` writes the indices that `gather` reads, so the addresses of `gather`, and its sectors, are only right after
// launch 1. `gather` is launched three times, back and forth, with its buffers in another order than declared. `finish`
// uses a buffer of its own.
inline constexpr const char* chain_source = R"x(
__global__ void spread(int* where, int* a, int stride) {
  int i = blockIdx.x * 64 + threadIdx.x;
  where[i] = i * stride % 128;
  a[i] = i;
}
__global__ void gather(int add, int* to, const int* from, const int* where) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i % 3 != 2) to[i] = from[where[i]] + add;
}
__global__ void finish(const int* from, int* out) {
  int value = from[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x == 0) *out = value;
}
)x";

inline job::Request launch_chain() {
  job::Request request;
  request.source = {"chain.cu", chain_source, {}};
  request.first().kernel = "spread";
  request.first().shape = {.grid = {2}, .block = {64}};
  request.arguments = {{"i32[128]=0", "where"}, {"i32[128]=0", "a"}, {"i32=9", "stride"}};
  request.buffers = {{"i32[128]=iota", "b"}, {"i32[1]", "out"}};
  for (int k = 0; k < 3; ++k) {
    job::RequestedLaunch gather{.number = 2, .kernel = "gather", .shape = {.grid = {2}, .block = {64}}};
    const int to = k % 2 ? 1 : 3, from = k % 2 ? 3 : 1;
    gather.parameters = {{-1, {"i32=" + std::to_string(10 + k), "add"}}, {to, {}}, {from, {}}, {0, {}}};
    request.launches.push_back(gather);
  }
  request.launches.push_back(
      {.number = 3, .kernel = "finish", .shape = {.grid = {1}, .block = {32}}, .parameters = {{3, {}}, {4, {}}}});
  request.record.events = true;
  return request;
}

}  // namespace lanescope::test
