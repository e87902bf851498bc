// Counters that count another program's work too.

#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

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
  Agreement agreement(int disturbed, bool lines = false) {
    test::InterpretedGpu gpu(interpreted_);
    gpu.disturbed_counts = disturbed;
    gpu.code = code_;
    VerifyOptions options;
    options.lines = lines;
    const auto made = verify(interpreted_, gpu, options);
    counts_ = gpu.counts;
    code_counts_ = gpu.code_counts;
    return made.ok() ? made->front() : Agreement{};
  }
  static std::vector<std::string> warnings(const Agreement& agreement) {
    std::vector<std::string> codes;
    for (const Diagnostic& one : agreement.diagnostics)
      if (one.code.starts_with("gpu.count")) codes.push_back(one.code);
    return codes;
  }
  Outcome interpreted_;
  int counts_ = 0, code_counts_ = 0;
  std::vector<gpu::CountedInstructions::Instruction> code_;
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

// Counting machine instructions takes a process of its own, so it is only done where it can tell something.
TEST_F(CountAgain, TheCodeIsCountedWhereANumberIsUnexplained) {
  agreement(0);
  EXPECT_EQ(code_counts_, 0);
  EXPECT_FALSE(agreement(100).holds()) << "nothing counted in the code explains nothing";
  EXPECT_EQ(code_counts_, 1);
}

TEST_F(CountAgain, LinesAreCountedWhenTheyAreWanted) {
  const auto sass = compile::to_sass(interpreted_.first().ptx, "_Z1kPf", "sm_90");
  if (!sass) GTEST_SKIP() << "no disassembler";
  const auto store =
      std::ranges::find_if(sass->instructions, [](const auto& one) { return one.text.starts_with("STG"); });
  ASSERT_NE(store, sass->instructions.end());
  code_ = {{"_Z1kPf", store->address, {2, 0, 0, 0, 0, 64, 8, 0, 0}}};
  const Agreement made = agreement(0, true);
  EXPECT_EQ(code_counts_, 1);
  std::vector<std::tuple<std::string, int, std::uint64_t, std::uint64_t>> lines;
  for (const AgreementLine& one : made.lines)
    lines.emplace_back(one.number, one.line, one.interpreted.value_or(0), one.counted.value_or(0));
  EXPECT_THAT(lines, testing::ElementsAre(std::tuple("global_store.requests", 2, 2u, 2u),
                                          std::tuple("global_store.sectors", 2, 8u, 8u)));
  for (const AgreementLine& one : made.lines) EXPECT_THAT(one.instruction, testing::StartsWith("STG"));
}

}  // namespace
}  // namespace lanescope::job
