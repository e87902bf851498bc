// Counters that count another program's work too.

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "job/witness/interpreted_gpu.h"
#include "job/witness/verify.h"

namespace lanescope::job {
namespace {

class CountAgain : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
    Request request;
    request.source = {"k.cu", "__global__ void k(float* out) {\n  out[threadIdx.x] = 1;\n}\n", {}};
    request.first().kernel = "k";
    request.first().shape.block = {64, 1, 1};
    request.arguments = {{"f32[64]=0", "out"}};
    request.record.events = true;
    interpreted_ = run(request);
    ASSERT_TRUE(interpreted_.completed);
  }
  Agreement agreement(int disturbed) {
    test::InterpretedGpu gpu(interpreted_);
    gpu.disturbed_counts = disturbed;
    const auto made = verify(interpreted_, gpu, {});
    counts_ = gpu.counts;
    return made.ok() ? made->front() : Agreement{};
  }
  static std::vector<std::string> warnings(const Agreement& agreement) {
    std::vector<std::string> codes;
    for (const Diagnostic& one : agreement.diagnostics)
      if (one.code.starts_with("gpu.count")) codes.push_back(one.code);
    return codes;
  }
  Outcome interpreted_;
  int counts_ = 0;
};

TEST_F(CountAgain, WhatAgreesIsCountedOnce) {
  const Agreement quiet = agreement(0);
  EXPECT_TRUE(quiet.holds());
  EXPECT_EQ(counts_, 1);
  EXPECT_THAT(warnings(quiet), testing::IsEmpty());
}
TEST_F(CountAgain, AfterADisturbanceTheLaterCountIsShownAndSaid) {
  const Agreement once = agreement(1);
  EXPECT_TRUE(once.holds());
  EXPECT_EQ(counts_, 2);
  EXPECT_THAT(warnings(once), testing::ElementsAre("gpu.counts_differ"));
  ASSERT_FALSE(once.rows.empty());
  for (const AgreementRow& row : once.rows) EXPECT_EQ(row.agreed, Agreed::equal) << row.number;
}
TEST_F(CountAgain, AnEndlessDisturbanceStaysUnexplained) {
  const Agreement always = agreement(100);
  EXPECT_FALSE(always.holds());
  EXPECT_EQ(counts_, 4);
  EXPECT_THAT(warnings(always), testing::ElementsAre("gpu.counts_differ"));
}

}  // namespace
}  // namespace lanescope::job
