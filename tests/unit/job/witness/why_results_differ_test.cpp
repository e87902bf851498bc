// The reasons why a GPU may leave another result than the interpreter.

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "job/witness/verify.h"

namespace lanescope::job {
namespace {

class WhyResultsDiffer : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  }
  // Of a kernel k(float* out, const float* in) with this body in line 2.
  static std::string why(const std::string& body, bool repeatable = true, int capability = 8) {
    Request request;
    request.source = {"k.cu", "__global__ void k(float* out, const float* in) {\n  " + body + "\n}\n", {}};
    request.first().kernel = "k";
    request.first().shape.block = {64, 1, 1};
    request.arguments = {{"f32[64]=0", "out"}, {"f32[64]=iota", "in"}};
    request.races_if_small = true;
    const Outcome outcome = run(request);
    EXPECT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
    GpuRun plain;
    plain.repeatable = repeatable;
    plain.device.major = capability;
    return why_results_differ(outcome, plain);
  }
};

TEST_F(WhyResultsDiffer, ApproximateInstructionsAreNamed) {
  EXPECT_EQ(why("out[threadIdx.x] = __expf(in[threadIdx.x]);"),
            "PTX leaves the last digits of ex2.approx open (line 2)");
  EXPECT_EQ(why("out[threadIdx.x] = __fdividef(__logf(in[threadIdx.x]), 3.0f);"),
            "PTX leaves the last digits of div.approx, lg2.approx open (line 2)");
}
TEST_F(WhyResultsDiffer, TheInterpreterGivesTheApproximationsOfHopper) {
  EXPECT_EQ(why("out[threadIdx.x] = __expf(__logf(in[threadIdx.x]));", true, 9), "");
  EXPECT_EQ(why("out[threadIdx.x] = (float)rsqrt((double)in[threadIdx.x]);", true, 9),
            "PTX leaves the last digits of rsqrt.approx open (line 2)");
}
TEST_F(WhyResultsDiffer, AnExactKernelHasNoReason) {
  EXPECT_EQ(why("out[threadIdx.x] = sqrtf(in[threadIdx.x]) / 3.0f;"), "") << "both round to the nearest number";
}
TEST_F(WhyResultsDiffer, AtomicSumsOfFloatsDependOnTheirOrder) {
  const std::string sum = "atomicAdd(out, in[threadIdx.x] * 0.1f);";
  EXPECT_EQ(why(sum, false),
            "the kernel adds floating-point numbers atomically, so the order of the sum depends on timing");
  EXPECT_EQ(why(sum), why(sum, false)) << "two runs may happen to take the same order";
  EXPECT_EQ(why("atomicAdd((int*)out, 1);"), "");
}
TEST_F(WhyResultsDiffer, AClockIsAReason) {
  EXPECT_EQ(why("out[threadIdx.x] = clock64();"), "the kernel reads a clock (line 2), which counts otherwise on a GPU");
}
TEST_F(WhyResultsDiffer, TwoRunsThatDifferAreEvidenceEnough) {
  EXPECT_EQ(why("out[threadIdx.x] = __expf(in[threadIdx.x]);", false),
            "two runs on the GPU gave different results: they depend on timing");
}
TEST_F(WhyResultsDiffer, ARaceComesFirst) {
  EXPECT_THAT(why("out[threadIdx.x % 32] = __expf(in[threadIdx.x]);"),
              testing::StartsWith("the kernel has a data race (line 2"));
}

}  // namespace
}  // namespace lanescope::job
