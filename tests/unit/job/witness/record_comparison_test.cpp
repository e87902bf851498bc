// Records of the same kernel from two witnesses that place memory differently.

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "job/run/job.h"
#include "job/witness/record_comparison.h"

namespace lanescope::job {
namespace {

class RecordComparisonTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  }
  // Both as in the file, so that the kernel has the same lines and sites.
  static trace::Trace trace_of(const std::string& variables, const std::string& index) {
    Request request;
    request.source = {"k.cu", variables + "\n__global__ void k() {\n  b[threadIdx.x] = a[" + index + "] + c;\n}\n", {}};
    request.first().kernel = "k";
    request.first().shape.block = {32, 1, 1};
    request.record.events = true;
    Outcome outcome = run(request);
    EXPECT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
    return std::move(outcome.launches.front().trace);
  }
  static RecordComparison compared(const std::string& variables, const std::string& index) {
    const trace::Trace one = trace_of("__device__ int a[33], b[40], c;", "threadIdx.x");
    return compare_records(one, trace_of(variables, index), instrument::Pass::memory, 0, 1, {});
  }
};

// Other sizes move each variable by another distance, as a GPU's order of them does.
TEST_F(RecordComparisonTest, VariablesAtOtherDistancesAreTheSame) {
  for (const char* variables : {"__device__ int a[33], b[40], c;", "__device__ int a[4000], b[40], c;",
                                "__device__ int a[33], b[4000], c;", "__device__ int a[700], b[4000], c;"}) {
    const RecordComparison records = compared(variables, "threadIdx.x");
    EXPECT_EQ(records.interpreted, 3u);
    EXPECT_TRUE(records.agrees()) << variables;
  }
}
TEST_F(RecordComparisonTest, OtherElementsAreNot) {
  const RecordComparison records = compared("__device__ int a[700], b[4000], c;", "threadIdx.x ^ 1");
  EXPECT_EQ(records.interpreted, 3u);
  EXPECT_EQ(records.equal, 2u) << "all but the load of a";
}

}  // namespace
}  // namespace lanescope::job
