// Programs for an older CUDA, under the nvcc of a newer one.

#include <gmock/gmock.h>

#include "cli/program.h"
#include "compile/nvcc/nvcc.h"

namespace lanescope {
namespace {

using testing::HasSubstr;

TEST(ExecOlderCuda, NamesThatCuda13RemovedAreThoseOfCuda12) {
  if (const auto nvcc = compile::locate_nvcc(); !nvcc || nvcc->major < 13) GTEST_SKIP() << "no nvcc of CUDA 13";
  const test::Ran ran = test::lanescope({"exec", LANESCOPE_SOURCE_DIR "/tests/exec/for_cuda_12.cu"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "0\n1 1 1 0\n962 cudaSuccess\ncudaErrorInvalidDevice\n");
  EXPECT_THAT(ran.err, HasSubstr("note: The code is for CUDA 12"));
}

// CUDA 13 gave cuCtxCreate() another parameter, and cuMemAdvise() and cuMemPrefetchAsync() a place.
TEST(ExecOlderCuda, CallsOfTheDriverForCuda12) {
  if (const auto nvcc = compile::locate_nvcc(); !nvcc || nvcc->major < 13) GTEST_SKIP() << "no nvcc of CUDA 13";
  const test::Ran ran = test::lanescope({"exec", LANESCOPE_SOURCE_DIR "/tests/exec/for_cuda_12_driver.cu"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "0 0\n0 0 0\n4\n");
  EXPECT_THAT(ran.err, HasSubstr("note: The code is for CUDA 12"));
}

}  // namespace
}  // namespace lanescope
