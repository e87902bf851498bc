// compile() as a whole, beyond the cases of tests/cases/compile: files, cache, unusual input, threads.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include <chrono>
#include <map>
#include <regex>
#include <thread>

#include <fmt/format.h>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "compile/host/host_headers.h"
#include "compile/host/source_scan.h"
#include "compile/ptx_text.h"
#include "core/file_name_in_ptx.h"
#include "core/source_types.h"
#include "golden.h"

namespace lanescope::compile {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

const char* plain_kernel = "__global__ void k(float* a) { a[threadIdx.x] *= 2; }\n";

std::string told(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += "[" + diagnostic.code + "] " + format(diagnostic) + "\n";
  return text;
}

Result<Ptx> compile_text(const std::string& text, Options options = {}, const std::string& name = "k.cu") {
  return compile({name, text, {}}, options);
}

void expect_compiles(const std::string& text, const std::string& kernel, const std::string& name = "k.cu") {
  Options options;
  options.name_expressions = {kernel};
  const auto ptx = compile_text(text, options, name);
  EXPECT_TRUE(ptx.ok()) << text.substr(0, 400) << "\n" << (ptx.ok() ? "" : told(ptx.errors()));
}

std::string first_error(const Result<Ptx>& result) {
  return result.ok() ? "it compiled" : result.errors().front().code;
}

TEST(Compiler, TellsItsVersionAndTheArchitecture) {
  NEEDS_NVRTC();
  Options options;
  options.arch = "sm_80";
  const auto ptx = compile_text(plain_kernel, options);
  ASSERT_TRUE(ptx.ok()) << told(ptx.errors());
  EXPECT_THAT(ptx->text, HasSubstr(".target sm_80"));
  EXPECT_TRUE(std::regex_match(ptx->compiler_version, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+"))) << ptx->compiler_version;
  EXPECT_EQ(ptx->compiler_version, find_toolchain()->nvrtc_version);
  for (const char* arch : {"compute_75", "90", "sm_90a", "sm_120"}) {
    options.arch = arch;
    EXPECT_TRUE(compile_text(plain_kernel, options).ok()) << arch;
  }
  for (const char* arch : {"", "sm_", "sm_1", "sm_90x", "volta", "sm_900000000000", "sm_-9"}) {
    options.arch = arch;
    EXPECT_EQ(first_error(compile_text(plain_kernel, options)), "compile.unknown_arch") << arch;
  }
}

TEST(Compiler, TakesDefinesAndIncludePaths) {
  NEEDS_NVRTC();
  const test::TempFolder folder;
  test::write_file(folder / "far/away.cuh", "constexpr int AWAY = 5;\n");
  const Source source{"k.cu",
                      "#include <away.cuh>\n#ifndef FLAG\n#error no flag\n#endif\n"
                      "__global__ void k(int* a) { a[0] = FACTOR * AWAY + 1000; }\n",
                      {(folder / "far").string()},
                      {"FACTOR=3", "FLAG"}};
  const auto ptx = compile(source, {});
  ASSERT_TRUE(ptx.ok()) << told(ptx.errors());
  EXPECT_THAT(ptx->text, HasSubstr("1015"));
  Source wrong = source;
  wrong.defines = {"FACTOR=3", "4"};
  EXPECT_EQ(first_error(compile(wrong, {})), "compile.bad_define");
}

// A missing header could have defined what an #if asks for, unless the user defined it.
TEST(Compiler, AGivenMacroIsNotThatOfAMissingHeader) {
  NEEDS_NVRTC();
  Source source{"k.cu", "#include \"settings.h\"\n__global__ void k(int* a) {\n#if WIDE\n  a[0] = 1;\n#endif\n}\n", {}};
  EXPECT_EQ(first_error(compile(source, {})), "compile.missing_include");
  source.defines = {"WIDE=1"};
  const auto ptx = compile(source, {});
  ASSERT_TRUE(ptx.ok()) << told(ptx.errors());
  EXPECT_THAT(ptx->warnings, testing::Contains(testing::Field(&Diagnostic::code, "compile.missing_include")));
}

TEST(Compiler, NamesFilesAsTheUserDoes) {
  NEEDS_NVRTC();
  const test::TempFolder folder;
  const InFolder here(folder.path());
  const std::string header = "__device__ __noinline__ int deep(int x) { return x * x + 7; }\n";
  test::write_file(folder / "a folder/mine.cuh", header);
  const std::string text = "#include \"mine.cuh\"\n__global__ void k(int* a) { a[0] = deep(a[1]); }\n";
  auto files = [](const std::string& ptx) {
    std::string names;
    for (std::size_t at = ptx.find("\t.file"); at != std::string::npos; at = ptx.find("\t.file", at + 1))
      names += ptx.substr(at + 1, ptx.find('\n', at) - at);
    return names;
  };
  for (const std::string& name :
       {std::string("a folder/k.cu"), (folder / "a folder/k.cu").string(), std::string("./a folder/k.cu")}) {
    const auto ptx = compile_text(text, {}, name);
    ASSERT_TRUE(ptx.ok()) << told(ptx.errors());
    EXPECT_THAT(files(ptx->text), HasSubstr("\"" + escaped_name(name) + "\""));
    if (!std::filesystem::path(name).is_absolute()) {
      EXPECT_THAT(files(ptx->text), HasSubstr("\"a folder/mine.cuh\""));
    }
  }
  const auto groups = compile_text(
      "#include <cooperative_groups.h>\n__global__ void k(int* a) { a[0] = cooperative_groups::this_grid().size(); "
      "}\n");
  ASSERT_TRUE(groups.ok()) << told(groups.errors());
  EXPECT_THAT(files(groups->text), HasSubstr("\"cooperative_groups.h\""));
  EXPECT_THAT(files(groups->text), Not(HasSubstr("\"/")));
}

TEST(Compiler, FileNamesBeyondAsciiStandEscapedInPtx) {
  NEEDS_NVRTC();
  const auto ptx = compile_text(plain_kernel, {}, on_posix ? "größe \"x\".cu" : "größe.cu");
  ASSERT_TRUE(ptx.ok()) << told(ptx.errors());
  EXPECT_THAT(ptx->text, HasSubstr(on_posix ? ".file\t1 \"gr\\303\\266\\303\\237e \\\"x\\\".cu\""
                                            : ".file\t1 \"gr\\303\\266\\303\\237e.cu\""));
  EXPECT_EQ(unescaped_name("gr\\303\\266\\303\\237e \\\"x\\\".cu"), "größe \"x\".cu");
  const auto broken = compile_text("__global__ void k() { b = 1; }", {}, "größe.cu");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.errors().front().place, (SourcePlace{"größe.cu", 1, 23}));
}

TEST(Compiler, SeesAChangedHeaderInSpiteOfTheCache) {
  NEEDS_NVRTC();
  const test::TempFolder folder;
  const std::string name = (folder / "k.cu").string();
  const std::string text = "#include \"outer.cuh\"\n__global__ void k(int* a) { a[0] = VALUE; }\n";
  test::write_file(folder / "outer.cuh", "#include \"inner.cuh\"\n");
  for (const char* value : {"1111", "2222", "1111"}) {
    test::write_file(folder / "inner.cuh", std::string("#define VALUE ") + value + "\n");
    const auto ptx = compile_text(text, {}, name);
    ASSERT_TRUE(ptx.ok()) << told(ptx.errors());
    EXPECT_THAT(ptx->text, HasSubstr(value));
  }
  std::filesystem::remove(folder / "inner.cuh");
  EXPECT_EQ(first_error(compile_text(text, {}, name)), "compile.missing_include");
  test::write_file(folder / "inner.cuh", "#define VALUE 3333\n");
  const auto ptx = compile_text(text, {}, name);
  ASSERT_TRUE(ptx.ok()) << "a failure must not outlive its cause";
  EXPECT_THAT(ptx->text, HasSubstr("3333"));
}

TEST(Compiler, AnIncludeThatNamesAMacroIsNeverCached) {
  NEEDS_NVRTC();
  const test::TempFolder folder;
  const std::string text = "#define WHICH \"value.cuh\"\n#include WHICH\n__global__ void k(int* a) { a[0] = VALUE; }\n";
  for (const char* value : {"4444", "5555"}) {
    test::write_file(folder / "value.cuh", std::string("#define VALUE ") + value + "\n");
    const auto ptx = compile_text(text, {}, (folder / "k.cu").string());
    ASSERT_TRUE(ptx.ok()) << told(ptx.errors());
    EXPECT_THAT(ptx->text, HasSubstr(value));
  }
}

// Answers are also kept in a folder. If no file appears there, the compiler was not asked.
TEST(Compiler, TheSecondTimeComesFromTheCache) {
  NEEDS_NVRTC();
  const test::TempFolder kept;
  const char* other = std::getenv("LANESCOPE_COMPILED");
  const std::string before = other != nullptr ? other : "";
  set_variable("LANESCOPE_COMPILED", kept.path().generic_string());
  const auto asks_the_compiler = [&](const std::string& source) {
    EXPECT_TRUE(compile_text(source).ok());
    const bool asked = !std::filesystem::is_empty(kept.path());
    for (const auto& file : std::filesystem::directory_iterator(kept.path())) std::filesystem::remove(file);
    return asked;
  };
  const std::string text = "#include <cuda_fp16.h>\n" + std::string(plain_kernel) + "// never compiled before\n";
  EXPECT_TRUE(asks_the_compiler(text));
  EXPECT_FALSE(asks_the_compiler(text));
  EXPECT_TRUE(asks_the_compiler(text + "// one more word\n"));
  other != nullptr ? set_variable("LANESCOPE_COMPILED", before) : unset_variable("LANESCOPE_COMPILED");
}

TEST(Compiler, TheKeyOfTheCacheIsEverythingThatGoesIn) {
  NEEDS_NVRTC();
  const std::string text =
      "__global__ void k(int* a) { a[0] = VALUE; }\ntemplate <int N> __global__ void t(int* a) { a[0] = N; }\n";
  Options options;
  Source source{"k.cu", text, {}, {"VALUE=123"}};
  EXPECT_THAT(compile(source, options)->text, HasSubstr("123"));
  source.defines = {"VALUE=321"};
  EXPECT_THAT(compile(source, options)->text, HasSubstr("321"));
  options.arch = "sm_75";
  EXPECT_THAT(compile(source, options)->text, HasSubstr(".target sm_75"));
  options.name_expressions = {"t<77>"};
  EXPECT_EQ(compile(source, options)->mangled.count("t<77>"), 1u);
  source.name = "other.cu";
  EXPECT_THAT(compile(source, options)->text, HasSubstr("\"other.cu\""));
}

TEST(Compiler, OneCompilationServesEveryKernelWithANameOfItsOwn) {
  NEEDS_NVRTC();
  const std::string text =
      "__global__ void a(int* p) { *p = 1; }\nnamespace n { __global__ void b(int* p) { *p = 2; } }\n"
      "extern \"C\" __global__ void c(int* p) { *p = 3; }\n__global__ void twice(int* p) { *p = 4; }\n"
      "__global__ void twice(float* p) { *p = 5; }\ntemplate <int N> __global__ void t(int* p) { *p = N; }\n";
  const auto whole = compile_text(text);
  ASSERT_TRUE(whole.ok()) << told(whole.errors());
  Options options;
  for (const auto& [name, mangled] : std::map<std::string, std::string>{
           {"a", "_Z1aPi"}, {"n::b", "_ZN1n1bEPi"}, {"c", "c"}, {"_Z5twicePf", "_Z5twicePf"}}) {
    options.name_expressions = {name};
    const auto ptx = compile_text(text, options);
    ASSERT_TRUE(ptx.ok()) << name << ": " << told(ptx.errors());
    EXPECT_EQ(ptx->mangled, (std::map<std::string, std::string>{{name, mangled}}));
    EXPECT_EQ(ptx->text, whole->text) << name;
  }
  for (const char* name : {"d", "t", "twice"}) {
    options.name_expressions = {"a", name};
    EXPECT_EQ(first_error(compile_text(text, options)), "compile.no_such_kernel") << name;
  }
  options.name_expressions = {"elsewhere"};
  const auto declared = compile_text(text + "extern \"C\" {\n__global__ void elsewhere(int* p);\n}\n", options);
  ASSERT_FALSE(declared.ok());
  EXPECT_THAT(declared.errors().front().message, testing::HasSubstr("its definition is in another file"));
  EXPECT_EQ(declared.errors().front().place.line, 8);
  options.name_expressions = {"a", "t<7>"};
  const auto instance = compile_text(text, options);
  ASSERT_TRUE(instance.ok()) << told(instance.errors());
  EXPECT_EQ(instance->mangled, (std::map<std::string, std::string>{{"a", "_Z1aPi"}, {"t<7>", "_Z1tILi7EEvPi"}}));
}

TEST(Compiler, TakesEveryStandInHeaderAloneAndAllTogether) {
  NEEDS_NVRTC();
  std::string all;
  for (const HostHeader& header : host_headers(HostLibrary::light)) all += fmt::format("#include <{}>\n", header.name);
  expect_compiles(all + plain_kernel, "k");
  // With libcu++ beside them, which brings its own.
  expect_compiles(all +
                      "#include <cuda/std/cstdint>\n#include <cuda/std/climits>\n#include <cuda/std/limits>\n"
                      "#include <cuda/std/cstddef>\n#include <cuda/std/cstring>\n" +
                      plain_kernel,
                  "k");
  expect_compiles("#include <cuda/std/cstdint>\n#include <cuda/std/climits>\n" + all + plain_kernel, "k");
}

TEST(Compiler, StandInHeadersGiveWhatDeviceCodeUses) {
  NEEDS_NVRTC();
  expect_compiles(
      "#include <cstdint>\n#include <stdint.h>\nstatic_assert(sizeof(std::int64_t) == 8 && sizeof(uint8_t) == 1 && "
      "sizeof(uintptr_t) == 8 && INT32_MAX == 2147483647 && UINT64_MAX == 18446744073709551615ull, \"\");\n"
      "__global__ void k(uint32_t* a) { a[0] = UINT8_MAX; }",
      "k");
  expect_compiles(
      "#include <climits>\n#include <cfloat>\nstatic_assert(INT_MIN == -2147483647 - 1 && "
      "CHAR_BIT == 8 && FLT_MAX > 3e38f && DBL_EPSILON < 3e-16, \"\");\n__global__ void k() {}",
      "k");
  expect_compiles(
      "#include <cmath>\n__global__ void k(float* a) { a[0] = std::sqrt(a[1]) + std::abs(a[2]) + std::pow(a[3], 2.0f) "
      "+ "
      "std::fmax(a[4], -INFINITY) + NAN + M_PI; }",
      "k");
  expect_compiles(
      "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stddef.h>\n"
      "__global__ void k(float* a) { printf(\"%f\\n\", a[0]); memcpy(a, a + 4, 8); float* m = (float*)malloc(8); "
      "if (m != NULL) free(m); struct S { int a; float b; }; static_assert(offsetof(S, b) == 4, \"\"); ptrdiff_t d = "
      "1; a[d] = 0; }",
      "k");
  expect_compiles("#include <assert.h>\n#include <cassert>\n__global__ void k(float* a) { assert(a[0] > 0); }", "k");
  expect_compiles("#include <algorithm>\n__global__ void k(int* a) { a[0] = std::min(a[1], std::max(a[2], 3)); }", "k");
  expect_compiles("__global__ void k(float* a) { a[0] = M_PI * INFINITY; }", "k");  // as with nvcc, without an include
}

// The compiler's types have other sizes on Windows than on Linux: it decides whether what is stated agrees.
TEST(Compiler, StatedSizesOfTypesAreThoseOfTheCompiler) {
  NEEDS_NVRTC();
  const std::string equal[][2] = {{"sizeof(long)", std::to_string(bytes_of_long)},
                                  {"sizeof(long)", "__SIZEOF_LONG__"},
                                  {"8 * sizeof(long)", "__LONG_WIDTH__"},
                                  {"(unsigned long)-1 >> 1", "__LONG_MAX__"},
                                  {"(unsigned long)-1 >> 1", "LONG_MAX"},
                                  {"(unsigned long)-1", "ULONG_MAX"},
                                  {"-LONG_MAX - 1", "LONG_MIN"},
                                  {"sizeof(wchar_t)", "__SIZEOF_WCHAR_T__"},
                                  {"(wchar_t)-1 > 0 ? 0xffff : 0x7fffffff", "__WCHAR_MAX__"},
                                  {"sizeof(__WCHAR_TYPE__)", "sizeof(wchar_t)"},
                                  {"sizeof(long double)", "__SIZEOF_LONG_DOUBLE__"},
                                  {"sizeof(__INT64_TYPE__)", "8"},
                                  {"sizeof(__UINT64_TYPE__)", "8"},
                                  {"sizeof(__INTPTR_TYPE__)", "sizeof(void*)"},
                                  {"sizeof(__SIZE_TYPE__)", "sizeof(size_t)"},
                                  {"sizeof(__PTRDIFF_TYPE__)", "8"},
                                  {"sizeof(__INT64_C(1))", "8"},
                                  {"sizeof(__UINT64_C(1))", "8"},
                                  {"sizeof(__INT64_MAX__)", "8"},
                                  {"__SIZE_MAX__", "~0ull"},
                                  {"sizeof(__UINT_FAST16_TYPE__) * 8", "__INT_FAST16_WIDTH__"}};
  std::string text = "#include <climits>\n";
  for (const auto& pair : equal) text += "static_assert((" + pair[0] + ") == (" + pair[1] + "), \"\");\n";
  text +=
      "#ifdef _LP64\nstatic_assert(sizeof(long) == 8, \"\");\n#else\nstatic_assert(sizeof(long) == 4, \"\");\n#endif\n";
  expect_compiles(text + plain_kernel, "k");
}

TEST(Compiler, PartsOfCubThatStandInForTheWholeAreThere) {
  NEEDS_NVRTC();
  const auto& headers = host_headers(HostLibrary::light);
  const auto cub = std::find_if(headers.begin(), headers.end(),
                                [](const HostHeader& header) { return std::string(header.name) == "cub/cub.cuh"; });
  ASSERT_NE(cub, headers.end());
  const auto parts = scan_includes(cub->text);
  EXPECT_GT(parts.size(), 10u);
  for (const IncludeDirective& part : parts) {
    const auto folders = find_toolchain()->include_paths;
    EXPECT_TRUE(std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
      return std::filesystem::exists(folder + "/" + part.name);
    })) << part.name;
  }
}

TEST(Compiler, TakesTheHeadersOfCuda) {
  NEEDS_NVRTC();
  expect_compiles("#include <cuda_fp16.h>\n__global__ void k(half* a) { a[0] = __hadd(a[1], __float2half(2.0f)); }",
                  "k");
  expect_compiles("#include <cuda_bf16.h>\n__global__ void k(__nv_bfloat16* a) { a[0] = a[1] * a[2]; }", "k");
  expect_compiles(
      "#include <cuda_runtime.h>\n#include \"device_launch_parameters.h\"\n#include <cuda.h>\n"
      "__global__ void k(float4* a) { a[0] = make_float4(1, 2, 3, 4); }",
      "k");
  expect_compiles(
      "#include <cuda/std/tuple>\n__global__ void k(int* a) { a[0] = cuda::std::get<0>(cuda::std::make_tuple(a[1], "
      "2)); }",
      "k");
  expect_compiles(
      "#include <cuda_pipeline.h>\n__global__ void k(int* a) { __shared__ int s[32]; __pipeline_memcpy_async(s, a, "
      "16); "
      "__pipeline_commit(); __pipeline_wait_prior(0); a[0] = s[3]; }",
      "k");
  expect_compiles(
      "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n"
      "namespace cg = cooperative_groups;\n__global__ void k(float* a) { auto tile = "
      "cg::tiled_partition<16>(cg::this_thread_block());\n"
      "a[0] = cg::reduce(tile, a[1], cg::plus<float>()) + cg::inclusive_scan(tile, a[2]); cg::this_grid().sync(); }",
      "k");
}

TEST(Compiler, FallsBackToAllOfCooperativeGroups) {
  NEEDS_NVRTC();
  // reduce_update_async needs libcu++'s atomics, which the first attempt leaves out.
  expect_compiles(
      "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cuda/atomic>\n"
      "namespace cg = cooperative_groups;\n__global__ void k(cuda::atomic<int>* a) {\n"
      "auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
      "cg::reduce_update_async(tile, a[0], 5, cg::plus<int>()); }",
      "k");
}

TEST(Compiler, UnusualTexts) {
  NEEDS_NVRTC();
  const auto empty = compile_text("");
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(kernels_in_ptx(empty->text).empty());

  std::string large;
  while (large.size() < 1'000'000) large += "// " + std::string(60, 'x') + "\n";
  expect_compiles(large + plain_kernel, "k");
  const auto far_down = compile_text(large + "__global__ void k() { b = 1; }");
  ASSERT_FALSE(far_down.ok());
  EXPECT_EQ(far_down.errors().front().place.line, std::count(large.begin(), large.end(), '\n') + 1);

  const auto crlf = compile_text("__global__ void k(int* a)\r\n{\r\n  b = 1;\r\n}\r\n");
  ASSERT_FALSE(crlf.ok());
  EXPECT_EQ(crlf.errors().front().place, (SourcePlace{"k.cu", 3, 3}));
  expect_compiles("#include <cstdint>\r\n__global__ void k(int* a)\r\n{\r\n  a[0] = 1; // \r\n}\r\n", "k");

  expect_compiles("// größer, 更大\n__global__ void k(int* a) { a[0] = 1; }", "k");
  const auto latin = compile_text(
      "// gr\xf6\xdf"
      "er \xff\xfe\n__global__ void k(int* a) { a[0] = 1; }");
  ASSERT_TRUE(latin.ok());
  EXPECT_THAT(kernels_in_ptx(latin->text), testing::SizeIs(1))
      << "the compiler alone would read the kernel as a comment";
  EXPECT_THAT(told(latin->warnings), HasSubstr("compile.not_utf8"));
  const auto column = compile_text("__global__ void k(int* a) { /* é✓ */ b = 1; }");
  ASSERT_FALSE(column.ok());
  // NVRTC for Windows counts characters.
  EXPECT_EQ(column.errors().front().place.column, on_posix ? 41 : 38) << "columns count bytes";

  EXPECT_EQ(first_error(compile_text(std::string("int a;\n\0int b;", 14))), "compile.not_text");
  EXPECT_EQ(first_error(compile_text(std::string(9u << 20, ' '))), "compile.too_large");
  expect_compiles("\xef\xbb\xbf__global__ void k(int* a) { a[0] = 1; }", "k");  // a byte-order mark
}

TEST(Compiler, DeepNestingNeverOverflowsTheStack) {
  NEEDS_NVRTC();
  auto nested = [](int depth) {
    const auto n = static_cast<std::size_t>(depth);
    return "__global__ void k(int* a) { a[0] = " + std::string(n, '(') + "1" + std::string(n, ')') + "; }";
  };
  expect_compiles(nested(1900), "k");
  EXPECT_EQ(first_error(compile_text(nested(100'000))), "compile.too_nested");
  std::string sum = "__global__ void k(int* a) { a[0] = 1";
  for (int i = 0; i < 20'000; ++i) sum += "+1";
  expect_compiles(sum + "; }", "k");
  // Nested through a macro: 2^12 levels, invisible to a count of the brackets in the text.
  std::string macros = "#define P0(x) (x)\n";
  for (int i = 1; i <= 12; ++i) macros += fmt::format("#define P{0}(x) P{1}(P{1}(x))\n", i, i - 1);
  const auto through_macro = compile_text(macros + "__global__ void k(int* a) { a[0] = P12(1); }");
  EXPECT_TRUE(through_macro.ok() || has_error(through_macro.errors()));
}

TEST(Compiler, IncludingItselfEndsWithAnError) {
  NEEDS_NVRTC();
  const test::TempFolder folder;
  const std::string text = "#include \"self.cu\"\n";
  test::write_file(folder / "self.cu", text);
  const auto ptx = compile_text(text, {}, (folder / "self.cu").string());
  ASSERT_FALSE(ptx.ok());
  EXPECT_EQ(ptx.errors().front().code, "compile.error");
}

TEST(Compiler, ManyThreadsAtOnce) {
  NEEDS_NVRTC();
  std::vector<std::thread> threads;
  std::array<std::string, 8> outcomes;
  for (std::size_t t = 0; t < outcomes.size(); ++t)
    threads.emplace_back([&outcomes, t] {
      for (int round = 0; round < 4; ++round) {
        Options options;
        options.name_expressions = {"k"};
        const auto ptx = compile_text(fmt::format("__global__ void k(int* a) {{ a[0] = {}; }}\n",
                                                  1000 + 10 * t + static_cast<std::size_t>(round)),
                                      options);
        const bool right =
            ptx.ok() &&
            ptx->text.find(std::to_string(1000 + 10 * t + static_cast<std::size_t>(round))) != std::string::npos;
        outcomes[t] += right ? "." : "x";
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& outcome : outcomes) EXPECT_EQ(outcome, "....");
}

std::string slow_to_compile() {
  std::string slow = "__global__ void k(int* a) {\n";
  for (int i = 0; i < 3000; ++i) slow += "a[threadIdx.x] += a[7] * 3;\n";
  return slow + "}\n";
}

TEST(Compiler, EndsWhenItsTimeIsOver) {
  NEEDS_NVRTC();
  Options options;
  options.most_seconds = 0.05;
  const auto ptx = compile_text(slow_to_compile(), options);
  ASSERT_EQ(first_error(ptx), "compile.too_slow");
  EXPECT_EQ(ptx.errors().front().message, "the compilation did not finish within 0.05 seconds");
  EXPECT_TRUE(compile_text(plain_kernel).ok()) << "and the next one is not held up";
}

TEST(Compiler, CanBeGivenUpAtOnce) {
  NEEDS_NVRTC();
  std::atomic<bool> cancel{false};
  Options options;
  options.cancel = &cancel;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto ptx = compile_text(slow_to_compile(), options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  stopper.join();
  EXPECT_EQ(first_error(ptx), "compile.cancelled");
  EXPECT_LT(seconds, 2.0);
  cancel = false;
  EXPECT_TRUE(compile_text(plain_kernel, options).ok()) << "giving up is not remembered";
}

TEST(Compiler, KernelsAreFoundInTextThatDoesNotCompile) {
  const auto kernels =
      kernels_in({"k.cu", "__global__ void one() { oops }\ntemplate <int N> __global__ void two() {}", {}}, {});
  ASSERT_TRUE(kernels.ok());
  EXPECT_THAT(*kernels, testing::ElementsAre("one", "two<N>"));
}

}  // namespace
}  // namespace lanescope::compile
