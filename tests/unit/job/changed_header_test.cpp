// A header that changes between two runs of one process.

#include <cstring>

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "golden.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

int first_value(const Outcome& outcome) {
  EXPECT_TRUE(outcome.completed) << (outcome.diagnostics.empty() ? "" : format(outcome.diagnostics.front()));
  int value = 0;
  if (outcome.completed) std::memcpy(&value, outcome.arguments[0].contents.data(), sizeof value);
  return value;
}

Request request_including(const std::string& header, const test::TempFolder& folder) {
  Request request;
  request.source = {(folder / "k.cu").string(),
                    "#include \"" + header + "\"\n__global__ void k(int* p) { p[threadIdx.x] = VALUE; }\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {32, 1, 1};
  request.arguments = {{"i32[32]=0", ""}};
  return request;
}

TEST(ChangedHeader, IsSeenByTheNextRun) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  const test::TempFolder folder;
  Request request = request_including("outer.cuh", folder);
  test::write_file(folder / "outer.cuh", "#include \"inner.cuh\"\n");
  for (const int value : {11, 22, 11}) {
    test::write_file(folder / "inner.cuh", "#define VALUE " + std::to_string(value) + "\n");
    EXPECT_EQ(first_value(run(request)), value);
  }
  request.source.text =
      "#define NAME \"inner.cuh\"\n#include NAME\n__global__ void k(int* p) { p[threadIdx.x] = VALUE; }\n";
  for (const int value : {33, 44}) {
    test::write_file(folder / "inner.cuh", "#define VALUE " + std::to_string(value) + "\n");
    EXPECT_EQ(first_value(run(request)), value) << "the #include names a macro";
  }
}

// Larger than what the cache reads.
TEST(ChangedHeader, IsSeenHoweverLarge) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  const test::TempFolder folder;
  const Request request = request_including("large.cuh", folder);
  for (const int value : {55, 66}) {
    test::write_file(folder / "large.cuh",
                     "#define VALUE " + std::to_string(value) + "\n" + std::string(17u << 20, ' '));
    EXPECT_EQ(first_value(run(request)), value);
  }
}

}  // namespace
}  // namespace lanescope::job
