// Kernels whose parameters only the source tells: overloads, and extern "C".

#include "job/request/kernel_signature.h"

#include <cstring>

#include <gmock/gmock.h>

#include "core/kernel_name.h"
#include "golden.h"
#include "job/request/launch_form.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* overloaded_kernels =
    "__global__ void over(float* x) { x[0] = 1; }\n"
    "__global__ void over(int* x) { x[0] = 2; }\n"
    "namespace n { __global__ void over(const int* in, unsigned int* x) { x[0] = in[0] + 3; } }\n";

Outcome signature_run(const std::string& text, LaunchOptions options) {
  options.grid = options.block = "1";
  Diagnostics notes;
  const Result<Request> request = request_from(source_of_file("k.cu", text), options, notes);
  if (request) return run(*request);
  Outcome refused;
  refused.diagnostics = request.errors();
  return refused;
}

std::string all_said(const Outcome& outcome) {
  std::string all;
  for (const Diagnostic& one : outcome.diagnostics) all += one.code + ": " + format(one);
  return all;
}

int first_word(const Outcome& outcome, std::size_t argument) {
  int word = -1;
  EXPECT_TRUE(outcome.completed) << all_said(outcome);
  if (outcome.completed) std::memcpy(&word, outcome.arguments.at(argument).contents.data(), sizeof word);
  return word;
}

TEST(KernelSignatures, ASignatureBecomesACast) {
  EXPECT_EQ(as_signature("(void (*)(float*, int (*)(int)))lib::copy<4>"), "lib::copy<4>(float*, int (*)(int))");
  EXPECT_EQ(as_signature("copy<(3 > 2)>"), "copy<(3 > 2)>");
  EXPECT_EQ(with_cast("over(float*)"), "(void (*)(float*))over");
  EXPECT_EQ(with_cast(" lib::copy<4>(float *x, int (*f)(int)) "), "(void (*)(float *x, int (*f)(int)))lib::copy<4>");
  for (const char* other : {"over", "copy<(3 > 2)>", "(void (*)(float*))over", "(a)", ")", ""})
    EXPECT_EQ(with_cast(other), other);
}

TEST(KernelSignatures, OneOfSeveralKernelsIsNamedByItsSignature) {
  EXPECT_EQ(first_word(signature_run(overloaded_kernels, {.kernel = "over(int*)", .arguments = {"i32[1]=0"}}), 0), 2);
  EXPECT_EQ(first_word(signature_run(overloaded_kernels, {.kernel = "n::over(const int *in, unsigned int *x)",
                                                          .arguments = {"i32[1]=4", "u32[1]=0"}}),
                       1),
            7);
  // In further launches too.
  const Outcome then =
      signature_run(overloaded_kernels,
                    {.kernel = "over(float*)", .arguments = {"f32[1]=0"}, .then = {"over(int*)<<<1, 1>>>(i32[1]=0)"}});
  EXPECT_EQ(first_word(then, 1), 2);
}

// The launch that is taken for a kernel of the name, and what is said of it.
std::pair<std::uint32_t, std::string> launch_taken(const std::string& host, const std::string& kernel) {
  Diagnostics notes;
  const Result<Request> request =
      request_from(source_of_file("k.cu", overloaded_kernels + host), {.kernel = kernel}, notes);
  std::string said;
  for (const Diagnostic& one : request ? notes : request.errors()) said += format(one) + "\n";
  return {request ? request->first().shape.grid.x : 0, said};
}

TEST(KernelSignatures, OfOverloadedKernelsTheLaunchWithItsArgumentsIsTaken) {
  const std::string host =
      "int main() {\n"
      "  int *i, *j;\n"
      "  float* f;\n"
      "  cudaMalloc(&i, 4 * sizeof(int)); cudaMalloc(&j, 4 * sizeof(int)); cudaMalloc(&f, 4 * sizeof(float));\n"
      "  over<<<3, 32>>>(j);\n"
      "  over<<<5, 32>>>(f);\n"
      "}\n";
  EXPECT_EQ(launch_taken(host, "over(float*)").first, 5u);
  EXPECT_EQ(launch_taken(host, "over(int*)").first, 3u);
  EXPECT_THAT(launch_taken(host, "over(int*)").second, HasSubstr("taken from this launch: "));
}

TEST(KernelSignatures, ALaunchOfAnotherOverloadIsNotTaken) {
  const auto [grid, said] = launch_taken("void f(int* i) { over<<<3, 32>>>(i); }\n", "over(float*)");
  EXPECT_EQ(grid, 0u) << said;
  EXPECT_THAT(said, HasSubstr("the file does not launch `"));
}

TEST(KernelSignatures, ALaunchThatMayBeOfAnotherOverloadIsSaidToBe) {
  const std::string host = "int main() { auto p = make(); cudaMalloc(&p, 64); over<<<3, 32>>>(p); }\n";
  const auto [grid, said] = launch_taken(host, "over(float*)");
  EXPECT_EQ(grid, 3u);
  EXPECT_THAT(said, HasSubstr("taken from this launch, which may be another kernel's of this name: grid 3"));
}

// Numbers convert, but the kernel that takes them as they are is meant.
TEST(KernelSignatures, ANumberOfTheKernelsOwnTypeTellsItsLaunch) {
  const std::string kernels =
      "__global__ void set(float* x, float v) { x[0] = v; }\n"
      "__global__ void set(float* x, int v) { x[0] = v; }\n"
      "int main() { float* x; cudaMalloc(&x, 64); const int n = 2; set<<<3, 32>>>(x, n); set<<<5, 32>>>(x, 1.5f); }\n";
  for (const auto& [kernel, grid] : {std::pair{"set(float*, float)", 5u}, std::pair{"set(float*, int)", 3u}}) {
    Diagnostics notes;
    const Result<Request> request = request_from(source_of_file("k.cu", kernels), {.kernel = kernel}, notes);
    ASSERT_TRUE(request.ok()) << kernel << format(request.errors().front());
    EXPECT_EQ(request->first().shape.grid.x, grid) << kernel;
  }
}

TEST(KernelSignatures, AnErrorNamesTheOverloads) {
  const std::string open = all_said(signature_run(overloaded_kernels, {.kernel = "over", .arguments = {"i32[1]=0"}}));
  EXPECT_THAT(open, HasSubstr("Say which by its parameters: 'over(float* x)', or 'over(int* x)'."));
  const std::string wrong =
      all_said(signature_run(overloaded_kernels, {.kernel = "over(double*)", .arguments = {"f64[1]=0"}}));
  const std::string alone = all_said(signature_run("__global__ void one(float* x) {}\n", {.kernel = "one(int)"}));
  EXPECT_THAT(alone, HasSubstr("It has other parameters: 'one(float* x)'."));
  EXPECT_THAT(wrong, HasSubstr("`over(double*)`"));
  EXPECT_THAT(wrong, HasSubstr("'over(float* x)', or 'over(int* x)'"));
}

TEST(KernelSignatures, AnUnknownKernelIsSaidBeforeWhatItsLaunchLacks) {
  Diagnostics notes;
  const Result<Request> request =
      request_from(source_of_file("k.cu", "__global__ void scale(int* x) {}\n"), {.kernel = "scael"}, notes);
  ASSERT_FALSE(request.ok());
  ASSERT_EQ(request.errors().size(), 1u);
  EXPECT_EQ(request.errors()[0].message, "The file has no kernel `scael`.");
  EXPECT_THAT(std::string(request.errors()[0].cure), HasSubstr("Did you mean `scale`?"));
}

TEST(KernelSignatures, TypesAreThoseThatTheSourceDeclares) {
  const SourceKernels kernels(
      "typedef float real;\nstruct P { int n; };\n"
      "extern \"C\" __global__ void k(const real* __restrict__ a, unsigned int *b, unsigned long long n, P* p, P q,\n"
      "                              int (*rows)[4], float4* v, bool flag) {}\n");
  EXPECT_THAT(kernels.declared_types("k"),
              ElementsAre("float const*", "unsigned int*", "unsigned long long", "", "", "", "float4*", "bool"));
  EXPECT_THAT(kernels.declared_types("other"), IsEmpty());
}

// As headers for both CUDA and HIP have them.
TEST(KernelSignatures, AMacroOverANameOfCudaIsOfABranchThatIsNotTaken) {
  const SourceKernels kernels(
      "#ifdef BUILD_HIP\n#define cudaTextureObject_t hipTextureObject_t\n#define half hip_half\n#endif\n"
      "#define real double\n#define uint unsigned int\n__global__ void k(float* x) {}\n");
  EXPECT_EQ(kernels.declared("cudaTextureObject_t in").type, "cudaTextureObject_t");
  EXPECT_EQ(kernels.declared("half* x").element(), "f16");
  EXPECT_EQ(kernels.declared("real* x").element(), "f64");
  EXPECT_EQ(kernels.declared("uint* x").element(), "u32");
}

// The mangled name of an extern "C" kernel has no types.
TEST(KernelSignatures, ABufferOfOtherElementsIsNotedForExternCToo) {
  const std::string text = "extern \"C\" __global__ void k(int* x, int n) { x[0] += n; }\n";
  const Outcome other = signature_run(text, {.kernel = "k", .arguments = {"f32[64]=1", "i32=1"}});
  ASSERT_EQ(other.diagnostics.size(), 1u) << all_said(other);
  EXPECT_EQ(other.diagnostics[0].code, "argument.other_elements");
  EXPECT_EQ(other.diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(other.diagnostics[0].message,
            "Parameter 0 of `k` is int* (.u64 in PTX), but `f32[64]=1` holds f32: the kernel would read the bytes as "
            "different numbers.");
  const Outcome right = signature_run(text, {.kernel = "k", .arguments = {"i32[64]=1", "i32=1"}});
  EXPECT_THAT(all_said(right), IsEmpty());
  EXPECT_EQ(first_word(right, 0), 2);
  // A pointer type that only a header knows is not judged.
  const std::string unknown = "typedef int* ints;\nextern \"C\" __global__ void k(ints x, int n) { x[0] += n; }\n";
  EXPECT_THAT(all_said(signature_run(unknown, {.kernel = "k", .arguments = {"f32[64]=1", "i32=1"}})), IsEmpty());
}

// Libraries keep their kernels in headers, and the .cu has the host code.
TEST(KernelSignatures, KernelsOfHeadersAreNamedWhereTheFileHasNone) {
  const test::TempFolder folder;
  test::write_file(folder / "pack.h", "__global__ void pack(int* x) {}\n__global__ void unpack(int* x) {}\n");
  test::write_file(folder / "all.h", "#include \"pack.h\"\n#include <cuda_fp16.h>\n");
  const std::string file = (folder / "align.cu").generic_string();
  Diagnostics notes;
  const Result<Request> request =
      request_from(source_of_file(file, "#include \"all.h\"\nvoid align() {}\n"), {.grid = "1", .block = "1"}, notes);
  ASSERT_FALSE(request.ok());
  EXPECT_EQ(request.errors()[0].code, "command.which_kernel");
  const std::string message(request.errors()[0].message);
  EXPECT_THAT(message, HasSubstr("but headers that it includes have: `pack` ("));
  EXPECT_THAT(message, HasSubstr("pack.h), `unpack` ("));
  EXPECT_EQ(std::string(request.errors()[0].cure), "Say which kernel to run.");
  const Result<Request> none =
      request_from(source_of_file(file, "void align() {}\n"), {.grid = "1", .block = "1"}, notes);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(std::string(none.errors()[0].cure), "Mark a function with __global__.");
}

// A parameter's namespace tells overloads apart. Which of the structs it is, is not followed: the layout is unknown.
TEST(KernelSignatures, OverloadsForStructsOfTwoNamespacesAreToldApart) {
  const std::vector<FormKernel> all =
      form_kernels(source_of_file("own.cu",
                                  "namespace a { struct P { int x; float2 y; double z; }; struct Q { float4 x; }; }\n"
                                  "namespace b { struct P { int x; float y[2]; double z; }; }\n"
                                  "__global__ void k(a::P p, a::Q q) {}\n"
                                  "__global__ void k(b::P p, a::Q q) {}\n"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NE(all[0].signature.name, all[1].signature.name);
  for (const FormKernel& one : all) {
    EXPECT_EQ(one.parameters[0].layout.bytes, 0);
    EXPECT_EQ(one.parameters[1].layout.bytes, 16);
  }
}

}  // namespace
}  // namespace lanescope::job
