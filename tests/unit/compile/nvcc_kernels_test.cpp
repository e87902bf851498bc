// Sources that NVRTC refuses and nvcc takes (13.0.88, g++ 12.2), and what is told of them.

#include "compile/nvcc/nvcc_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compile/nvcc/nvcc.h"
#include "fixture.h"

namespace lanescope::compile {
namespace {

using testing::HasSubstr;
using testing::Not;

#define NEEDS_BOTH_COMPILERS() \
  NEEDS_NVRTC();               \
  if (!locate_nvcc()) GTEST_SKIP() << "no nvcc"

bool has_code(const Diagnostics& said, const std::string& code) {
  return std::ranges::any_of(said, [&](const Diagnostic& one) { return one.code == code; });
}

Source named(const std::string& text) {
  return {"folder of mine/own.cu", text, {}};
}

class RefusedByNvrtc : public testing::TestWithParam<const char*> {};

TEST_P(RefusedByNvrtc, IsCompiledByNvcc) {
  NEEDS_BOTH_COMPILERS();
  const Source source = named(GetParam());
  EXPECT_FALSE(compile(source, {}).ok()) << "NVRTC takes it now";
  const Result<Ptx> made = compile_with_either(source, {});
  ASSERT_TRUE(made.ok()) << format(made.errors().front());
  EXPECT_EQ(made->compiler_name, "nvcc");
  EXPECT_TRUE(has_code(made->warnings, "compile.by_nvcc"));
  EXPECT_THAT(made->text, HasSubstr(".entry _Z1kPi("));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedByNvrtc,
    testing::Values("__global__ void k(int* o) { __typeof__(o[0]) x = 1; typeof(x) y = x; o[0] = y; }",
                    "#define MAX(a, b) ({ int x_ = (a), y_ = (b); x_ > y_ ? x_ : y_; })\n"
                    "__global__ void k(int* o) { o[0] = MAX(o[1], 5); }",
                    "struct S { int n; int d[0]; };\n__global__ void k(int* o) { o[0] = sizeof(S); }",
                    "__global__ void k(int* o) { switch (o[0]) { case 0 ... 7: o[1] = 1; break; default: o[1] = 2; } }",
                    "__global__ void k(int* o) { __shared__ int s[__builtin_ctz(64)]; s[0] = o[1]; o[0] = s[0]; }",
                    "__global__ void k(int* o) { o[0] = o[1] ?: 4; }",
                    "struct S { int n; int d[]; };\n__global__ void k(int* o) { o[0] = sizeof(S); }",
                    "__global__ void k(int* o) { o[0] = __COUNTER__; }",
                    "\xef\xbb\xbf__global__ void k(int* o) { __typeof__(o[0]) x = 1; o[0] = x; }",
                    "__device__ int a$b(int x) { return x; }\n__global__ void k(int* o) { o[0] = a$b(3); }",
                    "struct A { static const int n = 4;\n"
                    "#ifdef __CUDA_ARCH__\n  static __device__ int f(int n = n) { return n; }\n#endif\n};\n"
                    "__global__ void k(int* o) { o[0] = 1; }",
                    "#include <string>\n#include <vector>\n"
                    "struct M { int n; std::vector<int> v; __host__ M(std::string s) : n(s.size()) {}\n"
                    "  __device__ int get() const { return n; } };\n__global__ void k(int* o) { o[0] = 1; }",
                    "#include <thrust/complex.h>\n"
                    "__global__ void k(int* o) { thrust::complex<float> w(3, 4); o[0] = abs(w); }"));

TEST(NvccKernels, NamesKernelsAsNvrtcDoes) {
  NEEDS_BOTH_COMPILERS();
  const Source source = named(
      "namespace q { template <class T, int N> __global__ void k(T* o) { __typeof__(o[0]) x = N; o[0] = x; } }\n"
      "__global__ void plain(int* o) { o[0] = 1; }\nstatic __global__ void own(int* o) { o[0] = 1; }\n");
  Options options;
  options.name_expressions = {"q::k<int, 2 * 32>", "k<float, 5>", "own", "_Z5plainPi"};
  options.machine_code = true;
  const Result<Ptx> made = compile_with_either(source, options);
  ASSERT_TRUE(made.ok()) << format(made.errors().front());
  EXPECT_EQ(made->mangled.at("q::k<int, 2 * 32>"), "_ZN1q1kIiLi64EEEvPT_");
  EXPECT_EQ(made->mangled.at("k<float, 5>"), "_ZN1q1kIfLi5EEEvPT_");
  EXPECT_THAT(made->mangled.at("own"), HasSubstr("ownPi"));
  EXPECT_EQ(made->mangled.at("_Z5plainPi"), "_Z5plainPi");
  EXPECT_THAT(made->text, HasSubstr("\"folder of mine/own.cu\""));
  EXPECT_THAT(made->text, HasSubstr(".target sm_90"));
  EXPECT_THAT(made->text, Not(HasSubstr("by_name")));
  ASSERT_GT(made->cubin.size(), 4u);
  EXPECT_EQ(std::string(made->cubin.begin() + 1, made->cubin.begin() + 4), "ELF");
}

TEST(NvccKernels, ATemplateArgumentIsLookedUpBesideTheKernel) {
  NEEDS_BOTH_COMPILERS();
  const Source source = named(
      "namespace q { struct Two { static constexpr int n = 2; };\n"
      "template <class Op> __global__ void k(int* o) { __typeof__(o[0]) x = Op::n; o[0] = x; } }\n");
  Options options;
  options.name_expressions = {"q::k<Two>"};
  const Result<Ptx> made = compile_with_either(source, options);
  ASSERT_TRUE(made.ok()) << format(made.errors().front());
  EXPECT_EQ(made->mangled.at("q::k<Two>"), "_ZN1q1kINS_3TwoEEEvPi");
}

// NVRTC's errors are about host code here, which nvcc takes.
TEST(NvccKernels, AKernelThatIsNotThereIsToldWhereOnlyNvccTakesTheFile) {
  NEEDS_BOTH_COMPILERS();
  const Source source = named(
      "#include <variant>\nnamespace q { struct S { static std::variant<int, float> host(); };\n"
      "__device__ int size(std::variant<int, float>* v) { return sizeof(*v); }\n"
      "template <class T> __global__ void scale(T* o) { o[0] = size(nullptr); } }\n");
  Options options;
  for (const char* name : {"q::scal<int>", "q::scale<Missing>"}) {
    options.name_expressions = {"q::scale<float>", name};
    const Result<Ptx> made = compile_with_either(source, options);
    ASSERT_FALSE(made.ok()) << name;
    EXPECT_EQ(made.errors().front().code, "compile.no_such_kernel") << format(made.errors().front());
    EXPECT_THAT(std::string(made.errors().front().message), HasSubstr(std::string("`") + name + "`"));
  }
  options.name_expressions = {"q::scale<int>"};
  EXPECT_TRUE(compile_with_either(source, options).ok());
}

TEST(NvccKernels, WhatAnUnnamedNamespaceHoldsHasTheSameNameEachTime) {
  NEEDS_BOTH_COMPILERS();
  const Source source = named("namespace { __global__ void k(int* o) { __typeof__(*o) x = 1; *o = x; } }\n");
  Options options;
  options.name_expressions = {"k"};
  const Result<Ptx> made = compile_with_either(source, options);
  ASSERT_TRUE(made.ok()) << format(made.errors().front());
  options.machine_code = true;
  const Result<Ptx> again = compile_with_either(source, options);
  ASSERT_TRUE(again.ok()) << format(again.errors().front());
  EXPECT_EQ(made->mangled.at("k"), again->mangled.at("k"));
  EXPECT_THAT(made->mangled.at("k"), HasSubstr("kernels_cu"));
  EXPECT_EQ(made->text, again->text);
  EXPECT_NE(
      std::search(again->cubin.begin(), again->cubin.end(), made->mangled.at("k").begin(), made->mangled.at("k").end()),
      again->cubin.end());
}

TEST(NvccKernels, SeesTheSameHeadersAndDefinitions) {
  NEEDS_BOTH_COMPILERS();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "nvcc kernels";
  std::filesystem::create_directories(folder / "inc");
  std::ofstream(folder / "string.h") << "#define BESIDE 3\n";
  std::ofstream(folder / "inc/further.h") << "#define FURTHER 4\n";
  Source source{(folder / "own.cu").generic_string(),
                "#include \"string.h\"\n#include <string.h>\n#include <further.h>\n"
                "__global__ void k(int* o) { __typeof__(o[0]) x = 1000 + BESIDE * FURTHER * GIVEN; o[0] = x; }\n",
                {(folder / "inc").generic_string()},
                {"GIVEN=5"}};
  const Result<Ptx> made = compile_with_either(source, {});
  ASSERT_TRUE(made.ok()) << format(made.errors().front());
  EXPECT_THAT(made->text, HasSubstr("1060"));
  std::filesystem::remove_all(folder);
}

// nvcc computes it, although it is no constant expression of C++.
TEST(NvccKernels, AFloatingConstantMadeOfAnotherIsComputed) {
  NEEDS_BOTH_COMPILERS();
  const Result<Ptx> made = compile_with_either(
      named(
          "const float scale = 1.25f;\nconst float back = 1.0 / scale;\n__global__ void k(float* o) { *o = back; }\n"),
      {});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->compiler_name, "nvcc");
  EXPECT_THAT(made->text, HasSubstr("1061997773"));  // 0x3f4ccccd: 0.8
}

TEST(NvccKernels, AMistakeIsToldByNvrtc) {
  NEEDS_BOTH_COMPILERS();
  const Source source = named("#include <vector>\n__global__ void k(int* o) { o[0] = missing; }\n");
  const Result<Ptx> made = compile_with_either(source, {});
  ASSERT_FALSE(made.ok());
  ASSERT_EQ(made.errors().size(), 1u);
  EXPECT_EQ(made.errors().front().place, (SourcePlace{"folder of mine/own.cu", 2, 36}));
}

TEST(NvccKernels, AMistakeElsewhereIsToldToo) {
  NEEDS_BOTH_COMPILERS();
  const Source source = named(
      "#include <vector>\nvoid host() { missing(); }\n__global__ void k(int* o) { __typeof__(*o) x = 1; *o = x; }\n");
  const Result<Ptx> made = compile_with_either(source, {});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.errors().front().place.line, 3);
  EXPECT_EQ(made.errors().back().code, "compile.nvcc");
  EXPECT_EQ(made.errors().back().severity, Severity::note);
  EXPECT_EQ(made.errors().back().place.line, 2);
}

TEST(NvccKernels, NobodyWaitsForNvccBecauseOfASpellingMistakeInAPlainKernel) {
  const Diagnostics typing{{Severity::error, "compile.error", {"a.cu", 1, 30}, "identifier \"x\" is undefined", ""}};
  EXPECT_FALSE(nvcc_may_take(typing, {"a.cu", "__global__ void k(int* o) { o[0] = x; }", {}}));
  EXPECT_TRUE(nvcc_may_take(typing, {"a.cu", "#include <map>\n__global__ void k(int* o) { o[0] = x; }", {}}));
  const Diagnostics unknown{{Severity::error, "compile.unknown_arch", {"a.cu"}, "", ""}};
  EXPECT_FALSE(nvcc_may_take(unknown, {"a.cu", "#include <map>\n", {}}));
}

TEST(NvccKernels, WithoutNvccTheCureSaysHowToHaveIt) {
  NEEDS_NVRTC();
  const Result<Toolchain> found = find_toolchain();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "without nvcc";
  std::filesystem::create_directories(folder);
  std::error_code failed;
  std::filesystem::create_directory_symlink(std::filesystem::path(found->nvrtc_path).parent_path(), folder / "lib",
                                            failed);
  if (failed) GTEST_SKIP() << "no links on this file system";
  const ScopedVariable alone("LANESCOPE_CUDA", folder.generic_string());
  const Source source = named("__global__ void k(int* o) { __typeof__(o[0]) x = 1; o[0] = x; }\n");
  if (!locate_nvcc()) {
    const Result<Ptx> made = compile_with_either(source, {});
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.errors().front().code, "compile.error");
    EXPECT_EQ(made.errors().back().code, "toolchain.no_nvcc");
    EXPECT_EQ(made.errors().back().severity, Severity::note);
    EXPECT_THAT(std::string(made.errors().back().cure), HasSubstr("nvcc"));
  }
  std::filesystem::remove_all(folder);
}

TEST(NvccKernels, TheTableOfNamesIsTakenOut) {
  EXPECT_EQ(table_of_kernels({"_Z1kPi"}), "");
  EXPECT_THAT(table_of_kernels({"_Z1kPi", "k<1>"}), HasSubstr("(const void*)(k<1>),"));
  EXPECT_THAT(table_of_kernels({"a::b::k<c::Op>"}), HasSubstr("namespace a::b {"));
  EXPECT_THAT(table_of_kernels({"a::b::k<Op>", "a::j"}), Not(HasSubstr("namespace")));
  std::string ptx = ".version 9.0\n.global .align 8 .u64 lanescope_kernels_by_name[2] = {_Z1aPi, _Z1bPi};\n.entry";
  EXPECT_EQ(take_table_of_kernels(ptx), (std::vector<std::string>{"_Z1aPi", "_Z1bPi"}));
  EXPECT_EQ(ptx, ".version 9.0\n\n.entry");
  EXPECT_TRUE(take_table_of_kernels(ptx).empty());
}

}  // namespace
}  // namespace lanescope::compile
