// Guessed launches are tried, and what they go past is made larger.

#include <gmock/gmock.h>

#include "compile/toolchain.h"
#include "job/request/form_trial.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

struct Tried {
  compile::Source source;
  LaunchForm before, after;
  bool completes() const {
    Diagnostics notes;
    const Result<Request> request = request_of(after, source, notes);
    return request && run(*request).completed;
  }
};
Tried tried(const std::string& text, const GivenInForm& given = {}) {
  Tried made{.source = source_of_file("kernel.cu", text)};
  made.before = form_kernels(made.source).at(0).form;
  made.after = fitted(made.before, made.source, given);
  return made;
}

class FormTrial : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  }
};

TEST_F(FormTrial, TheBufferThatTheAddressBeginsAtGrows) {
  const Tried far = tried(
      "__global__ void pick(const float* in, float* out, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i == 1 ? 6000000 : i];\n"
      "}\n");
  EXPECT_TRUE(far.completes());
  EXPECT_EQ(far.after.arguments[0].count, "8192000");
  EXPECT_EQ(far.after.arguments[1], far.before.arguments[1]) << "though it is nearer to element 6,000,000 of in";
}

TEST_F(FormTrial, BuffersAndDynamicSharedMemoryGrow) {
  const Tried wide = tried(
      "__global__ void add(float* a, float* b, float* c, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) reinterpret_cast<float4*>(c)[i] = reinterpret_cast<float4*>(a)[i];\n"
      "  if (i < n) c[i] += b[i];\n"
      "}\n");
  EXPECT_TRUE(wide.completes());
  EXPECT_EQ(wide.before.arguments[0].count, "4000");
  EXPECT_EQ(wide.after.arguments[0].count, "16000");
  EXPECT_EQ(wide.after.arguments[2].count, "16000");
  EXPECT_EQ(wide.after.arguments[1], wide.before.arguments[1]) << "it was large enough";

  const Tried shared = tried(
      "__global__ void stage(float* out) {\n"
      "  extern __shared__ float rows[];\n"
      "  for (int i = 0; i < 8; ++i) rows[i * blockDim.x + threadIdx.x] = i;\n"
      "  __syncthreads();\n"
      "  out[threadIdx.x] = rows[7 * blockDim.x + threadIdx.x];\n"
      "}\n");
  EXPECT_TRUE(shared.completes());
  EXPECT_EQ(shared.before.shared, "1024");
  EXPECT_EQ(shared.after.shared, "8192");
}

// More dynamic shared memory would only hide that the block is too large for the kernel's own array.
TEST_F(FormTrial, ABlockIsMadeAsSmallAsAStaticArrayWants) {
  const std::string text =
      "__global__ void turn(const float* in, float* out) {\n"
      "  __shared__ float rows[32 * 32];\n"
      "  for (int i = 0; i < 32; ++i) rows[threadIdx.x * 32 + i] = in[threadIdx.x * 32 + i];\n"
      "  __syncthreads();\n"
      "  for (int i = 0; i < 32; ++i) out[threadIdx.x * 32 + i] = rows[i * 32 + threadIdx.x];\n"
      "}\n";
  const Tried guessed = tried(text);
  EXPECT_TRUE(guessed.completes());
  EXPECT_EQ(guessed.before.block, "1024");
  EXPECT_EQ(guessed.after.block, "32");
  EXPECT_EQ(guessed.after.shared, "");
  const Tried given = tried(text, {.block = true});
  EXPECT_EQ(given.after, given.before);
}

// The file allocates them and copies nothing there.
TEST_F(FormTrial, BuffersThatAreReadUnwrittenAreFilled) {
  const std::string text =
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) c[i] = a[i] + b[i];\n"
      "}\n"
      "int main() {\n"
      "  float *a, *b, *c;\n"
      "  cudaMalloc(&a, 400);\n  cudaMalloc(&b, 400);\n  cudaMalloc(&c, 400);\n"
      "  add<<<1, 128>>>(a, b, c, 100);\n"
      "}\n";
  const Tried made = tried(text);
  EXPECT_TRUE(made.completes());
  EXPECT_EQ(made.before.arguments[0].text(), "f32[100]");
  EXPECT_EQ(made.after.arguments[0].text(), "f32[100]=iota");
  EXPECT_EQ(made.after.arguments[1].text(), "f32[100]=iota");
  EXPECT_EQ(made.after.arguments[2].text(), "f32[100]");
  EXPECT_EQ(tried(text, {.arguments = 2}).after, made.before);
}

TEST_F(FormTrial, AFormThatRunsStaysAsItIs) {
  const Tried plain = tried("__global__ void add(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] += 1; }\n");
  EXPECT_TRUE(plain.completes());
  EXPECT_EQ(plain.after, plain.before);
}

TEST_F(FormTrial, WhatIsGivenOrIsNoQuestionOfSizeStaysAsItIs) {
  constexpr const char* far = "__global__ void far(float* a) { a[4096 + threadIdx.x] = 1; }\n";
  EXPECT_NE(tried(far).after, tried(far).before);
  const Tried given = tried(far, {.arguments = 1});
  EXPECT_EQ(given.after, given.before);
  for (const char* text : {"__global__ void before(float* a) { a[-1 - (int)threadIdx.x] = 1; }\n",
                           "__global__ void wild(float* a) { a[(threadIdx.x + 1ll) << 40] = 1; }\n",
                           "__global__ void broken(float* a) { a[0] = b; }\n",
                           "__global__ void endless(float* a) { for (;; ) atomicAdd(a, 1.0f); }\n"}) {
    const Tried other = tried(text);
    EXPECT_EQ(other.after, other.before) << text;
  }
}

}  // namespace
}  // namespace lanescope::job
