// Structs by value that hold pointers, as in {i32=16,f32[256]=iota}: their memory is a buffer of the run.

#include <cstring>

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "job/replay/last_writer.h"
#include "job/replay/names.h"
#include "job/request/launch_form.h"
#include "job/request/launch_options.h"
#include "job/run/one_launch.h"
#include "job/witness/interpreted_gpu.h"
#include "job/witness/verify.h"

namespace lanescope::job {
namespace {

using testing::HasSubstr;

// The matrix product of CUDA's programming guide takes its matrices like this.
constexpr const char* matrices = R"(
typedef struct {
  int width, height;
  float* elements;
} Matrix;
__global__ void product(const Matrix A, const Matrix B, Matrix C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  float sum = 0;
  for (int e = 0; e < A.width; ++e) sum += A.elements[row * A.width + e] * B.elements[e * B.width + col];
  C.elements[row * C.width + col] = sum;
}
__global__ void add(Matrix to, Matrix from, float* first) {
  int i = threadIdx.x;
  to.elements[i] += from.elements[i];
  if (i == 0) *first = to.elements[0];
}
)";

Result<Request> requested(const std::vector<std::string>& arguments, const std::vector<std::string>& then = {}) {
  LaunchOptions options;
  options.kernel = "product";
  options.grid = "1";
  options.block = "8,4";
  options.arguments = arguments;
  options.then = then;
  Diagnostics notes;
  return request_from(source_of_file("matrices.cu", matrices, {}, {}), options, notes);
}

const std::vector<std::string> three{"{i32=6,i32=4,f32[24]=iota}", "{i32=8,i32=6,f32[48]=iota}",
                                     "{i32=8,i32=4,f32[32]}"};

std::vector<float> floats(const sim::Argument& buffer) {
  std::vector<float> made(buffer.contents.size() / sizeof(float));
  std::memcpy(made.data(), buffer.contents.data(), buffer.contents.size());
  return made;
}

std::vector<float> product_by_hand() {
  std::vector<float> made;
  for (int row = 0; row < 4; ++row)
    for (int col = 0; col < 8; ++col) {
      int sum = 0;
      for (int e = 0; e < 6; ++e) sum += (row * 6 + e) * (e * 8 + col);
      made.push_back(static_cast<float>(sum));
    }
  return made;
}

bool no_compiler(const Outcome& outcome) {
  return !outcome.completed && outcome.diagnostics.front().code == "toolchain.no_nvrtc";
}

TEST(PointedBuffers, AStructPointsToMemoryOfItsOwn) {
  const Result<Request> request = requested(three);
  ASSERT_TRUE(request.ok()) << format(request.errors().front());
  Outcome outcome = run(*request);
  if (no_compiler(outcome)) GTEST_SKIP() << "no compiler";
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  ASSERT_EQ(outcome.arguments.size(), 6u);
  EXPECT_EQ(floats(outcome.arguments[5]), product_by_hand());
  EXPECT_EQ(argument_name(outcome.request, 3), "A.elements");
  ASSERT_EQ(outcome.buffers.size(), 3u);
  EXPECT_EQ(outcome.buffers[2].name, "C.elements");
  EXPECT_EQ(outcome.buffers[2].argument, 5);
  const Result<NamedElement> element = find_element(outcome, "C.elements[31]");
  ASSERT_TRUE(element.ok());
  const auto writer = last_writer(outcome, element->argument, element->index);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->has_value());
}

TEST(PointedBuffers, ALaterLaunchTakesTheMemoryOfAnEarlierOne) {
  // 3, 4, 5 are the buffers inside the structs. The first pointer of `add` is to C, 32 bytes in.
  const Result<Request> request =
      requested(three, {"add<<<1, 8>>>({i32=8,i32=1,same:5+32}, {i32=8,i32=1,f32[8]=100}, same:5)",
                        "add<<<1, 4>>>({i32=4,i32=1,same:6}, {i32=4,i32=1,same:5}, f32[1])"});
  ASSERT_TRUE(request.ok()) << format(request.errors().front());
  const Outcome outcome = run(*request);
  if (no_compiler(outcome)) GTEST_SKIP() << "no compiler";
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  std::vector<float> expected = product_by_hand();
  for (std::size_t i = 8; i < 16; ++i) expected[i] += 100;
  expected[0] = expected[8];
  EXPECT_EQ(floats(outcome.arguments[5]), expected);
  EXPECT_EQ(floats(outcome.arguments[6])[3], 100 + expected[3]);
  EXPECT_EQ(floats(outcome.arguments[7])[0], 100 + expected[0]);

  if (compile::find_toolchain()->sass_compiler_path.empty()) return;  // no nvJitLink
  test::InterpretedGpu gpu(outcome);
  const GpuOptions options{.time = false, .disassemble = false};
  const Result<GpuRun> done = run_on_gpu(outcome, gpu, options);
  ASSERT_TRUE(done.ok()) << format(done.errors().front());
  EXPECT_TRUE(done->same_result) << done->first_difference;
  EXPECT_EQ(floats(done->arguments[5]), expected);
  for (const std::size_t execution : {1u, 2u}) {
    const Result<OneLaunch> one = one_launch(outcome, execution);
    ASSERT_TRUE(one.ok()) << format(one.errors().front());
    const Result<GpuRun> alone = run_launch_on_gpu(outcome, *one, gpu, options);
    ASSERT_TRUE(alone.ok()) << format(alone.errors().front());
    EXPECT_TRUE(alone->same_result) << alone->first_difference;
  }
}

TEST(PointedBuffers, AnAccessBesideThemNamesThem) {
  std::vector<std::string> short_b = three;
  short_b[1] = "{i32=8,i32=6,f32[40]=iota}";
  const Result<Request> request = requested(short_b);
  ASSERT_TRUE(request.ok());
  const Outcome outcome = run(*request);
  if (no_compiler(outcome)) GTEST_SKIP() << "no compiler";
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.diagnostics.front().code, "memory.out_of_bounds");
  EXPECT_THAT(format(outcome.diagnostics.front()), HasSubstr("f32[40]"));
}

std::string error_of(const std::vector<std::string>& arguments, const std::vector<std::string>& then = {}) {
  const Result<Request> request = requested(arguments, then);
  if (!request) return request.errors().front().code;
  const Outcome outcome = run(*request);
  return outcome.diagnostics.empty() ? "" : outcome.diagnostics.front().code;
}

TEST(PointedBuffers, WhatIsNotABufferIsRefused) {
  const std::string whole = three[0];
  EXPECT_EQ(error_of({whole, whole, "{i32=8,i32=4,same:7}"}), "argument.no_such");
  EXPECT_EQ(error_of({whole, whole, "{i32=8,i32=4,same:0}"}), "argument.no_such") << "argument 0 is a struct";
  EXPECT_EQ(error_of(three, {"add<<<1, 8>>>({i32=8,i32=1,same:6}, {i32=8,i32=1,same:6}, same:5)"}), "argument.no_such");
  const std::string size = error_of({whole, whole, "{i32=8,f32[4]=1,i32=4}"});
  EXPECT_THAT(size, testing::AnyOf("argument.mismatch", "toolchain.no_nvrtc")) << "24 bytes";
}

TEST(PointedBuffers, AFormWritesAStructAsItsMembers) {
  const std::vector<FormKernel> kernels = form_kernels({"matrices.cu", matrices});
  ASSERT_EQ(kernels.size(), 2u);
  std::vector<std::string> arguments;
  for (const FormArgument& one : kernels[0].form.arguments) arguments.push_back(one.text());
  EXPECT_EQ(arguments, (std::vector<std::string>{"{i32=64,i32=64,f32[4096]=iota}", "{i32=64,i32=64,f32[4096]=iota}",
                                                 "{i32=64,i32=64,f32[4096]=0}"}));
  EXPECT_EQ(kernels[0].form.grid, "4,4");
  Diagnostics notes;
  const Result<Request> request = request_of(kernels[0].form, {"matrices.cu", matrices}, notes);
  ASSERT_TRUE(request.ok()) << format(request.errors().front());
  const Outcome outcome = run(*request);
  if (no_compiler(outcome)) GTEST_SKIP() << "no compiler";
  EXPECT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
}

}  // namespace
}  // namespace lanescope::job
