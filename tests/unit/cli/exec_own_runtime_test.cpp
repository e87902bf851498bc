// Programs that contain a runtime: nvcc's default. `exec` replaces its functions if the symbols are there.

#include <gmock/gmock.h>

#include <filesystem>

#include "cli/program.h"
#include "compile/nvcc/nvcc.h"
#include "test_paths.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;

Ran exec_pretended(const std::string& version) {
  return lanescope({"exec", LANESCOPE_PRETENDED "/own_runtime_" + version});
}

// The seventh argument is passed on the stack, which the first call of a function must leave as it is. CUDA 13 has 64
// more bytes in cudaPointerAttributes, for which a program of CUDA 12 has no place.
TEST(ExecOwnRuntime, ItsFunctionsAreReplacedByThoseOfItsVersion) {
  EXPECT_EQ(exec_pretended("12").out, "0 CUDA 12, 0 abcdef, 0 24 bytes, 7\n");
  EXPECT_EQ(exec_pretended("13").out, "0 CUDA 13, 0 abcdef, 0 88 bytes, 7\n");
}

struct BuiltProgram {
  test::TempFolder folder;
  std::string program = (folder / "saxpy").string();
  bool there = false;

  BuiltProgram() {
    const std::string build = "nvcc -cudart static -arch=compute_90 -code=compute_90 -o " + program + " " +
                              LANESCOPE_SOURCE_DIR "/tests/exec/saxpy.cu";
    there = lanescope({"exec", "/bin/sh", "-c", build}).code == 0;
  }
};

#define NEEDS_STATIC_RUNTIME(built) \
  if (!compile::locate_nvcc() || !(built).there) GTEST_SKIP() << "no nvcc with the static runtime"

TEST(ExecOwnRuntime, WhatNvccBuildsWithoutOptionsRuns) {
  const BuiltProgram built;
  NEEDS_STATIC_RUNTIME(built);
  const Ran ran = lanescope({"exec", built.program, "1000"});
  EXPECT_EQ(ran.out, "right, cudaSuccess\n");
  EXPECT_EQ(ran.code, 7);
  EXPECT_THAT(ran.err, testing::ContainsRegex("saxpy +4 +256 +2 +1,280 +40,528"));
}

TEST(ExecOwnRuntime, AStrippedOneIsToldAndHowToHelpIt) {
  const BuiltProgram built;
  NEEDS_STATIC_RUNTIME(built);
  const Ran ran = lanescope({"exec", "/bin/sh", "-c", "strip " + built.program + " && " + built.program + " 1000"});
  EXPECT_EQ(ran.code, 5);
  EXPECT_THAT(ran.err, HasSubstr("NVIDIA's runtime is linked into " + built.program + ", whose symbols were stripped"));
  EXPECT_THAT(ran.err, HasSubstr("Build that file with `nvcc -cudart shared`, or do not strip it."));
}

}  // namespace
}  // namespace lanescope
