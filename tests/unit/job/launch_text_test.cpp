// Launches read from a source and from text: several on one memory, a buffer under two names, variables that the host
// fills.

#include <algorithm>
#include <cstring>

#include <gmock/gmock.h>

#include "job/request/launch_options.h"
#include "job/request/launch_text.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Request request_from_source(const std::string& source) {
  Request request;
  request.source = {"a.cu", source, {}};
  return request;
}

template <typename T>
std::vector<T> values(const sim::Argument& argument) {
  std::vector<T> made(argument.contents.size() / sizeof(T));
  std::memcpy(made.data(), argument.contents.data(), argument.contents.size());
  return made;
}

std::string said(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) text += format(one) + "\n";
  return text;
}

constexpr const char* scale_source = R"(#include <cstdio>
constexpr int N = 1000;
#define THREADS 128
__global__ void scale(float* data, int n, float by) {
  extern __shared__ float room[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * by;
}
int main() {
  float *h = new float[N], *d;
  size_t bytes = N * sizeof(float);
  cudaMalloc((void**)&d, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  dim3 grid((N + THREADS - 1) / THREADS);
  scale<<<grid, THREADS, THREADS * sizeof(float)>>>(d, N, 0.5f);
}
)";

TEST(LaunchText, TheSourcesOwnLaunchIsTheDefault) {
  Request request = request_from_source(scale_source);
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  EXPECT_EQ(request.first().kernel, "scale");
  EXPECT_EQ(request.first().shape.grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(request.first().shape.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(request.first().shape.dynamic_shared_bytes, 512u);
  ASSERT_EQ(request.arguments.size(), 3u);
  EXPECT_EQ(request.arguments[0].text(), "f32[1000]=iota");
  EXPECT_EQ(request.arguments[1].text(), "i32=1000");
  EXPECT_EQ(request.arguments[2].text(), "f32=0.5");
  for (const Diagnostic& note : notes) EXPECT_EQ(note.code, "launch.from_source");
  EXPECT_EQ(notes.back().place.line, 15);
  EXPECT_THAT(notes.back().message, HasSubstr("grid 8, block 128, 512 bytes of shared memory"));
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  EXPECT_EQ(values<float>(outcome.arguments[0])[999], 499.5f);
}

// As the solutions of LeetGPU and Tensara are written: the sizes are parameters of the function that launches.
TEST(LaunchText, AGivenScalarTellsTheSizesThatTheLaunchComputes) {
  const std::string source =
      "__global__ void k(float* x, int rows, int columns, int stride) {}\n"
      "extern \"C\" void solve(float* x, int rows, int columns) {\n"
      "  int threads = 128, total = rows * columns;\n"
      "  dim3 grid((total + threads - 1) / threads, rows);\n"
      "  for (int stride = 1; stride < rows; stride *= 2)\n"
      "    k<<<grid, threads, columns * sizeof(float)>>>(x, rows, columns, stride);\n"
      "}\n";
  Request request = request_from_source(source);
  EXPECT_TRUE(has_error(complete_from_source(request, {})));
  request = request_from_source(source);
  for (const char* text : {"f32[64]", "i32=3", "i32=100", "i32=1"}) request.arguments.push_back({text, ""});
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  EXPECT_EQ(request.first().shape.grid, (Dim3{3, 3, 1}));
  EXPECT_EQ(request.first().shape.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(request.first().shape.dynamic_shared_bytes, 400u);
}

// A value that the text tells, or may change, is not overridden.
TEST(LaunchText, AGivenScalarDoesNotOverrideTheSource) {
  const auto grid = [](const std::string& body, const char* n) {
    Request request =
        request_from_source("__global__ void k(float* x, int n) {}\nvoid f(float* x, int n) {\n" + body + "\n}\n");
    request.arguments = {{"f32[64]", ""}, {n, ""}};
    const Diagnostics notes = complete_from_source(request, {});
    return has_error(notes) ? std::string("?") : std::to_string(request.first().shape.grid.x);
  };
  EXPECT_EQ(grid("k<<<n, 32>>>(x, n);", "i32=5"), "5");
  EXPECT_EQ(grid("k<<<n, 32>>>(x, n);", "u8=200"), "200");
  EXPECT_EQ(grid("k<<<n, 32>>>(x, n);", "i32=-1"), "?");
  EXPECT_EQ(grid("const int m = 7; k<<<m, 32>>>(x, m);", "i32=5"), "7");
  EXPECT_EQ(grid("int g = n; n /= 2; k<<<g, 32>>>(x, n);", "i32=5"), "?");
  EXPECT_EQ(grid("k<<<n, 32>>>(x, n + 1);", "i32=5"), "?") << "n is 4, which is not worked out";
  EXPECT_EQ(grid("int m = n * 2; k<<<m, 32>>>(x, m);", "i32=5"), "5");
}

TEST(LaunchText, AShapeMayBeAFloatingPointNumber) {
  Request request = request_from_source(
      "enum { N = 1000, THREADS = 128 };\n"
      "__global__ void k(int n) {}\n"
      "int main() { k<<<ceil(N / (float)THREADS), THREADS, 2.5 * 100>>>(N); }\n");
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  EXPECT_EQ(request.first().shape.grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(request.first().shape.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(request.first().shape.dynamic_shared_bytes, 250u);
}

TEST(LaunchText, ABufferMayBeAsLargeAsItsElementsSay) {
  Request request = request_from_source(
      "__global__ void k(float4* a, const double* b, int* c) {}\n"
      "int main() {\n"
      "  float4* a; double* b; int *c, *cc;\n"
      "  cudaMalloc(&a, 10 * sizeof(*a));\n"
      "  cudaMalloc((void**)&b, sizeof(b[0]) * 20);\n"
      "  cudaMalloc(&c, 30 * sizeof *c);\n"
      "  k<<<1, 32>>>(a, b, c);\n"
      "}\n");
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  ASSERT_EQ(request.arguments.size(), 3u);
  EXPECT_EQ(request.arguments[0].text(), "f32[40]");
  EXPECT_EQ(request.arguments[1].text(), "f64[20]");
  EXPECT_EQ(request.arguments[2].text(), "i32[30]");
}

TEST(LaunchText, AGivenMacroIsReadLikeOneOfTheSource) {
  const std::string source =
      "#ifndef THREADS\n#define THREADS 64\n#endif\n"
      "__global__ void set(int* out) { out[blockIdx.x * THREADS + threadIdx.x] = N; }\n"
      "int main() {\n  int* d;\n  cudaMalloc(&d, N * sizeof(int));\n  set<<<N / THREADS, THREADS>>>(d);\n}\n";
  Request request = request_from_source(source);
  EXPECT_TRUE(has_error(complete_from_source(request, {}))) << "N is not known";
  request = request_from_source(source);
  request.source.defines = {"N=256", "THREADS=32"};
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  EXPECT_EQ(request.first().shape.grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(request.first().shape.block, (Dim3{32, 1, 1}));
  ASSERT_FALSE(has_error(add_launch(request, "set<<<N / 128, THREADS>>>(same:0)")));
  EXPECT_EQ(request.launches.back().shape.grid, (Dim3{2, 1, 1}));
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  EXPECT_EQ(values<int>(outcome.arguments[0]), std::vector<int>(256, 256));
  // Another value is another program.
  request.source.defines = {"N=7", "THREADS=32"};
  EXPECT_EQ(values<int>(run(request).arguments[0]), std::vector<int>(256, 7));
}

// As a plain kernel would: its own launch, types and sizes; the host's code beside it is left out.
// Whatever the direction is called, the destination of a copy is written. What an earlier kernel leaves is as unknown.
TEST(LaunchText, MemoryThatTheFileFillsHasContents) {
  const auto first_argument = [](const std::string& before) {
    Request request = request_from_source(
        "__global__ void fill(float* x) { x[threadIdx.x] = 1; }\n"
        "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
        "int main() {\n  float *d, *h;\n  cudaMalloc(&d, 128);\n  " +
        before + "\n  twice<<<1, 32>>>(d);\n  twice<<<1, 32>>>(d);\n}\n");
    request.first().kernel = "twice";
    const Diagnostics notes = complete_from_source(request, {});
    return has_error(notes) ? said(notes) : request.arguments[0].text();
  };
  EXPECT_EQ(first_argument("cudaMemcpy(d, h, 128, cudaMemcpyDefault);"), "f32[32]=iota");
  EXPECT_EQ(first_argument("cudaMemcpyAsync(d, other, 128, cudaMemcpyDeviceToDevice, stream);"), "f32[32]=iota");
  EXPECT_EQ(first_argument("cudaMemcpy2D(d, 16, h, 16, 16, 8, cudaMemcpyHostToDevice);"), "f32[32]=iota");
  EXPECT_EQ(first_argument("fill<<<1, 32>>>(d);"), "f32[32]=iota");
  EXPECT_EQ(first_argument("cudaMemset(d, 0, 128); fill<<<1, 32>>>(d);"), "f32[32]=0");
  EXPECT_EQ(first_argument("cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost); fill<<<1, 32>>>(other);"), "f32[32]");
}

TEST(LaunchText, ALaunchOfAnotherInstanceIsNamed) {
  Request request = request_from_source(
      "template <int N> __global__ void k(float* x) { x[N] = 1; }\n"
      "void host(float* x) {\n  k<4><<<1, 32>>>(x);\n}\n");
  request.first().kernel = "k<8>";
  const Diagnostics problems = complete_from_source(request, {});
  ASSERT_TRUE(has_error(problems));
  EXPECT_EQ(problems.front().message, "The grid is not given: the file launches `k<4>`, not `k<8>`.");
  EXPECT_EQ(problems.front().place.line, 3);
}

TEST(LaunchText, AKernelMadeByAMacroIsAKernel) {
  const std::string source =
      "#define KERNEL(name, T) \\\n"
      "  __global__ void name(T* x, int n, T by) { int i = threadIdx.x; if (i < n) x[i] = x[i] * by; }\n"
      "typedef double real;\nusing value = real;\n"
      "KERNEL(scale, float)\nKERNEL(scale_real, value)\n"
      "int main() {\n  float *h = new float[32], *d;\n  cudaMalloc(&d, 32 * sizeof(float));\n"
      "  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);\n  scale<<<1, 32>>>(d, 31, 0.5f);\n"
      "  double* e;\n  cudaMalloc(&e, 16 * sizeof(double));\n  cudaMemset(e, 0, 128);\n"
      "  scale_real<<<1, 16>>>(e, 16, 2);\n}\n";
  Request request = request_from_source(source);
  request.first().kernel = "scale";
  Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  ASSERT_EQ(request.arguments.size(), 3u);
  EXPECT_EQ(request.arguments[0].text(), "f32[32]=iota");
  EXPECT_EQ(request.arguments[1].text(), "i32=31");
  EXPECT_EQ(request.arguments[2].text(), "f32=0.5");
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  const std::vector<float> scaled = values<float>(outcome.arguments[0]);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(scaled[i], static_cast<float>(i) * (i < 31 ? 0.5f : 1.0f));
  request = request_from_source(source);
  request.first().kernel = "scale_real";
  notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  EXPECT_EQ(request.arguments[0].text(), "f64[16]=0");
  EXPECT_EQ(request.arguments[2].text(), "f64=2");
  request = request_from_source(source);
  const Diagnostics problems = complete_from_source(request, {});
  ASSERT_TRUE(has_error(problems));
  EXPECT_THAT(problems.front().message, HasSubstr("2 kernels: `scale`, `scale_real`"));
}

// A type that the text does not tell is asked for.
TEST(LaunchText, AnUnknownTypeIsAskedFor) {
  Request request = request_from_source(
      "struct Pair { int a, b; };\n"
      "#define KERNEL(name, T) __global__ void name(T one) {}\nKERNEL(k, Pair)\n"
      "int main() { k<<<1, 1>>>(1); }\n");
  const Diagnostics problems = complete_from_source(request, {});
  ASSERT_TRUE(has_error(problems));
  EXPECT_EQ(problems.back().code, "argument.not_constant");
  EXPECT_THAT(problems.back().message, HasSubstr("its type `Pair` is not known"));
  // One of two, by a condition that the text does not decide; a definition decides it.
  const std::string either =
      "#ifdef WIDE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n__global__ void k(real one) {}\n"
      "int main() { k<<<1, 1>>>(1); }\n";
  request = request_from_source(either);
  EXPECT_TRUE(has_error(complete_from_source(request, {})));
  request = request_from_source(either);
  request.source.defines = {"WIDE"};
  EXPECT_FALSE(has_error(complete_from_source(request, {})));
  EXPECT_EQ(request.arguments[0].text(), "f64=1");
}

TEST(LaunchText, WhatIsGivenWins) {
  Request request = request_from_source(scale_source);
  request.first().kernel = "scale";
  request.first().shape.grid = {1, 1, 1};
  request.arguments = {{"f32[]=2", ""}, {"i32=4", ""}, {"f32=3", ""}};
  const Diagnostics notes = complete_from_source(request, {.grid = true, .block = false, .shared = true});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  EXPECT_EQ(request.first().shape.grid, (Dim3{1, 1, 1}));
  EXPECT_EQ(request.first().shape.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(request.first().shape.dynamic_shared_bytes, 0u);
  EXPECT_EQ(request.arguments[0].text(), "f32[1000]=2");
  EXPECT_EQ(request.arguments[1].text(), "i32=4");
}

TEST(LaunchText, WhatIsNotConstantIsNamedWithItsLine) {
  const std::string kernel = "__global__ void k(int* a) {}\n";
  Request request = request_from_source(
      kernel + "int main(int argc, char** argv) {\n  int n = atoi(argv[1]);\n  k<<<(n + 31) / 32, 32>>>(0);\n}\n");
  Diagnostics problems = complete_from_source(request, {});
  ASSERT_TRUE(has_error(problems));
  EXPECT_EQ(problems.front().code, "launch.not_constant");
  EXPECT_EQ(problems.front().place.line, 4);
  EXPECT_THAT(problems.front().message, HasSubstr("grid"));
  Request none = request_from_source(kernel);
  problems = complete_from_source(none, {});
  ASSERT_TRUE(has_error(problems));
  EXPECT_EQ(problems.front().code, "launch.not_given");
  Request two = request_from_source(kernel + "__global__ void other() {}\n");
  problems = complete_from_source(two, {});
  ASSERT_TRUE(has_error(problems));
  EXPECT_EQ(problems.front().code, "command.which_kernel");
  // PTX that cannot be read: what is wrong with it, and where.
  Request broken;
  broken.source = {.name = "k.ptx",
                   .text = ".version 9.0\n.target sm_90\n.address_size 64\n.func (.param .b33 r) f() {}\n"};
  problems = complete_from_source(broken, {});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().place.line, 4);
}

TEST(LaunchText, ALaunchWithTooFewArgumentsIsNamedWithItsLine) {
  std::string source = scale_source;
  source.replace(source.find("(d, N, 0.5f)"), 12, "(d, N)");
  Request request = request_from_source(source);
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_TRUE(has_error(notes));
  const auto error = std::ranges::find(notes, Severity::error, &Diagnostic::severity);
  EXPECT_EQ(error->place.line, 15);
  EXPECT_EQ(error->message, "This launch passes 2 arguments, but `scale` has 3 parameters.");
}

TEST(LaunchText, ATemplateIsTakenWithTheArgumentsOfItsLaunch) {
  Request request = request_from_source(
      "template <typename T, int B> __global__ void fill(T* out) { out[threadIdx.x] = T(B); }\n"
      "int main() {\n  const int B = 4 * 8;\n  int* d;\n  cudaMalloc(&d, B * sizeof(int));\n  fill<int, B><<<1, "
      "B>>>(d);\n}\n");
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << said(notes);
  EXPECT_EQ(request.first().kernel, "fill<int, 32>");
  EXPECT_EQ(request.arguments[0].text(), "i32[32]") << "nobody copies to it: it was never written";
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  EXPECT_EQ(values<int>(outcome.arguments[0])[31], 32);
}

// The numbers that the host's loops would give.
TEST(LaunchText, LaunchesFollowEachOtherOnTheSameMemory) {
  Request request = request_from_source(
      "constexpr int N = 64;\n"
      "__global__ void add(int* a, const int* b) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = a[i] + b[i]; "
      "}\n"
      "__global__ void copy(int* to, const int* from, int by) { to[threadIdx.x] = from[threadIdx.x] * by; }\n");
  request.first().kernel = "add";
  request.first().shape.grid = {2, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"i32[64]=iota", ""}, {"i32[64]=10", ""}};
  ASSERT_FALSE(has_error(add_launch(request, "add<<<dim3(2), N / 2>>>(same:1, same:1)")));
  ASSERT_FALSE(has_error(add_launch(request, "copy<<<1, 32>>>(i32[32], same:0+128, i32=3)")));
  ASSERT_FALSE(has_error(add_launch(request, "add<<<1, 32>>>(same:0, same:2)")));
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(values<int>(outcome.arguments[1])[i], 20) << i;
    EXPECT_EQ(values<int>(outcome.arguments[0])[i], i + 10 + (i < 32 ? 3 * (i + 42) : 0)) << i;
  }
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values<int>(outcome.arguments[2])[i], 3 * (i + 42)) << i;
}

TEST(LaunchText, AWrongLaunchIsExplained) {
  Request request = request_from_source("__global__ void k(int* a) {}\n");
  request.arguments = {{"i32[4]=0", ""}};
  for (const char* wrong : {"k", "k<<<1>>>(same:0)", "k<<<1, 32>>>", "<<<1, 32>>>()", "k<<<1, 2, 3, 4>>>()"})
    EXPECT_EQ(add_launch(request, wrong).front().code, "launch.text") << wrong;
  EXPECT_EQ(add_launch(request, "k<<<n, 32>>>(same:0)").front().code, "launch.not_constant");
  EXPECT_EQ(add_launch(request, "k<<<1, 32>>>(same:4)").front().code, "argument.no_such");
  EXPECT_EQ(add_launch(request, "k<<<1, 32>>>(q32=4)").front().code, "argument.type");
  EXPECT_EQ(request.launches.size(), 1u);
}

TEST(SameBuffer, TwoParametersShareOne) {
  Request request = request_from_source(
      "__global__ void k(int* to, const int* from, int* last) { to[threadIdx.x] = from[threadIdx.x] + 1; if "
      "(threadIdx.x == 0) *last = 7; }\n");
  request.first().kernel = "k";
  request.first().shape.grid = {1, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"i32[40]=iota", ""}, {"same:0", ""}, {"same:0+156", ""}};
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  const std::vector<int> made = values<int>(outcome.arguments[0]);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(made[i], i < 32 ? i + 1 : i == 39 ? 7 : i) << i;
  ASSERT_EQ(outcome.buffers.size(), 1u) << "it is one buffer";
  for (const char* wrong : {"same:", "same:x", "same:-1", "same:0+", "same:0+x"})
    EXPECT_FALSE(make_argument({wrong, ""}).ok()) << wrong;
  request.arguments[1] = {"same:3", ""};
  EXPECT_FALSE(run(request).completed);
}

constexpr const char* filter_source = R"(__constant__ float filter[4];
namespace ns { __constant__ int add; }
__device__ int table[2];
__device__ int zero = 0;
__device__ int counter;
__global__ void k(float* out, bool also) {
  atomicAdd(&counter, 1);
  out[threadIdx.x] = filter[threadIdx.x % 4] + ns::add + zero;
  if (also) out[threadIdx.x] += table[threadIdx.x % 2];
}
__global__ void count(int* out) { *out = counter; }
)";

Request filter_request(const char* also) {
  Request request = request_from_source(filter_source);
  request.first().kernel = "k";
  request.first().shape.grid = {1, 1, 1};
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"f32[32]=0", ""}, {std::string("u8=") + also, ""}};
  return request;
}

TEST(Symbols, AreFilledAsTheHostWouldFillThem) {
  Request request = filter_request("1");
  request.symbols = {{"f32[4]=iota", "filter"}, {"i32=100", "ns::add"}, {"i32[2]=1000", "table"}};
  ASSERT_FALSE(has_error(add_launch(request, "count<<<1, 1>>>(i32[1])")));
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values<float>(outcome.arguments[0])[i], static_cast<float>(i % 4 + 1100)) << i;
  EXPECT_EQ(values<int>(outcome.arguments[2])[0], 32) << "what one launch leaves in a variable, the next one finds";
  EXPECT_EQ(said(outcome.diagnostics), "");
}

TEST(Symbols, OneThatNobodyFilledIsRemarkedWhereItIsRead) {
  Outcome outcome = run(filter_request("0"));
  ASSERT_TRUE(outcome.completed) << said(outcome.diagnostics);
  ASSERT_EQ(outcome.diagnostics.size(), 2u) << said(outcome.diagnostics);
  for (const Diagnostic& one : outcome.diagnostics) {
    EXPECT_EQ(one.code, "memory.unfilled_variable");
    EXPECT_EQ(one.severity, Severity::warning);
    EXPECT_EQ(one.place.line, 8);
    EXPECT_EQ(one.place.file, "a.cu");
  }
  EXPECT_THAT(said(outcome.diagnostics),
              testing::AllOf(HasSubstr("`filter`"), HasSubstr("`ns::add`"), testing::Not(HasSubstr("`table`"))));
  EXPECT_EQ(outcome.diagnostics[0].cure, "Give `filter` an initialiser, or set it before the launch.");
  outcome = run(filter_request("1"));
  ASSERT_EQ(outcome.diagnostics.size(), 3u) << said(outcome.diagnostics);
  EXPECT_THAT(said(outcome.diagnostics), HasSubstr("`table`"));
}

TEST(Symbols, AWrongOneIsExplained) {
  const auto code = [](const char* name, const char* text) {
    Request request = filter_request("0");
    request.symbols = {{text, name}};
    const Outcome outcome = run(request);
    return outcome.completed ? std::string() : outcome.diagnostics.front().code;
  };
  EXPECT_EQ(code("fliter", "f32[4]=iota"), "argument.no_such_variable");
  EXPECT_EQ(code("filter", "f32[5]=iota"), "argument.mismatch");
  EXPECT_EQ(code("filter", "f32[4]"), "argument.mismatch");
  EXPECT_EQ(code("filter", "f32[2]=iota"), "") << "the host may fill a part too";
}

TEST(ConstantMemory, HasItsLimit) {
  const auto outcome = [](int count) {
    Request request = request_from_source("\n__constant__ float big[" + std::to_string(count) +
                                          "];\n__global__ void k(float* o) { o[threadIdx.x] = big[threadIdx.x]; }\n");
    request.first().kernel = "k";
    request.first().shape.grid = request.first().shape.block = {1, 1, 1};
    request.arguments = {{"f32[1]", ""}};
    return run(request);
  };
  EXPECT_TRUE(outcome(16384).completed) << "64 KiB";
  const Outcome over = outcome(16385);
  ASSERT_FALSE(over.completed);
  EXPECT_EQ(over.diagnostics.front().code, "compile.constant_too_large");
  EXPECT_EQ(over.diagnostics.front().place.line, 2);
}

}  // namespace
}  // namespace lanescope::job
