// The form of a kernel without main(): its fields, its guesses, and the request that `trace` makes from its command.

#include "job/request/launch_form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/os/program_name.h"
#include "job/request/launch_completion.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"

namespace lanescope::test {
namespace {

using job::FormArgument;
using job::FormKernel;
using job::FormOrigin;
using job::LaunchForm;

std::vector<FormKernel> kernels_of(const std::string& text) {
  return job::form_kernels(job::source_of_file("own.cu", text));
}

FormKernel only_kernel_of(const std::string& text) {
  std::vector<FormKernel> all = kernels_of(text);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? FormKernel() : std::move(all.front());
}

std::vector<std::string> argument_texts(const LaunchForm& form) {
  std::vector<std::string> all;
  for (const FormArgument& one : form.arguments) all.push_back(one.text());
  return all;
}

job::Outcome outcome_of(const LaunchForm& form, const std::string& text) {
  Diagnostics notes;
  const Result<job::Request> request = job::request_of(form, job::source_of_file("own.cu", text), notes);
  EXPECT_TRUE(request.ok()) << request.errors().front().message;
  job::Outcome outcome = request ? job::run(*request) : job::Outcome();
  for (const Diagnostic& one : outcome.diagnostics) EXPECT_NE(one.severity, Severity::error) << format(one);
  return outcome;
}

constexpr const char* scale =
    "__global__ void scale(const float* __restrict__ in, float* out, float factor, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = factor * in[i];\n"
    "}\n";

constexpr const char* transpose =
    "#define TILE 32\n"
    "#define ROWS 8\n"
    "template <typename T>\n"
    "__global__ void transpose(T* out, const T* in, int width, int height) {\n"
    "  __shared__ T tile[TILE][TILE + 1];\n"
    "  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
    "  for (int j = 0; j < TILE; j += ROWS)\n"
    "    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];\n"
    "  __syncthreads();\n"
    "  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;\n"
    "  for (int j = 0; j < TILE; j += ROWS)\n"
    "    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];\n"
    "}\n";

TEST(LaunchForm, HasTheKernelsParametersWithTheirTypesAndNames) {
  const FormKernel kernel = only_kernel_of(
      "typedef float real;\n"
      "namespace ns {\n"
      "template <typename T, int N = 4>\n"
      "__global__ void __launch_bounds__(128, 2) mix(const real* a, T b[], unsigned int n, const float4* v) {}\n"
      "}\n");
  EXPECT_EQ(kernel.signature.name, "ns::mix");
  EXPECT_EQ(kernel.signature.line, 4);
  EXPECT_EQ(kernel.signature.bounds, "128");
  ASSERT_EQ(kernel.signature.template_parameters.size(), 2u);
  EXPECT_TRUE(kernel.signature.template_parameters[0].is_type());
  EXPECT_EQ(kernel.signature.template_parameters[1].name, "N");
  EXPECT_EQ(kernel.signature.template_parameters[1].value, "4");
  ASSERT_EQ(kernel.parameters.size(), 4u);
  EXPECT_EQ(kernel.parameters[0].name, "a");
  EXPECT_EQ(kernel.parameters[0].declared, "const real*");
  EXPECT_EQ(kernel.parameters[0].element(), "f32");
  EXPECT_TRUE(kernel.parameters[0].constant);
  EXPECT_TRUE(kernel.parameters[1].pointer);
  EXPECT_EQ(kernel.parameters[1].element(), "f32") << "of the guessed template argument";
  EXPECT_EQ(kernel.parameters[2].element(), "u32");
  EXPECT_EQ(kernel.parameters[3].elements_each(), 4);
  EXPECT_EQ(kernel.form.kernel_name(), "ns::mix<float, 4>");
  EXPECT_EQ(kernel.form.block, "128");
}

TEST(LaunchForm, ParametersMayHaveTemplateArguments) {
  const FormKernel kernel = only_kernel_of(
      "#include <cuda/std/array>\n"
      "template <typename P = cuda::std::array<int, 2>, int N = 4>\n"
      "__global__ void k(cuda::std::array<float, 3> weights, int* out) { out[threadIdx.x] = weights[0] * N; }\n");
  ASSERT_EQ(kernel.parameters.size(), 2u);
  EXPECT_EQ(kernel.parameters[1].name, "out");
  EXPECT_EQ(kernel.form.kernel_name(), "k<cuda::std::array<int, 2>, 4>");
}

TEST(LaunchForm, TemplateArgumentsOfAHostTemplateAreGuessed) {
  const FormKernel kernel = only_kernel_of(
      "struct Twice { int by; };\n"
      "template <typename T, int TILE, typename Op, int EACH = 16 / sizeof(T)>\n"
      "__global__ void k(T* x, Op op) { x[threadIdx.x] *= op.by * TILE; }\n"
      "template <>\n"
      "__global__ void k(short* x, Twice op) { x[threadIdx.x] = 2; }\n"
      "template <typename T> void launch(T* x) { k<T, 32, Twice><<<4, 64>>>(x, Twice()); }\n");
  EXPECT_EQ(kernel.form.kernel_name(), "k<float, 32, Twice, 16 / sizeof(float)>");
  EXPECT_EQ(kernel.form.grid, "4") << "the rest of the launch holds";
  EXPECT_EQ(argument_texts(kernel.form).front(), "f32[4096]=iota");
}

TEST(LaunchForm, ATableOfPointersIsNoArrayOfNumbers) {
  const FormKernel kernel = only_kernel_of(
      "template <typename T> struct Pair;\n"
      "__global__ void k(float** rows, const float* const in[], int (*tile)[32], Pair<float*> pair) { **rows = *in[0]; "
      "}\n");
  ASSERT_EQ(kernel.parameters.size(), 4u);
  EXPECT_EQ(argument_texts(kernel.form),
            (std::vector<std::string>{"&{64*f32[4096]=0}", "&{64*f32[4096]=iota}", "i32[4096]=iota", "bytes="}))
      << "addresses 0, 1, 2, … would lead nowhere";
}

TEST(LaunchForm, WhatAThreadDoesIsNotAsManyAsABlocksThreads) {
  const FormKernel kernel = only_kernel_of(
      "template <int BLOCK_SIZE, int NUM_PER_THREAD>\n"
      "__global__ void k(float* x) {\n"
      "  for (int i = 0; i < BLOCK_SIZE; i += BLOCK_SIZE / NUM_PER_THREAD) x[threadIdx.y + i] = threadIdx.x;\n"
      "}\n");
  EXPECT_EQ(kernel.form.kernel_name(), "k<16, 4>") << "with 256 the loop would not end";
  const FormKernel other = only_kernel_of(
      "template <typename T, int BLOCK_SIZE, int THREAD_SIZE> __global__ void k(T* x) { x[threadIdx.x] = 1; }\n");
  EXPECT_EQ(other.form.kernel_name(), "k<float, 256, 4>");
}

constexpr const char* same_names =
    "namespace one { __global__ void scale(float* x, float by, int n) { x[threadIdx.x] *= by; } }\n"
    "namespace two {\n"
    "__global__ void scale(const float* in, float* x, int n) { x[threadIdx.x] = in[threadIdx.x]; }\n"
    "__global__ void scale(int* x, int by, int n) { x[threadIdx.x] -= by; }\n"
    "__global__ void once(float* x);\n"
    "}\n"
    "__global__ void two::once(float* y);\n"
    "__global__ void two::once(float* x) { x[0] = 1; }\n"
    "void host(float* x) { one::scale<<<7, 64>>>(x, 2.5f, 448); }\n";

TEST(LaunchForm, ATextureHasTheDimensionsAndTexelsOfItsCalls) {
  const auto arguments = [](const std::string& body) {
    std::string all;
    for (const FormArgument& one :
         only_kernel_of("__global__ void k(cudaTextureObject_t in, cudaSurfaceObject_t out, float* x) { " + body + " }")
             .form.arguments)
      if (one.text().starts_with("tex") || one.text().starts_with("surf")) all += one.text() + " ";
    return all;
  };
  EXPECT_EQ(arguments("x[0] = tex1Dfetch<float>(in, threadIdx.x);"), "tex:memory:f32[4096]=iota surf:f32[64,64] ");
  EXPECT_EQ(arguments("uchar4 c = tex2D<uchar4>(in, f(1, 2), 3); surf3Dwrite<int>(c.x, out, 0, 0, 0);"),
            "tex:u8x4[64,64]=iota surf:i32[16,16,16] ");
  EXPECT_EQ(arguments("x[0] = tex2DLayered<unsigned short>(in, 1.5f, 2.5f, 0); surf1Dread(&v, out, 4);"),
            "tex:layered:u16[64,64,4]=iota surf:f32[4096] ");
  EXPECT_EQ(arguments("helper(in, x); x[1] = g(tex3D<float2>(in, 1, 1, 1).x);"),
            "tex:f32x2[16,16,16]=iota surf:f32[64,64] ");
}

TEST(LaunchForm, KernelsOfOneNameAreToldApart) {
  const std::vector<FormKernel> all = kernels_of(same_names);
  std::vector<std::string> names;
  for (const FormKernel& one : all) names.push_back(one.form.kernel_name());
  EXPECT_EQ(names, (std::vector<std::string>{"one::scale", "(void (*)(const float*, float*, int))two::scale",
                                             "(void (*)(int*, int, int))two::scale", "two::once"}));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].origin.kind, FormOrigin::Kind::launch);
  EXPECT_EQ(all[0].form.grid, "7");
  for (const std::size_t other : {1u, 2u})
    EXPECT_EQ(all[other].origin.kind, FormOrigin::Kind::guessed) << "the launch is of another namespace's kernel";
  EXPECT_EQ(argument_texts(all[2].form).front(), "i32[4096]=iota");
  EXPECT_EQ(job::form_from(job::text_of(all[2].form)), all[2].form);
  const std::string named = "--kernel " + as_typed("two::scale(int*, int, int)");
  EXPECT_NE(job::command_of(all[2].form, "k.cu").find(named), std::string::npos);
  LaunchForm form = all[2].form;
  form.grid = "1", form.block = "32";
  EXPECT_TRUE(outcome_of(form, same_names).completed) << "the name with its type is one that the compiler takes";
}

TEST(LaunchForm, AsTextKeepsWhateverIsInItsFields) {
  LaunchForm form;
  form.kernel = "ns::k";
  form.template_arguments = {"float", "N + 1"};
  form.grid = "4, x";
  form.block = "it's \\ odd";
  form.shared = "many";
  form.cooperative = true;
  form.defines = {"TILE=32"};
  form.arguments = {
      FormArgument::from("f32[64]=iota"), FormArgument::from("i32="),     FormArgument::from(""),
      FormArgument::from("f32[64]"),      FormArgument::from("same:0+4"), FormArgument::from("f32[64]+8=1"),
      FormArgument::from("q32[4]=1")};
  EXPECT_EQ(job::form_from(job::text_of(form)), form);
  EXPECT_EQ(form.arguments[0].count, "64");
  EXPECT_EQ(form.arguments[5].kind, FormArgument::Kind::text);
}

TEST(LaunchForm, ACommandIsQuotedForAShell) {
  LaunchForm form;
  form.kernel = "reduce";
  form.template_arguments = {"float", "4"};
  form.grid = "2,2";
  form.block = "64";
  form.arguments = {FormArgument::from("f32[64]=iota")};
  form.include_paths = {"/inc"};
  EXPECT_EQ(job::command_of(form, "my file.cu"), "lanescope trace " + as_typed("my file.cu") + " -I /inc --kernel " +
                                                     as_typed("reduce<float, 4>") + " --grid " + as_typed("2,2") +
                                                     " --block 64 --arg " + as_typed("f32[64]=iota"));
}

TEST(LaunchForm, WithoutALaunchInTheFileIsGuessedAndRuns) {
  const FormKernel kernel = only_kernel_of(scale);
  EXPECT_EQ(kernel.origin.kind, FormOrigin::Kind::guessed);
  EXPECT_EQ(kernel.form.grid, "16");
  EXPECT_EQ(kernel.form.block, "256");
  EXPECT_EQ(argument_texts(kernel.form),
            (std::vector<std::string>{"f32[4000]=iota", "f32[4000]=0", "f32=1", "i32=4000"}))
      << "the guard has something to do";
  const job::Outcome outcome = outcome_of(kernel.form, scale);
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.buffers[1].sum, 3999.0 * 4000 / 2);
}

TEST(LaunchForm, AnArrayWithItsNeighboursMakesNoOddBlock) {
  const FormKernel kernel = only_kernel_of(
      "__global__ void blur(const float* in, float* out, int n) {\n"
      "  __shared__ float tile[258];\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  tile[threadIdx.x + 1] = i < n ? in[i] : 0;\n  __syncthreads();\n  if (i < n) out[i] = tile[threadIdx.x + "
      "1];\n}\n");
  EXPECT_EQ(kernel.form.block, "256");
}

TEST(LaunchForm, AGridOfTwoDimensionsMayOnlyNumberItsBlocks) {
  const FormKernel kernel = only_kernel_of(
      "__global__ void add(const float* x, float* z, int n, int start_size) {\n"
      "  int i = blockDim.x * (blockIdx.x + blockIdx.y * gridDim.x) + threadIdx.x;\n"
      "  if (i < n && i < start_size) z[i] = x[i];\n}\n");
  EXPECT_EQ(kernel.form.grid, "16");
  EXPECT_NE(argument_texts(kernel.form)[3], "i32=0") << "a size";
}

TEST(LaunchForm, ATileSaysHowLargeABlockIs) {
  const FormKernel kernel = only_kernel_of(transpose);
  EXPECT_EQ(kernel.form.kernel_name(), "transpose<float>");
  EXPECT_EQ(kernel.form.block, "32,8");
  EXPECT_EQ(kernel.form.grid, "2,2");
  EXPECT_EQ(argument_texts(kernel.form),
            (std::vector<std::string>{"f32[4096]=0", "f32[4096]=iota", "i32=64", "i32=64"}));
  EXPECT_TRUE(outcome_of(kernel.form, transpose).completed);
}

TEST(LaunchForm, TakesWhatTheFilesOwnLaunchTellsAndGuessesTheRest) {
  const FormKernel kernel = only_kernel_of(std::string(scale) +
                                           "void host(float* a, float* b) {\n"
                                           "  const int n = 1000;\n"
                                           "  cudaMalloc(&b, n * sizeof(float));\n"
                                           "  scale<<<(n + 127) / 128, 128>>>(a, b, 0.5f, n);\n"
                                           "}\n");
  EXPECT_EQ(kernel.origin.kind, FormOrigin::Kind::launch);
  EXPECT_EQ(kernel.origin.line, 8);
  EXPECT_EQ(kernel.form.grid, "8");
  EXPECT_EQ(kernel.form.block, "128");
  EXPECT_EQ(argument_texts(kernel.form),
            (std::vector<std::string>{"f32[1000]=iota", "f32[1000]", "f32=0.5", "i32=1000"}))
      << "nothing tells how large `a` is: it gets the n of the launch";
}

TEST(LaunchForm, ARunLineComesFirst) {
  const FormKernel kernel = only_kernel_of(
      "// run: --grid 2 --block 64 --arg f32[128]=1.5 --arg f32[128] --arg f32=2 --arg i32=128\n" + std::string(scale));
  EXPECT_EQ(kernel.origin.kind, FormOrigin::Kind::run_line);
  EXPECT_EQ(kernel.origin.line, 1);
  EXPECT_EQ(kernel.form.grid, "2");
  EXPECT_EQ(argument_texts(kernel.form), (std::vector<std::string>{"f32[128]=1.5", "f32[128]", "f32=2", "i32=128"}));
}

// What `trace` says about the same options.
Diagnostic of_trace(const LaunchForm& form, const std::string& text) {
  job::LaunchOptions options;
  options.kernel = form.kernel_name();
  options.grid = form.grid;
  options.block = form.block;
  for (const FormArgument& one : form.arguments) options.arguments.push_back(one.text());
  Diagnostics notes;
  Result<job::Request> request = job::request_from(job::source_of_file("own.cu", text), options, notes);
  const Diagnostics all = request ? job::run(*request).diagnostics : request.errors();
  return all.empty() ? Diagnostic() : all.front();
}

void expect_same(const Diagnostics& field, const Diagnostic& traced) {
  ASSERT_EQ(field.size(), 1u);
  EXPECT_EQ(field.front().code, traced.code);
  EXPECT_EQ(field.front().message, traced.message);
  EXPECT_EQ(field.front().cure, traced.cure);
}

TEST(LaunchForm, AWrongFieldGetsTheDiagnosticOfTraceAtOnce) {
  const LaunchForm right = only_kernel_of(scale).form;
  EXPECT_FALSE(job::check_form(right).any());
  LaunchForm wrong = right;
  wrong.grid = "4,x";
  expect_same(job::check_form(wrong).grid, of_trace(wrong, scale));
  wrong = right;
  wrong.arguments[0].count = "many";
  expect_same(job::check_form(wrong).arguments[0], of_trace(wrong, scale));
  wrong = right;
  wrong.arguments[3].value = "1e99";
  expect_same(job::check_form(wrong).arguments[3], of_trace(wrong, scale));
  wrong = right;
  wrong.arguments[1].value = "iotas";
  expect_same(job::check_form(wrong).arguments[1], of_trace(wrong, scale));
  wrong = right;
  wrong.shared = "-1";
  ASSERT_EQ(job::check_form(wrong).shared.size(), 1u);
  EXPECT_EQ(job::check_form(wrong).shared.front().code, "command.bad_shared");
}

TEST(LaunchForm, WhatOnlyTheCompiledKernelTellsIsSaidAtItsField) {
  const compile::Source source = job::source_of_file("own.cu", scale);
  const LaunchForm right = only_kernel_of(scale).form;
  EXPECT_FALSE(job::check_form(right, source, nullptr).any());
  const job::CompiledParameters compiled = job::compiled_parameters(right, source, nullptr);
  EXPECT_EQ(compiled.bytes, (std::vector<std::uint64_t>{8, 8, 4, 4}));
  EXPECT_EQ(compiled.types[0], "float const*");
  LaunchForm wrong = right;
  wrong.arguments[2] = FormArgument::from("f64=1");
  job::FormProblems said = job::check_form(wrong, source, nullptr);
  Diagnostic traced = of_trace(wrong, scale);
  expect_same(said.arguments[2], traced);
  EXPECT_TRUE(said.arguments[0].empty() && said.block.empty());
  wrong = right;
  wrong.block = "2000";
  expect_same(job::check_form(wrong, source, nullptr).block, of_trace(wrong, scale));
  wrong = right;
  wrong.grid = "0";
  expect_same(job::check_form(wrong, source, nullptr).grid, of_trace(wrong, scale));
  wrong = right;
  wrong.grid.clear();
  expect_same(job::check_form(wrong, source, nullptr).grid, of_trace(wrong, scale));
  LaunchForm typed = only_kernel_of(transpose).form;
  typed.template_arguments = {"nothing"};
  EXPECT_TRUE(has_error(job::check_form(typed, job::source_of_file("own.cu", transpose), nullptr).kernel));
}

// A type from a header is known once the kernel is compiled.
TEST(LaunchForm, IsCompletedByWhatTheCompilerTells) {
  const FormKernel kernel = only_kernel_of("__global__ void k(real* out, const real* in, Pair pair) {}\n");
  EXPECT_EQ(argument_texts(kernel.form), (std::vector<std::string>{"u8[131072]=0", "u8[131072]=0", "bytes="}));
  const job::CompiledParameters compiled{{8, 8, 12}, {"double2*", "float const*", "Pair"}};
  LaunchForm form = kernel.form;
  EXPECT_EQ(argument_texts(job::completed(form, kernel, compiled)),
            (std::vector<std::string>{"f64[8192]=0", "f32[4096]=iota", "bytes=" + std::string(24, '0')}));
  form.arguments[0].count = "64";
  EXPECT_EQ(job::completed(form, kernel, compiled).arguments[0].text(), "u8[64]=0") << "it was changed";
}

// Each thread of the launch has a state, whatever the kernel's size is. The bytes are those of cuRAND's headers.
TEST(LaunchForm, EachThreadHasARandomState) {
  const std::string index = "int i = threadIdx.x + blockIdx.x * blockDim.x;";
  const auto arguments = [&](const std::string& parameters, const std::string& body) {
    return argument_texts(
        only_kernel_of("__global__ void k(" + parameters + ") { " + index + " " + body + " }\n").form);
  };
  EXPECT_EQ(arguments("curandState_t* states, int n", "if (i < n) curand_init(7, i, 0, states + i);"),
            (std::vector<std::string>{fmt::format("u8[{}]=0", 48 * 4096), "i32=4000"}));
  EXPECT_EQ(arguments("curandStatePhilox4_32_10_t* states, float* out", "out[i] = curand_uniform(states + i);"),
            (std::vector<std::string>{fmt::format("u8[{}]=0", 64 * 4096), "f32[4096]=0"}));
  // A loop that counts to n guards no thread.
  EXPECT_EQ(arguments("curandState* states, float* out, int n",
                      "float sum = 0; for (int k = 0; k < n; ++k) sum += curand_uniform(states + i); out[i] = sum;"),
            (std::vector<std::string>{fmt::format("u8[{}]=0", 48 * 4096), "f32[4096]=0", "i32=4096"}));
  // What a header names is known once the kernel is compiled.
  const FormKernel kernel = only_kernel_of("__global__ void k(Generator* states) { " + index + " }\n");
  const job::CompiledParameters compiled{{8}, {"curandStateMRG32k3a*"}};
  EXPECT_EQ(job::completed(kernel.form, kernel, compiled).arguments[0].text(), fmt::format("u8[{}]=0", 48 * 4096));
}

// As many structs as other arrays have elements; the sizes are those of the host's compiler.
TEST(LaunchForm, ABufferOfStructsHasAWholeNumberOfThem) {
  struct Particle {
    float x, y, z, mass;
    int id;
  };
  struct Body {
    char kind;
    double energy;
    float position[2][3];
    Particle* next;
    Particle inner;
    short last;
  };
  const std::string structs =
      "struct Particle { float x, y, z, mass; int id; };\n"
      "struct Body { char kind; double energy; float position[2][3]; Particle* next; Particle inner; short last; };\n"
      "typedef struct { float3 at; float4 colour; } Vertex;\n";
  const auto first = [&](const std::string& type) {
    return argument_texts(only_kernel_of(structs + "__global__ void k(" + type +
                                         "* p, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                         "  if (i < n) p[i] = p[0];\n}\n")
                              .form)
        .at(0);
  };
  EXPECT_EQ(first("Particle"), fmt::format("u8[{}]=0", 4000 * sizeof(Particle)));
  EXPECT_EQ(first("Body"), fmt::format("u8[{}]=0", 4000 * sizeof(Body)));
  EXPECT_EQ(first("Vertex"), "u8[128000]=0") << "float4 begins at a multiple of 16";
  EXPECT_EQ(first("Unknown"), "u8[131072]=0");
}

TEST(LaunchForm, LaunchBoundsMayDependOnTemplateArguments) {
  const std::string kernel =
      "template <typename T, int WARPS>\n"
      "__global__ void __launch_bounds__(WARPS * 32) k(T* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\n";
  EXPECT_EQ(only_kernel_of(kernel + "template __global__ void k<float, 3>(float*, int);\n").form.block, "96");
  EXPECT_EQ(only_kernel_of(kernel).form.block, "128") << "of the guessed 4";
}

TEST(LaunchForm, ATiledProductGetsTheThreadsOfItsTiles) {
  const FormKernel kernel = only_kernel_of(
      "template <const int BM, const int BN, const int BK, const int TM>\n"
      "__global__ void sgemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) "
      "{\n"
      "  const uint cRow = blockIdx.y;\n  const uint cCol = blockIdx.x;\n"
      "  __shared__ float As[BM * BK];\n"
      "  A += cRow * BM * K;\n  B += cCol * BN;\n"
      "}\n");
  EXPECT_EQ(kernel.form.kernel_name(), "sgemm<64, 64, 8, 8>");
  EXPECT_EQ(kernel.form.block, "512");
  EXPECT_EQ(kernel.form.grid, "2,2");
  EXPECT_EQ(kernel.form.arguments[0].text(), "i32=128");
}

TEST(LaunchForm, ABlockHasTheWidthThatTheKernelAsserts) {
  const FormKernel kernel = only_kernel_of(
      "#define WARP_SIZE 32\n"
      "__global__ void norm(float* out, const float* inp, int N, int C) {\n"
      "  assert(blockDim.x == WARP_SIZE);\n"
      "  int idx = blockIdx.x * blockDim.y + threadIdx.y;\n"
      "  if (idx >= N) return;\n"
      "  for (int c = threadIdx.x; c < C; c += WARP_SIZE) out[idx * C + c] = inp[idx * C + c];\n"
      "}\n");
  EXPECT_EQ(kernel.form.block, "32,8");
}

TEST(LaunchForm, IncludePathsBeginInTheFilesFolder) {
  LaunchForm form = only_kernel_of(scale).form;
  form.include_paths = {"../my headers", "/nowhere/at/all"};
  EXPECT_EQ(job::form_from(job::text_of(form)), form);
  const compile::Source source = job::source_of_file("/nowhere/code/own.cu", scale);
  Diagnostics notes;
  const Result<job::Request> made = job::request_of(form, source, notes);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->source.include_paths,
            (std::vector<std::string>{"/nowhere/code", "/nowhere/my headers", "/nowhere/at/all"}));
  const std::string command = job::command_of(job::with_whole_folders(form, "/nowhere/code"), source.name);
  const std::string folders = " -I " + as_typed("/nowhere/my headers") + " -I /nowhere/at/all --kernel scale ";
  EXPECT_NE(command.find(folders), std::string::npos) << command;
  const job::FormProblems said = job::check_form(form, source, nullptr);
  EXPECT_EQ(said.include_paths.size(), 2u) << "they are not there";
  EXPECT_FALSE(said.any()) << "no header is needed";
}

TEST(LaunchForm, MakesTheRequestOfTrace) {
  const LaunchForm form = only_kernel_of(transpose).form;
  Diagnostics notes;
  const compile::Source source = job::source_of_file("own.cu", transpose);
  const Result<job::Request> made = job::request_of(form, source, notes);
  job::LaunchOptions options;
  options.kernel = "transpose<float>";
  options.grid = "2,2";
  options.block = "32,8";
  options.arguments = {"f32[4096]=0", "f32[4096]=iota", "i32=64", "i32=64"};
  const Result<job::Request> traced = job::request_from(source, options, notes);
  ASSERT_TRUE(made.ok() && traced.ok());
  const job::Outcome here = job::run(*made), there = job::run(*traced);
  ASSERT_TRUE(here.completed && there.completed);
  EXPECT_TRUE(here.first().trace.totals == there.first().trace.totals);
  EXPECT_EQ(here.buffers[0].hash, there.buffers[0].hash);
  EXPECT_EQ(made->races_if_small, traced->races_if_small);
  EXPECT_EQ(made->source.include_paths, traced->source.include_paths);
}

}  // namespace
}  // namespace lanescope::test
