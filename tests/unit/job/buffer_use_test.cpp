// Which buffers a kernel reads and writes, found from its PTX: real kernels, compiled here.

#include "job/run/buffer_use.h"

#include <gtest/gtest.h>

namespace lanescope::job {
namespace {

constexpr BufferUse untouched{false, false}, read{true, false}, written{false, true}, both{true, true};

std::vector<BufferUse> use_of(const std::string& kernel) {
  compile::Options options;
  options.name_expressions = {"k"};
  const Result<compile::Ptx> ptx = compile::compile({"k.cu", kernel, {}}, options);
  if (!ptx) {
    ADD_FAILURE() << format(ptx.errors().front());
    return {};
  }
  const Result<ptx::Module> module = ptx::parse(ptx->text, "k.ptx");
  if (!module) {
    ADD_FAILURE() << format(module.errors().front());
    return {};
  }
  return use_of_parameters(*module, ptx->mangled.at("k"));
}

class BufferUses : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
  }
};

TEST_F(BufferUses, ACopyReadsTheOneAndWritesTheOther) {
  EXPECT_EQ(use_of("__global__ void k(const float* in, float* out, int n) { int i = blockIdx.x * 256 + threadIdx.x; if "
                   "(i < n) out[i] = in[i]; }"),
            (std::vector{read, written, untouched}));
}

TEST_F(BufferUses, WhatIsUpdatedIsBoth) {
  EXPECT_EQ(use_of("__global__ void k(const float* in, float* sum, int* count, float* inout) { inout[threadIdx.x] += "
                   "1; atomicAdd(sum, in[threadIdx.x]); "
                   "if (atomicAdd(count, 1) == 3) *sum = 0; }"),
            (std::vector{read, both, both, both}));
}

TEST_F(BufferUses, AnIndexThatWasLoadedIsNoAddress) {
  EXPECT_EQ(use_of("__global__ void k(const int* index, const float* in, float* out) { out[threadIdx.x] = "
                   "in[index[threadIdx.x]]; }"),
            (std::vector{read, read, written}));
}

TEST_F(BufferUses, EitherOfTwoPointersIsBoth) {
  EXPECT_EQ(
      use_of(
          "__global__ void k(float* a, float* b, int which) { float* p = which & 1 ? a : b; p[threadIdx.x] = which; }"),
      (std::vector{written, written, untouched}));
  EXPECT_EQ(use_of("__global__ void k(float* a, float* b, int n) { for (int i = 0; i < n; ++i) { b[threadIdx.x] = "
                   "a[threadIdx.x] + 1; float* t = a; a = b; b = t; } }"),
            (std::vector{both, both, untouched}));
}

TEST_F(BufferUses, AStructsPointersAreTheStructs) {
  EXPECT_EQ(use_of("struct Two { const float* in; float* out; }; __global__ void k(Two two, float* other) { "
                   "two.out[threadIdx.x] = two.in[threadIdx.x] + other[0]; }"),
            (std::vector{both, read}));
}

TEST_F(BufferUses, WhatCannotBeFollowedIsEverything) {
  EXPECT_EQ(use_of("__device__ __noinline__ float get(const float* p) { return p[threadIdx.x]; }\n"
                   "__global__ void k(const float* in, float* out) { out[threadIdx.x] = get(in); }"),
            (std::vector{both, both}));
  EXPECT_EQ(use_of("__global__ void k(const float* in, float* out) { __shared__ const float* p[32]; p[threadIdx.x] = "
                   "in + threadIdx.x; __syncthreads(); "
                   "out[threadIdx.x] = *p[31 - threadIdx.x]; }"),
            (std::vector{both, both}));
}

TEST_F(BufferUses, LaterLaunchesCountToo) {
  Request request;
  request.source = {
      "two.cu",
      "__global__ void first(const float* in, float* part) { part[threadIdx.x] = in[threadIdx.x]; }\n"
      "__global__ void second(const float* part, float* out) { out[threadIdx.x] = 2 * part[threadIdx.x]; }\n",
      {}};
  request.first().kernel = "first";
  request.first().shape.grid = {1, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"f32[32]=iota", "in"}, {"f32[32]", "part"}};
  request.buffers = {{"f32[32]", "out"}};
  request.launches.push_back(
      {.number = 2, .kernel = "second", .shape = request.first().shape, .parameters = {{1, {}}, {2, {}}}});
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  EXPECT_EQ(use_of_buffers(outcome), (std::vector{read, both, written}));
}

}  // namespace
}  // namespace lanescope::job
