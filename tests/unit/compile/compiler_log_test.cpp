// Parses NVRTC's log, from texts that NVRTC wrote.

#include "compile/compiler_log.h"

#include <gmock/gmock.h>

#include "compile/cures.h"
#include "compile/diagnose.h"

namespace lanescope::compile {
namespace {

TEST(CompilerLog, ReadsPlaceMessageAndColumn) {
  const auto log = parse_compiler_log(
      "user.cu(3): error: expected a \";\"\n"
      "   a[i]=1;\n"
      "   ^\n"
      "\n"
      "user.cu(2): warning #177-D: variable \"i\" was declared but never referenced\n"
      "  \tint i=threadIdx.x\n"
      "  \t    ^\n"
      "\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "\n"
      "1 error detected in the compilation of \"user.cu\".\n");
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[0].severity, Severity::error);
  EXPECT_EQ(log[0].place, (SourcePlace{"user.cu", 3, 2}));
  EXPECT_EQ(log[0].message, "expected a \";\"");
  EXPECT_EQ(log[1].severity, Severity::warning);
  EXPECT_EQ(log[1].place, (SourcePlace{"user.cu", 2, 6}));
  EXPECT_EQ(log[1].number, 177);
  EXPECT_EQ(log[1].message, "variable \"i\" was declared but never referenced");
}

TEST(CompilerLog, ReadsDetailsAndInstantiations) {
  const auto log = parse_compiler_log(
      "lib/a(1).cuh(7): error: no instance of overloaded function \"f\" matches the argument list\n"
      "            argument types are: (const char [2])\n"
      "   f(\"x\");\n"
      "   ^\n"
      "          detected during:\n"
      "            instantiation of \"T f(T) [with T=int]\" at line 1\n"
      "            instantiation of \"T g(T) [with T=int]\" at line 3 of ./user.cu\n"
      "user.cu(1): note #3326-D: function \"f(float)\" does not match\n"
      "  void f(float);\n"
      "       ^\n");
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[0].place, (SourcePlace{"lib/a(1).cuh", 7, 2}));
  EXPECT_EQ(log[0].message,
            "no instance of overloaded function \"f\" matches the argument list; argument types are: (const char [2])");
  ASSERT_EQ(log[0].instantiated_at.size(), 2u);
  EXPECT_EQ(log[0].instantiated_at[0], (SourcePlace{"lib/a(1).cuh", 1, 0}));
  EXPECT_EQ(log[0].instantiated_at[1], (SourcePlace{"./user.cu", 3, 0}));
  EXPECT_EQ(log[1].severity, Severity::note);
}

TEST(CompilerLog, ADetailAfterASentenceIsAnother) {
  const auto log = parse_compiler_log(
      "nvrtc: error: failed to open nvrtc-builtins64_130.dll.\n"
      "  Make sure that nvrtc-builtins64_130.dll is installed correctly.\n");
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].message,
            "failed to open nvrtc-builtins64_130.dll. Make sure that nvrtc-builtins64_130.dll is installed correctly.");
}

TEST(CompilerLog, ReadsErrorsWithoutAPlace) {
  const auto log = parse_compiler_log(
      "nvrtc: error: invalid value for --gpu-architecture (-arch)\n\n"
      "At end of source: error: expected a \"}\"\n\n"
      "a.cu(4): catastrophic error: cannot open source file \"x.h\"\n"
      "  #include <x.h>\n"
      "                ^\n");
  ASSERT_EQ(log.size(), 3u);
  EXPECT_EQ(log[0].place.line, 0);
  EXPECT_EQ(log[0].message, "invalid value for --gpu-architecture (-arch)");
  EXPECT_TRUE(log[1].at_end);
  EXPECT_EQ(log[2].severity, Severity::error);
  EXPECT_EQ(log[2].message, "cannot open source file \"x.h\"");
}

TEST(CompilerLog, WhatTheCompilerForOldGpusSaysOfThemIsNoWarningOfTheKernel) {
  const Source source{"k.cu", "__global__ void k() {}", {}};
  const auto told =
      diagnose(parse_compiler_log("nvrtc: warning: Architectures prior to '<compute/sm>_75' are deprecated and may be "
                                  "removed in a future release\n"
                                  "k.cu(1): warning #177-D: variable \"i\" was declared but never referenced\n"),
               {source, {}, {}});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].place.line, 1);
  EXPECT_EQ(diagnose(parse_compiler_log("nvrtc: warning: Something else\n"), {source, {}, {}}).size(), 1u);
  const std::string two =
      "/cuda/include/cmath(356): warning #47-D: incompatible redefinition of macro \"NAN\"\n\n"
      "k.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n\n";
  const Diagnostics own = diagnose(parse_compiler_log(two), {source, {}, {"/cuda/include"}});
  ASSERT_EQ(own.size(), 1u) << "nobody can mend CUDA's own headers";
  EXPECT_EQ(own[0].place.file, "k.cu");
}

// A line that is not C++ ends the includes behind it: NVRTC reports each use of __half in cuda_fp16.h.
TEST(CompilerLog, WhatFollowsInCudasHeadersFollowsFromTheFirstError) {
  const Source source{"k.cu", "%%writefile k.cu\n#include <cuda_fp16.h>\n__global__ void k() { f(1); }\n", {}};
  const std::string in_header = "/cuda/include/cuda_fp16.h(188): error: identifier \"__half\" is undefined\n\n";
  const std::string used_here =
      "/cuda/include/cub/block.cuh(9): error: static assertion failed\n"
      "          detected during instantiation of \"f<T>\" at line 3 of k.cu\n\n";
  const LogContext context{source, {}, {"/cuda/include"}};
  Diagnostics told = diagnose(
      parse_compiler_log("k.cu(1): error: expected a declaration\n\n" + in_header + in_header + used_here), context);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0].place.line, 1);
  EXPECT_EQ(told[0].cure, "Remove this line: it is a command of a notebook, not CUDA.");
  EXPECT_EQ(told[1].place.line, 9) << "an error of the user's own use stays";
  EXPECT_EQ(told[2].place.line, 3);
  told = diagnose(parse_compiler_log(in_header), context);
  ASSERT_EQ(told.size(), 1u) << "without an error before it, it stays";
  EXPECT_EQ(told[0].place.line, 188);
}

TEST(CompilerLog, SurvivesAnyText) {
  for (const char* text : {"", "\n", "(", "a(: error: x", "a(1): ", "a(1): error", "): error: x", "^", "  ^\n^\n",
                           "a(99999999999999999999): error: big", "error #: x", "note #12"})
    parse_compiler_log(text);
  EXPECT_TRUE(parse_compiler_log("an unknown kind of line\n").empty());
}

TEST(CompilerCures, EditDistanceCountsLetters) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("threadldx", "threadIdx"), 1u);
  EXPECT_EQ(edit_distance("idnex", "index"), 1u);  // two neighbours swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(CompilerCures, TheSemicolonBelongsToTheLineBefore) {
  LogEntry entry;
  entry.message = "expected a \";\"";
  entry.place = {"k.cu", 5, 3};
  EXPECT_EQ(cure_for(entry, {"a\nint x = 1\n\n// why\n  y = 2;\n", "k.cu", {}}),
            "Add a semicolon at the end of line 2.");
  entry.place.column = 7;
  EXPECT_EQ(cure_for(entry, {"a\nint x = 1\n\n// why\n  y = 2;\n", "k.cu", {}}), "Add a semicolon before this point.");
}

TEST(CompilerCures, WhatCudaHasElsewhereOrNoMore) {
  LogEntry entry;
  entry.place = {"k.cu", 1, 11};
  entry.message = "name followed by \"::\" must be a class or namespace name";
  EXPECT_THAT(cure_for(entry, {"auto b=cg::experimental::this_thread_block(m);\n", "k.cu", {}}),
              testing::HasSubstr("leave `experimental::` out"));
  EXPECT_THAT(cure_for(entry, {"auto b=ab::experimental::thing(m);\n", "k.cu", {}}),
              testing::HasSubstr("Include the header"));
  entry.message = "identifier \"nv_bfloat162\" is undefined";
  EXPECT_EQ(cure_for(entry, {"__global__ void k(nv_bfloat162 b);\n", "k.cu", {}}),
            "Add #include <cuda_bf16.h> at the top.");
}

}  // namespace
}  // namespace lanescope::compile
