// The launch in a source, or in a header of it, of one instance of a template.

#include <fstream>

#include <gmock/gmock.h>

#include "golden.h"
#include "job/request/launch_options.h"
#include "job/request/launch_text.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

using testing::HasSubstr;

Request request_for(const std::string& source, const std::string& kernel) {
  Request request;
  request.source = {"a.cu", source, {}};
  request.first().kernel = kernel;
  return request;
}

std::string texts(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) text += format(one) + "\n";
  return text;
}

// Code in a namespace leaves it out, so only the template arguments tell instances apart.
TEST(InstanceLaunch, AnInstanceInANamespaceIsFound) {
  Request request = request_for(
      "namespace a { namespace b {\n"
      "template <int N, int V> __global__ void k(float* x) { x[threadIdx.x] = N + V; }\n"
      "void host(float* x) {\n  k<1, 16><<<1, 32>>>(x);\n  k<0, 16><<<2, 64>>>(x);\n}\n}}\n",
      "a::b::k<0,16>");
  request.arguments = {{"f32[64]", ""}};
  const Diagnostics notes = complete_from_source(request, {});
  ASSERT_FALSE(has_error(notes)) << texts(notes);
  EXPECT_EQ(request.first().shape.grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(request.first().shape.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(notes.front().place.line, 5);
}

// `k<T, 4><<<…>>>` in a template of T launches k<float, 4> too, but not k<float, 8>.
TEST(InstanceLaunch, ALaunchInATemplateIsOneOfItsInstances) {
  const std::string source =
      "template <typename T, int N> __global__ void k(T* x) { x[threadIdx.x] = N; }\n"
      "template <typename T> void host(T* x) {\n  k<T, 4><<<2, 32>>>(x);\n}\n";
  Request request = request_for(source, "k<float, 4>");
  request.arguments = {{"f32[32]", ""}};
  EXPECT_FALSE(has_error(complete_from_source(request, {})));
  EXPECT_EQ(request.first().shape.grid, (Dim3{2, 1, 1}));
  request.first().kernel = "k<float, 8>";
  const Diagnostics problems = complete_from_source(request, {});
  ASSERT_TRUE(has_error(problems));
  EXPECT_EQ(problems.front().message, "The grid is not given: the file launches `k<T, 4>`, not `k<float, 8>`.");
}

// As C++ deduces them. "" where the text does not tell.
std::string instance_of(const std::string& kernel, const std::string& host) {
  Request request = request_for(kernel + host, "");
  request.arguments = {{"f32[32]", ""}};
  (void)complete_from_source(request, {});
  return request.first().kernel;
}

TEST(InstanceLaunch, TemplateArgumentsFollowFromTheLaunchsArguments) {
  const std::string of_one = "template <typename T> __global__ void k(const T* __restrict__ x, int n) {}\n";
  EXPECT_EQ(instance_of(of_one, "int main() { double *a, *b; k<<<1, 32>>>(b, 4); }"), "k<double>");
  EXPECT_EQ(instance_of(of_one, "void f(const unsigned int* x, int n) { k<<<1, 32>>>(x, n); }"), "k<unsigned int>");
  EXPECT_EQ(instance_of("typedef double real;\n" + of_one, "void f(real* x) { k<<<1, 32>>>(x, 4); }"), "k<double>");
  EXPECT_EQ(instance_of("struct P { int a; };\n" + of_one, "void f(P* x) { k<<<1, 32>>>(x, 4); }"), "k<P>");
  EXPECT_EQ(instance_of(of_one, "void f(void* x) { k<<<1, 32>>>(x, 4); }"), "");
  EXPECT_EQ(instance_of(of_one, "template <class T> void f(T* x) { k<<<1, 32>>>(x, 4); }"), "");
  EXPECT_EQ(instance_of(of_one, "void f() { auto* x = pool(); k<<<1, 32>>>(x, 4); }"), "");
  EXPECT_EQ(
      instance_of("template <int N, class T> __global__ void k(T* x) {}\n", "void f(float* x) { k<4><<<1, 32>>>(x); }"),
      "k<4, float>");
  EXPECT_EQ(instance_of("template <class T, int N = 8> __global__ void k(T* x, T by) {}\n",
                        "void f(float* x) { k<<<1, 32>>>(x, 2.0f); }"),
            "k<float>");
  EXPECT_EQ(
      instance_of("template <class T> __global__ void k(T* x, T by) {}\n", "void f(float* x) { k<<<1, 32>>>(x, 2); }"),
      "")
      << "C++ refuses it";
}

TEST(InstanceLaunch, AFunctorIsATemplateArgument) {
  const std::string kernel =
      "struct Square { __device__ float operator()(float x) const { return x * x; } };\n"
      "template <typename T> class Add { T by; };\n"
      "template <typename F> __global__ void apply(F f, float* x) { x[threadIdx.x] = f(x[threadIdx.x]); }\n";
  EXPECT_EQ(instance_of(kernel, "void f(float* x) { apply<<<1, 32>>>(Square{}, x); }"), "apply<Square>");
  EXPECT_EQ(instance_of(kernel, "void f(float* x) { apply<<<1, 32>>>(Square(), x); }"), "apply<Square>");
  EXPECT_EQ(instance_of(kernel, "void f(float* x) { Square by; apply<<<1, 32>>>(by, x); }"), "apply<Square>");
  EXPECT_EQ(instance_of(kernel, "void f(float* x) { apply<<<1, 32>>>(Add<int>{3}, x); }"), "apply<Add<int>>");
  EXPECT_EQ(instance_of(kernel, "template <class T> void f(float* x) { apply<<<1, 32>>>(Add<T>{}, x); }"), "");
  EXPECT_EQ(instance_of(kernel, "void f(float* x) { apply<<<1, 32>>>(square(), x); }"), "");
  EXPECT_EQ(instance_of(kernel, "void f(float* x) { apply<<<1, 32>>>([] __device__(float y) { return y; }, x); }"), "");
}

TEST(InstanceLaunch, AHeadersLaunchOfItsKernelIsTaken) {
  const test::TempFolder folder;
  const std::string header = (folder / "fill.cuh").generic_string();
  std::ofstream(header) << "template <class T> __global__ void fill(T* out, int by) { out[threadIdx.x] = by; }\n"
                           "template <class T> void launch(T* out, int blocks) {\n"
                           "  const int by = 3;\n"
                           "  fill<T><<<blocks, 64>>>(out, by);\n}\n";
  Request request = request_for("#include \"fill.cuh\"\nvoid host(float* out) { launch(out, 4); }\n", "fill<float>");
  request.source.include_paths = {folder.path().string()};
  request.first().shape.grid = {2, 1, 1};
  request.arguments = {{"f32[64]", ""}, {"i32=3", ""}};
  Diagnostics notes = complete_from_source(request, {.grid = true, .block = false, .shared = false});
  ASSERT_FALSE(has_error(notes)) << texts(notes);
  EXPECT_EQ(request.first().shape.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(notes.front().place.file, header);
  EXPECT_EQ(notes.front().place.line, 4);
  notes = complete_from_source(request, {});
  ASSERT_TRUE(has_error(notes));
  EXPECT_EQ(notes.front().code, "launch.not_constant");
  EXPECT_THAT(std::string(notes.front().message), HasSubstr("`blocks` is given at run time"));
}

// `lanes` is the function's parameter, whatever a header calls so.
TEST(InstanceLaunch, AHeadersConstantsAreKnown) {
  const test::TempFolder folder;
  std::ofstream(folder / "config.h") << "#pragma once\n#define BLOCK_X 16\n"
                                        "constexpr int blocks = 3, lanes = 8;\n"
                                        "#define PARTS(n) (((n) + BLOCK_X - 1) / BLOCK_X)\n";
  const auto taken = [&](const std::string& block) {
    Request request = request_for(
        "#include \"config.h\"\nconstexpr int ROWS = 4;\n__global__ void k(float* x) { x[threadIdx.x] = 1; }\n"
        "void host(float* x, int lanes) {\n  k<<<dim3(blocks, PARTS(33)), " +
            block + ">>>(x);\n}\n",
        "k");
    request.source.include_paths = {folder.path().string()};
    request.arguments = {{"f32[64]", ""}};
    const Diagnostics notes = complete_from_source(request, {});
    return has_error(notes) ? texts(notes)
                            : extent_text(request.first().shape.grid) + " " + extent_text(request.first().shape.block);
  };
  EXPECT_EQ(taken("dim3(BLOCK_X, ROWS)"), "3,3 16,4");
  EXPECT_THAT(taken("dim3(BLOCK_X, lanes)"), HasSubstr("`lanes` is given at run time"));
}

}  // namespace
}  // namespace lanescope::job
